import type { Launcher, RunningProgram } from "./launcher.ts";
import type { Command, LoadResult } from "./load/load.ts";
import { readFileLimit } from "./load/process-counters.ts";
import { inTurn, progress } from "./figures.ts";
import { type Scenario, busyConnections } from "./scenarios.ts";

/** How long and how often is measured. */
export interface Effort {
  rounds: number;
  /** Seconds of each measurement. */
  seconds: number;
  /** Seconds that each server is warmed up for each scenario. */
  warmUp: number;
  /** Streams that the idle scenario holds. */
  held: number;
}

/** The results of all rounds. */
export type Rounds = Record<ServerName, LoadResult[]>;

type ServerName = "reference" | "rightseat";
type Servers = Record<ServerName | "upstream", RunningProgram>;

/** New connections settle for this long before measuring begins, in seconds. */
const settling = 0.5;

/**
 * Warms both servers up and measures them in turn; only one of them is busy at a time. Each
 * scenario has new processes: what the compiler has learned from another one would change the
 * figures by a quarter, and `--only` would measure something else than the whole bench. Streams that are
 * held have new ones each round: a heap that has served other streams would hide what these take.
 *
 * @param load asks the load generator; one and the same process serves all measurements, so that it is warm for each
 * @throws Error where streams came broken or not at all: whatever was measured is worthless
 */
export async function measure(
  scenario: Scenario,
  { rounds, seconds, warmUp, held }: Effort,
  launcher: Launcher,
  load: (command: Command) => Promise<unknown>,
): Promise<Rounds> {
  const { name: about, body, settings } = scenario;
  const ask = async (servers: Servers, name: ServerName, more: Partial<Command>) => {
    const [{ url, pid }, { url: upstreamUrl, pid: upstreamPid }] = [
      servers[name],
      servers.upstream,
    ];
    const upstream = { url: upstreamUrl, pid: upstreamPid };
    const times = { stagger: 0, warmUp: 0, measure: 0 };
    const fixed = { kind: "run", streams: busyConnections, body, settings, times } as const;
    // What load/load.ts returns.
    const result = (await load({ ...fixed, url, pid, upstream, ...more })) as LoadResult;
    if (result.failed === 0 && result.complete > 0) return result;
    const failures = Object.entries(result.failures).map(([why, count]) => `${count} x ${why}`);
    const counts = `${result.complete} streams are good, ${result.failed} bad`;
    throw new Error(`${about}, ${name}: ${counts}: ${failures.join("; ")}`);
  };
  const both = async (act: (name: ServerName) => Promise<LoadResult>): Promise<Rounds> => {
    const tasks = [() => act("reference"), () => act("rightseat")];
    const [reference = [], rightseat = []] = await inTurn(tasks, { warmUp: 0, rounds });
    return { reference, rightseat };
  };
  if (settings.isHeld)
    return both(async (name) => {
      // A new fake model, too: connections that the last server left to the old one would take up
      // most of the local ports, and the kernel's search for a free one would slow the opening.
      const servers = await startServers(launcher);
      // Each stream takes a server two sockets; some files are open already.
      const most = Math.floor(((readFileLimit(servers[name].pid) || Infinity) - 100) / 2);
      const streams = Math.min(held, most);
      const lowered = streams < held ? " (this machine allows no more open files)" : "";
      progress(`${about}: ${name}, ${streams} streams${lowered}`);
      const result = await ask(servers, name, { kind: "hold", streams });
      await stop(servers);
      return result;
    });
  const servers = await startServers(launcher);
  const run = (name: ServerName, time: number, what = scenario): Promise<LoadResult> => {
    const { chunks, interval } = what.settings;
    const stagger = what.isPaced ? (chunks * interval) / 1_000 : 0;
    const times = { stagger, warmUp: stagger + settling, measure: time };
    return ask(servers, name, { settings: what.settings, times });
  };
  for (const name of ["rightseat", "reference"] as const) {
    progress(`${about}: warming up ${name}`);
    // At full speed first: streams that wait most of the time warm nothing up in seconds, and real
    // servers live for days.
    if (scenario.warmedBy !== undefined) await run(name, warmUp, scenario.warmedBy);
    await run(name, warmUp);
  }
  const results = await both((name) => {
    progress(`${about}: ${name}`);
    return run(name, seconds);
  });
  await stop(servers);
  return results;
}

/** Starts the fake model and, in front of it, the raw pipe and Rightseat with its default settings. */
async function startServers(launcher: Launcher): Promise<Servers> {
  const upstream = await launcher.start({ args: ["upstream.ts"], core: "load" });
  const environment = { UPSTREAM: upstream.url };
  const reference = await launcher.start({ args: ["raw-pipe.ts"], environment, core: "server" });
  return { upstream, reference, rightseat: await launcher.startRightseat(upstream.url) };
}

async function stop(servers: Servers): Promise<void> {
  await Promise.all(Object.values(servers).map((program) => program.stop()));
}

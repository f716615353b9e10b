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

/** The load generator. One and the same process serves all measurements, so that it is warm for each. */
export type AskLoad = (command: Command) => Promise<unknown>;

type ServerName = "reference" | "rightseat";
type Servers = Record<ServerName | "upstream", RunningProgram>;

const strictStreams = 20;
/** New connections settle for this long before measuring begins, in seconds. */
const settling = 0.5;
/** The fewest buttons that Rightseat adds to `explain`; without them another path than its own was measured. */
const leastActions = 2;

/**
 * Warms both servers up and measures them in turn; only one of them is busy at a time. Each
 * scenario has new processes: what the compiler has learned from another one would change the
 * figures by a quarter, and `--only` would measure something else than the whole bench. Streams that are
 * held have new ones each round: a heap that has served other streams would hide what these take.
 */
export async function measure(
  scenario: Scenario,
  { rounds, seconds, warmUp, held }: Effort,
  launcher: Launcher,
  ask: AskLoad,
): Promise<Rounds> {
  if (scenario.settings.isHeld) {
    const hold = async (name: ServerName): Promise<LoadResult> => {
      // A new fake model, too: connections that the last server left to the old one would take up
      // most of the local ports, and the kernel's search for a free one would slow the opening.
      const servers = await startServers(launcher);
      await verify(name, scenario, servers, ask);
      // Each stream takes a server two sockets; some files are open already.
      const most = Math.floor(((readFileLimit(servers[name].pid) || Infinity) - 100) / 2);
      const streams = Math.min(held, most);
      const lowered = streams < held ? " (this machine allows no more open files)" : "";
      progress(`${scenario.name}: ${name}, ${streams} streams${lowered}`);
      const result = await load("hold", name, scenario, servers, ask, { streams });
      await stop(servers);
      return result;
    };
    return both(hold, { warmUp: 0, rounds });
  }
  const servers = await startServers(launcher);
  const run = (name: ServerName, what: Scenario, time: number): Promise<LoadResult> => {
    const { chunks, interval } = what.settings;
    const stagger = what.isPaced ? (chunks * interval) / 1_000 : 0;
    const times = { stagger, warmUp: stagger + settling, measure: time };
    return load("run", name, what, servers, ask, { streams: busyConnections, times });
  };
  for (const name of ["rightseat", "reference"] as const) {
    await verify(name, scenario, servers, ask);
    progress(`${scenario.name}: warming up ${name}`);
    // At full speed first: streams that wait most of the time warm nothing up in seconds, and real
    // servers live for days.
    if (scenario.warmedBy !== undefined) await run(name, scenario.warmedBy, warmUp);
    await run(name, scenario, warmUp);
  }
  const results = await both(
    (name) => {
      progress(`${scenario.name}: ${name}`);
      return run(name, scenario, seconds);
    },
    { warmUp: 0, rounds },
  );
  await stop(servers);
  return results;
}

async function both(
  act: (name: ServerName) => Promise<LoadResult>,
  effort: Parameters<typeof inTurn>[1],
): Promise<Rounds> {
  const tasks = [() => act("reference"), () => act("rightseat")];
  const [reference = [], rightseat = []] = await inTurn(tasks, effort);
  return { reference, rightseat };
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

async function verify(
  name: ServerName,
  scenario: Scenario,
  servers: Servers,
  ask: AskLoad,
): Promise<void> {
  const settings = { ...scenario.settings, isHeld: false };
  const streams = strictStreams;
  const result = await load("verify", name, { ...scenario, settings }, servers, ask, { streams });
  if (name === "rightseat" && (result.actions ?? 0) < leastActions * result.complete)
    throw new Error(`${scenario.name}: Rightseat's streams lack the buttons of "explain".`);
}

/** @throws Error where streams came broken or not at all: whatever was measured is worthless */
async function load(
  kind: Command["kind"],
  name: ServerName,
  { name: scenario, body, settings }: Scenario,
  servers: Servers,
  ask: AskLoad,
  more: Pick<Command, "streams"> & Partial<Command>,
): Promise<LoadResult> {
  const [{ url, pid }, { url: upstreamUrl, pid: upstreamPid }] = [servers[name], servers.upstream];
  const upstream = { url: upstreamUrl, pid: upstreamPid };
  const times = { stagger: 0, warmUp: 0, measure: 0 };
  const command = { kind, url, pid, upstream, body, settings, times, ...more };
  // What load/load.ts returns.
  const result = (await ask(command)) as LoadResult;
  if (result.failed === 0 && result.complete > 0) return result;
  const failures = Object.entries(result.failures).map(
    ([problem, count]) => `${count} x ${problem}`,
  );
  throw new Error(
    `${scenario}, ${name}: ${result.complete} streams are good, ${result.failed} bad: ${failures.join("; ")}`,
  );
}

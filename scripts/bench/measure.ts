import { type BenchServers, startServers } from "./bench-servers.ts";
import type { Launcher } from "./launcher.ts";
import type { LoadGenerator } from "./load-generator.ts";
import type { HoldResult, LoadResult, RunCommand, RunResult, Subject } from "./load/messages.ts";
import { readFileLimit } from "./load/process-counters.ts";
import type { BenchOptions } from "./options.ts";
import type { HoldScenario, RunScenario, Scenario } from "./scenarios.ts";

type ServerName = "reference" | "rightseat";

/** The results of all rounds, one of each server for each round. */
export type Rounds<Result> = Record<ServerName, Result>[];

/** What all measurements of one run of the bench share. */
export interface Bench {
  launcher: Launcher;
  options: BenchOptions;
  load: LoadGenerator;
  /** Tells what goes on, for whoever waits. */
  progress: (text: string) => void;
}

/** Streams came broken or not at all: whatever was measured is worthless. */
class BadStreams extends Error {
  override readonly name = "BadStreams";
}

const strictStreams = 20;
/** New connections settle for this long before measuring begins, in seconds. */
const settling = 0.5;
/** The fewest buttons that Rightseat adds to `explain`; without them another path than its own was measured. */
const leastActions = 2;

/**
 * Warms both servers up and measures them in turn; only one of them is busy at a time. Each
 * scenario has new processes: what the compiler has learned from another one would change the
 * figures by a quarter, and `--only` would measure something else than the whole bench.
 */
export async function measureRuns(
  scenario: RunScenario,
  { launcher, options, load, progress }: Bench,
): Promise<Rounds<RunResult>> {
  const servers = await startServers(launcher);
  await verifyBoth(scenario, servers, load);
  for (const name of inTurn(0)) {
    progress(`${scenario.name}: warming up ${name}`);
    // At full speed first: streams that wait most of the time warm nothing up in seconds, and real
    // servers live for days.
    if (scenario.warmedBy !== undefined) {
      await measureRun(name, scenario.warmedBy, servers, load, options.warmUp);
    }
    await measureRun(name, scenario, servers, load, options.warmUp);
  }
  const rounds: Rounds<RunResult> = [];
  for (let round = 1; round <= options.rounds; round++) {
    const results: Partial<Record<ServerName, RunResult>> = {};
    for (const name of inTurn(round)) {
      progress(`${scenario.name}: round ${round} of ${options.rounds}, ${name}`);
      results[name] = await measureRun(name, scenario, servers, load, options.seconds);
    }
    rounds.push(both(results));
  }
  await servers.stop();
  return rounds;
}

/** Measures fresh processes each round: a heap that has served other streams would hide what these take. */
export async function measureHolds(
  scenario: HoldScenario,
  { launcher, options, load, progress }: Bench,
): Promise<Rounds<HoldResult>> {
  const rounds: Rounds<HoldResult> = [];
  for (let round = 1; round <= options.rounds; round++) {
    const results: Partial<Record<ServerName, HoldResult>> = {};
    for (const name of inTurn(round)) {
      // A new fake model, too: connections that the last server left to the old one would take up
      // most of the local ports, and the kernel's search for a free one would slow the opening.
      const servers = await startServers(launcher);
      const streams = Math.min(options.held, mostHeld(servers[name].pid));
      const lowered = streams < options.held ? " (this machine allows no more open files)" : "";
      progress(
        `${scenario.name}: round ${round} of ${options.rounds}, ${name}, ${streams} streams${lowered}`,
      );
      await verifyOne(name, scenario, servers, load);
      const subject = subjectOf(name, scenario, servers);
      const result = await load.hold({ kind: "hold", ...subject, streams });
      results[name] = requireGood(result, scenario, name);
      await servers.stop();
    }
    rounds.push(both(results));
  }
  return rounds;
}

/** Each stream takes a server two sockets; some files are open already. */
function mostHeld(pid: number): number {
  return Math.floor(((readFileLimit(pid) ?? Number.POSITIVE_INFINITY) - 100) / 2);
}

async function measureRun(
  name: ServerName,
  scenario: RunScenario,
  servers: BenchServers,
  load: LoadGenerator,
  seconds: number,
): Promise<RunResult> {
  const { connections, settings } = scenario;
  const lasts = (settings.chunks * settings.interval) / 1_000;
  const stagger = scenario.isPaced ? lasts : 0;
  const subject = subjectOf(name, scenario, servers);
  const command: RunCommand = {
    kind: "run",
    ...subject,
    connections,
    stagger,
    warmUp: stagger + settling,
    measure: seconds,
  };
  return requireGood(await load.run(command), scenario, name);
}

async function verifyBoth(
  scenario: Scenario,
  servers: BenchServers,
  load: LoadGenerator,
): Promise<void> {
  for (const name of inTurn(0)) await verifyOne(name, scenario, servers, load);
}

async function verifyOne(
  name: ServerName,
  scenario: Scenario,
  servers: BenchServers,
  load: LoadGenerator,
): Promise<void> {
  const subject = subjectOf(name, scenario, servers);
  const settings = { ...subject.settings, isHeld: false };
  const result = requireGood(
    await load.verify({ kind: "verify", ...subject, settings, streams: strictStreams }),
    scenario,
    name,
  );
  if (name === "rightseat" && result.actions < leastActions * result.complete) {
    throw new BadStreams(`${scenario.name}: Rightseat's streams lack the buttons of "explain".`);
  }
}

function requireGood<Result extends LoadResult>(
  result: Result,
  scenario: Scenario,
  name: ServerName,
): Result {
  if (result.failed === 0 && result.complete > 0) return result;
  const failures = Object.entries(result.failures).map(
    ([problem, count]) => `${count} x ${problem}`,
  );
  throw new BadStreams(
    `${scenario.name}, ${name}: ${result.complete} streams are good, ${result.failed} bad: ${failures.join("; ")}`,
  );
}

function subjectOf(name: ServerName, { body, settings }: Scenario, servers: BenchServers): Subject {
  const { url, pid } = servers[name];
  return {
    url,
    pid,
    upstreamUrl: servers.upstream.url,
    upstreamPid: servers.upstream.pid,
    body,
    settings,
  };
}

/** Which comes first changes from round to round, so that a machine that slows down harms both alike. */
function inTurn(round: number): readonly ServerName[] {
  return round % 2 === 0 ? ["rightseat", "reference"] : ["reference", "rightseat"];
}

function both<Result>({
  reference,
  rightseat,
}: Partial<Record<ServerName, Result>>): Record<ServerName, Result> {
  if (reference === undefined || rightseat === undefined)
    throw new Error("A round lacks a server.");
  return { reference, rightseat };
}

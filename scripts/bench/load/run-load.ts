import { setTimeout as sleep } from "node:timers/promises";
import { createTarget } from "./create-target.ts";
import type { LoadResult, RunCommand, RunResult, Subject, VerifyCommand } from "./messages.ts";
import { readCpuSeconds } from "./process-counters.ts";
import { StreamClient } from "./stream-client.ts";
import { Tally } from "./tally.ts";

/** No stream of the bench lasts longer, in microseconds. */
const mostDuration = 20e6;
/** A server that refuses connections is not asked more often than this, in milliseconds. */
const retryPause = 5;
const strictConnections = 10;

/** Runs streams on all connections for a time, and measures during the last part of it. */
export async function runLoad(command: RunCommand): Promise<RunResult> {
  const tally = new Tally();
  const load = startLoad(command, tally, { ...command, isStrict: false });
  await sleep(command.warmUp * 1_000);
  tally.isMeasuring = true;
  const before = takeSnapshot(command, tally);
  await sleep(command.measure * 1_000);
  const after = takeSnapshot(command, tally);
  tally.isMeasuring = false;
  await load.finish();
  const seconds = after.seconds - before.seconds;
  // Streams that the window cuts count in part; for long streams whole ones would be too coarse.
  const streams = (after.chunks - before.chunks) / command.settings.chunks;
  const server = subtract(after.server, before.server);
  const upstream = subtract(after.upstream, before.upstream);
  return {
    ...summarize(tally),
    streamsPerSecond: streams / seconds,
    cpuPerStream: server === undefined ? undefined : (server * 1e6) / streams,
    utilisation: {
      server: divide(server, seconds),
      generator: (after.own - before.own) / seconds,
      upstream: divide(upstream, seconds),
    },
    firstChunk: tally.firstChunk.quantiles(),
    latency: tally.latency.quantiles(),
  };
}

/** Runs a number of streams and parses every event of them. */
export async function verify(command: VerifyCommand): Promise<LoadResult> {
  const tally = new Tally();
  const connections = Math.min(strictConnections, command.streams);
  const load = startLoad(command, tally, {
    connections,
    stagger: 0,
    isStrict: true,
    most: command.streams,
  });
  await load.over;
  await load.finish();
  return summarize(tally);
}

export function summarize({ complete, failed, failures, actions }: Tally): LoadResult {
  return { complete, failed, failures: Object.fromEntries(failures), actions };
}

interface LoadShape {
  connections: number;
  /** Seconds over which the connections start. */
  stagger: number;
  isStrict: boolean;
  /** How many streams to run; without end where absent. */
  most?: number;
}

interface Load {
  /** Resolves when no stream runs any more. */
  over: Promise<void>;
  /** Begins no further stream, waits for those that run, and closes the connections. */
  finish(): Promise<void>;
}

function startLoad(
  subject: Subject,
  tally: Tally,
  { connections, stagger, isStrict, most }: LoadShape,
): Load {
  let left = most ?? Number.POSITIVE_INFINITY;
  let running = connections;
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const next = (client: StreamClient): void => {
    if (left > 0) {
      left--;
      client.start();
    } else if (--running === 0) resolve();
  };
  const onEnd = (client: StreamClient, isBroken: boolean): void => {
    if (isBroken) setTimeout(next, retryPause, client);
    else next(client);
  };
  const target = createTarget(subject, isStrict);
  const clients = Array.from(
    { length: connections },
    () => new StreamClient(target, tally, { onEnd }),
  );
  clients.forEach((client, index) =>
    setTimeout(next, (stagger * 1_000 * index) / connections, client),
  );
  const watch = setInterval(
    () => clients.forEach((client) => client.failIfSlow(mostDuration)),
    1_000,
  );
  return {
    over,
    async finish() {
      left = 0;
      await over;
      clearInterval(watch);
      for (const client of clients) client.close();
    },
  };
}

function takeSnapshot({ pid, upstreamPid }: Subject, { chunks }: Tally) {
  const { user, system } = process.cpuUsage();
  return {
    seconds: performance.now() / 1e3,
    chunks,
    own: (user + system) / 1e6,
    server: readCpuSeconds(pid),
    upstream: readCpuSeconds(upstreamPid),
  };
}

function subtract(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}

function divide(value: number | undefined, by: number): number | undefined {
  return value === undefined ? undefined : value / by;
}

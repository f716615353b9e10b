// The load generator, a process of its own so that nothing else costs time in it.
import { setTimeout as sleep } from "node:timers/promises";
import { type BodyName, createBody } from "../bodies.ts";
import { answerParent } from "../child.ts";
import type { AnswerSettings } from "../fake-answer.ts";
import { median } from "../figures.ts";
import { readCpuSeconds, readResidentBytes } from "./process-counters.ts";
import { type Load, StreamClient, type Tally, fail } from "./stream-client.ts";

export interface Command {
  /**
   * `run`: streams follow each other on all connections. `hold`: streams are opened and held, until memory has
   * been read.
   */
  kind: "run" | "hold";
  url: string;
  pid: number;
  upstream: { url: string; pid: number };
  body: BodyName;
  settings: AnswerSettings;
  /** How many connections, each with one stream at a time. */
  streams: number;
  /** Of `run`: seconds over which the connections start, before the measuring begins, and of it. */
  times: { stagger: number; warmUp: number; measure: number };
}

/** Figures are NaN where there is none, or the system does not tell; on the way to the bench they become null. */
export interface LoadResult extends Pick<Tally, "complete" | "failed" | "failures"> {
  streamsPerSecond?: number;
  /** Microseconds. */
  cpuPerStream?: number | null;
  /** Shares of one core, 0 to 1. */
  utilisation?: { server: number | null; generator: number; upstream: number | null };
  /** Microseconds. */
  latency?: number | null;
  bytesPerStream?: number | null;
}

/** No stream of the bench lasts longer, in microseconds. */
const mostDuration = 20e6;
/** A server that refuses connections is not asked more often than this, in milliseconds. */
const retryPause = 5;
/** Held streams that are opened every 10 ms; all are open before a silent model counts as hung (30 s by default). */
const opened = 25;
/** A server's memory settles for this long, in milliseconds. */
const settling = 2_000;
const longestWait = 20_000;

answerParent(async (command: Command): Promise<LoadResult> => {
  const { upstream, settings, kind } = command;
  await fetch(`${upstream.url}/settings`, { method: "POST", body: JSON.stringify(settings) });
  const { complete, failed, failures, ...rest } = await { run, hold }[kind](command);
  return { complete, failed, failures, ...rest };
});

/** Runs streams on all connections for a time, and measures during the last part of it. */
async function run(command: Command): Promise<LoadResult> {
  const { streams: connections, times, pid, upstream, settings } = command;
  const load = createLoad(command);
  const { tally } = load;
  let isOver = false;
  let running = connections;
  const over = Promise.withResolvers<void>();
  const next = (client: StreamClient): void => {
    if (!isOver) client.start();
    else if (--running === 0) over.resolve();
  };
  const onEnd = (client: StreamClient, isBroken: boolean): void => {
    if (isBroken) setTimeout(next, retryPause, client);
    else next(client);
  };
  const clients = Array.from({ length: connections }, () => new StreamClient(load, { onEnd }));
  for (const [nth, client] of clients.entries())
    setTimeout(next, (times.stagger * 1_000 * nth) / connections, client);
  const watch = setInterval(() => {
    for (const client of clients) client.failIfSlow(mostDuration);
  }, 1_000);
  const snap = () => {
    const { user, system } = process.cpuUsage();
    return {
      seconds: performance.now() / 1e3,
      chunks: tally.chunks,
      generator: (user + system) / 1e6,
      server: readCpuSeconds(pid),
      upstream: readCpuSeconds(upstream.pid),
    };
  };
  await sleep(times.warmUp * 1_000);
  const latencies: number[] = [];
  tally.latencies = latencies;
  const before = snap();
  await sleep(times.measure * 1_000);
  const after = snap();
  tally.latencies = undefined;
  isOver = true;
  await over.promise;
  clearInterval(watch);
  for (const client of clients) client.close();
  const spent = (name: keyof typeof before): number => after[name] - before[name];
  // Streams that the window cuts count in part; for long streams whole ones would be too coarse.
  const streams = spent("chunks") / settings.chunks;
  const share = (name: "server" | "generator" | "upstream"): number =>
    spent(name) / spent("seconds");
  return {
    ...tally,
    streamsPerSecond: streams / spent("seconds"),
    cpuPerStream: (spent("server") * 1e6) / streams,
    utilisation: {
      server: share("server"),
      generator: share("generator"),
      upstream: share("upstream"),
    },
    latency: median(latencies),
  };
}

/** Opens many streams, reads how much memory they take, and lets them end. */
async function hold(command: Command): Promise<LoadResult> {
  const { streams, pid, upstream } = command;
  const load = createLoad(command);
  let open = 0;
  let ended = 0;
  const events = { onFirstChunk: () => void open++, onEnd: () => void ended++ };
  const before = readResidentBytes(pid);
  const clients = Array.from({ length: streams }, () => new StreamClient(load, events));
  for (let from = 0; from < streams; from += opened) {
    for (const client of clients.slice(from, from + opened)) client.start();
    await sleep(10);
  }
  await waitUntil(() => open + ended >= streams);
  await sleep(settling);
  const after = readResidentBytes(pid);
  if (ended > 0) fail(load.tally, "a held stream ended before its time");
  await fetch(`${upstream.url}/release`, { method: "POST" });
  await waitUntil(() => ended >= streams);
  for (const client of clients) client.close();
  return { ...load.tally, bytesPerStream: (after - before) / streams };
}

function createLoad({ url, body, settings }: Pick<Command, "url" | "body" | "settings">): Load {
  const { hostname, port, host } = new URL(url);
  const bytes = Buffer.from(createBody(body));
  const head = [
    "POST / HTTP/1.1",
    `Host: ${host}`,
    "Content-Type: application/json",
    "Accept: text/event-stream",
    `Content-Length: ${bytes.length}`,
    "Connection: keep-alive",
    "\r\n",
  ].join("\r\n");
  const request = Buffer.concat([Buffer.from(head), bytes]);
  const tally = { complete: 0, failed: 0, chunks: 0, failures: {}, latencies: undefined };
  return { host: hostname, port: Number(port), request, chunks: settings.chunks, tally };
}

/** Returns when the condition holds, or when it has not for too long; the streams' own checks tell which. */
async function waitUntil(isMet: () => boolean): Promise<void> {
  const deadline = performance.now() + longestWait;
  while (!isMet() && performance.now() < deadline) await sleep(50);
}

import { setTimeout as sleep } from "node:timers/promises";
import { createTarget } from "./create-target.ts";
import type { HoldCommand, HoldResult } from "./messages.ts";
import { readResidentBytes } from "./process-counters.ts";
import { summarize } from "./run-load.ts";
import { StreamClient } from "./stream-client.ts";
import { Tally } from "./tally.ts";

/** Opened in each step of 10 ms; all are open before a silent model counts as hung (30 s by default). */
const step = 25;
const stepPause = 10;
/** A server's memory settles for this long, in milliseconds. */
const settling = 2_000;
const longestWait = 20_000;

/** Opens many streams, reads how much memory they take, and lets them end. */
export async function holdStreams(command: HoldCommand): Promise<HoldResult> {
  const tally = new Tally();
  const target = createTarget(command, false);
  let open = 0;
  let ended = 0;
  const events = { onFirstChunk: () => void open++, onEnd: () => void ended++ };
  const before = readResidentBytes(command.pid);
  const started = performance.now();
  const clients: StreamClient[] = [];
  while (clients.length < command.streams) {
    for (let count = 0; count < step && clients.length < command.streams; count++) {
      const client = new StreamClient(target, tally, events);
      clients.push(client);
      client.start();
    }
    await sleep(stepPause);
  }
  await waitUntil(() => open + ended >= command.streams);
  const seconds = (performance.now() - started) / 1e3;
  await sleep(settling);
  const after = readResidentBytes(command.pid);
  if (ended > 0) tally.fail("a held stream ended before its time");
  await fetch(`${command.upstreamUrl}/release`, { method: "POST" });
  await waitUntil(() => ended >= command.streams);
  for (const client of clients) client.close();
  return {
    ...summarize(tally),
    bytesPerStream:
      before === undefined || after === undefined ? undefined : (after - before) / command.streams,
    bytesBefore: before,
    seconds,
  };
}

/** Returns when the condition holds, or when it has not for too long; the streams' own checks tell which. */
async function waitUntil(isMet: () => boolean): Promise<void> {
  const deadline = performance.now() + longestWait;
  while (!isMet() && performance.now() < deadline) await sleep(50);
}

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  BodyTooLarge,
  type FrameSink,
  createWebExchange,
  readStream,
} from "../../../src/base/wire/exchange.ts";

const kilobyte = 1_024;
/** What the sink holds before it asks to wait. */
const full = new Uint8Array(64 * kilobyte);

function openSink(signal?: AbortSignal): {
  sink: FrameSink;
  reader: ReadableStreamDefaultReader<Uint8Array>;
  closes: () => number;
} {
  const exchange = createWebExchange(
    new Request("http://localhost/", signal === undefined ? {} : { signal }),
  );
  let count = 0;
  exchange.onClose(() => {
    count += 1;
  });
  const { sink, response } = exchange.open({});
  const body = response.body ?? new ReadableStream<Uint8Array>();
  return { sink, reader: body.getReader(), closes: () => count };
}

/** Tells whether a promise is settled once everything else that was ready has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const watch = async (): Promise<void> => {
    await promise;
    settled = true;
  };
  void watch();
  await setImmediate();
  return settled;
}

test("a body of exactly the limit is read whole, and one byte more is refused", async () => {
  const text = "中文\r\n".repeat(100);
  const size = new TextEncoder().encode(text).byteLength;
  const post = (): Request => new Request("http://localhost/", { method: "POST", body: text });
  const body = await createWebExchange(post()).readBody(size);
  expect(new TextDecoder().decode(body)).toBe(text);
  await expect(createWebExchange(post()).readBody(size - 1)).rejects.toThrow(BodyTooLarge);
});

test("a request without a body reads as no bytes", async () => {
  const body = await createWebExchange(new Request("http://localhost/")).readBody(0);
  expect(body.byteLength).toBe(0);
});

test("a stream is not read on once it has passed the limit, and is cancelled", async () => {
  let pulls = 0;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(kilobyte));
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  await expect(readStream(stream, 3 * kilobyte)).rejects.toThrow(BodyTooLarge);
  expect(pulls).toBe(4);
  expect(isCancelled).toBe(true);
});

test("write says no when the buffer is full, and drained waits for a pull", async () => {
  const { sink, reader } = openSink();
  expect(sink.write(full.subarray(1))).toBe(true);
  expect(await isSettled(sink.drained())).toBe(true);
  expect(sink.write(full.subarray(0, 1))).toBe(false);
  const drained = sink.drained();
  expect(await isSettled(drained)).toBe(false);
  await reader.read();
  expect(await isSettled(drained)).toBe(true);
  expect(sink.write("more")).toBe(true);
});

test("drained resolves and onClose is told when the client cancels", async () => {
  const { sink, reader, closes } = openSink();
  expect(sink.write(full)).toBe(false);
  const drained = sink.drained();
  expect(closes()).toBe(0);
  await reader.cancel();
  expect(await isSettled(drained)).toBe(true);
  expect(await isSettled(sink.drained())).toBe(true);
  expect(closes()).toBe(1);
});

test("writing and ending after a cancel is harmless, and never waits", async () => {
  const { sink, reader } = openSink();
  await reader.cancel();
  expect(sink.write(full)).toBe(true);
  expect(sink.write("x")).toBe(true);
  sink.end("last");
  sink.end();
});

test("onClose of a client that has left already is told at once", () => {
  const { closes } = openSink(AbortSignal.abort());
  expect(closes()).toBe(1);
});

test("an abort wakes everybody who waits for the client", async () => {
  const controller = new AbortController();
  const { sink } = openSink(controller.signal);
  sink.write(full);
  const waiting = Promise.all([sink.drained(), sink.drained()]);
  expect(await isSettled(waiting)).toBe(false);
  controller.abort();
  expect(await isSettled(waiting)).toBe(true);
});

test("an abort after the end is not told as left", async () => {
  const controller = new AbortController();
  const { sink, reader, closes } = openSink(controller.signal);
  sink.end("all");
  await reader.read();
  controller.abort();
  expect(closes()).toBe(0);
});

import { expect, test } from "vitest";
import {
  BodyTooLarge,
  type FrameSink,
  createWebExchange,
  readStream,
} from "../../../src/base/wire/exchange.ts";

const kilobyte = 1_024;
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

test("a body of exactly the limit is read whole, and one byte more is refused", async () => {
  const text = "中文\r\n".repeat(100);
  const size = new TextEncoder().encode(text).byteLength;
  const post = (): Request => new Request("http://localhost/", { method: "POST", body: text });
  const body = await createWebExchange(post()).readBody(size);
  expect(new TextDecoder().decode(body)).toBe(text);
  await expect(createWebExchange(post()).readBody(size - 1)).rejects.toThrow(BodyTooLarge);
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

test("onClose of a client that has left already is told at once", () => {
  const { closes } = openSink(AbortSignal.abort());
  expect(closes()).toBe(1);
});

test("an abort after the end is not told as left", async () => {
  const controller = new AbortController();
  const { sink, reader, closes } = openSink(controller.signal);
  sink.end("all");
  await reader.read();
  controller.abort();
  expect(closes()).toBe(0);
});

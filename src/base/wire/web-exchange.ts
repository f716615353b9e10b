import { AppError } from "../errors/app-error.ts";
import { BodyTooLarge, type Exchange, type FrameSink } from "./exchange.ts";
import { BytePieces } from "./byte-pieces.ts";
import { encodeText } from "./encode-text.ts";

/** The exchange of every runtime that speaks fetch: Request in, a Response with a stream out. */
export function createWebExchange(request: Request): Exchange {
  const listeners: (() => void)[] = [];
  let left = false;
  let hasEnded = false;
  const leave = (): void => {
    if (left || hasEnded) return;
    left = true;
    for (const listener of listeners) listener();
  };
  request.signal.addEventListener("abort", leave, { once: true });
  return {
    header: (name) => request.headers.get(name) ?? undefined,
    headerNames: () => [...request.headers.keys()],
    async readBody(limit) {
      try {
        return await readStream(request.body, limit);
      } catch (cause) {
        if (cause instanceof BodyTooLarge) throw cause;
        throw new AppError(
          "aborted",
          {
            en: "The client left before its request was complete.",
            zh: "客户端在请求完成之前断开。",
          },
          {
            cause,
          },
        );
      }
    },
    onClose(listener) {
      if (left || request.signal.aborted) listener();
      else listeners.push(listener);
    },
    open(headers) {
      const { sink, stream } = createStreamSink(leave, () => {
        hasEnded = true;
      });
      listeners.push(() => sink.leave());
      return { sink, response: new Response(stream, { status: 200, headers }) };
    },
  };
}

/** Reads a stream to its end, or rejects with BodyTooLarge as soon as it has passed `limit` bytes. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array> {
  const body = new BytePieces();
  if (stream === null) return body.take();
  for await (const chunk of stream) {
    body.add(chunk);
    if (body.byteLength > limit) throw new BodyTooLarge(`The body is larger than ${limit} bytes.`);
  }
  return body.take();
}

function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === "string" ? encodeText(piece) : piece;
}

const highWaterMark = 64 * 1024;

function createStreamSink(
  onCancel: () => void,
  onEnd: () => void,
): {
  sink: FrameSink & { leave(): void };
  stream: ReadableStream<Uint8Array>;
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let waiting: (() => void)[] = [];
  let closed = false;
  const release = (): void => {
    for (const wake of waiting) wake();
    waiting = [];
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own;
      },
      pull: release,
      cancel() {
        closed = true;
        release();
        onCancel();
      },
    },
    { highWaterMark, size: (chunk) => chunk.byteLength },
  );
  const sink: FrameSink & { leave(): void } = {
    leave() {
      closed = true;
      release();
      // Who still reads after an abort would wait forever. After a cancel it has no effect.
      controller?.error(new AppError("aborted", { en: "The client left.", zh: "客户端已断开。" }));
    },
    write(piece) {
      if (closed) return true;
      controller?.enqueue(toBytes(piece));
      return (controller?.desiredSize ?? 0) > 0;
    },
    drained() {
      if (closed || (controller?.desiredSize ?? 0) > 0) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    end(piece) {
      if (closed) return;
      if (piece !== undefined) controller?.enqueue(toBytes(piece));
      closed = true;
      onEnd();
      controller?.close();
    },
  };
  return { sink, stream };
}

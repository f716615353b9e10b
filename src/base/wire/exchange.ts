import type { TakeChannel } from "./channel.ts";
import { AppError } from "../errors/app-error.ts";
import { BytePieces, encodeText } from "./bytes.ts";

/** Thrown by `readBody` when the body is larger than allowed. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";

  /** @param limit in bytes */
  constructor(limit: number) {
    super(`The body is larger than ${limit} bytes.`);
  }
}

/**
 * Where a door's frames go, as bytes or as text to be sent in UTF-8. Writes never block: `write` answers false when the client is slower
 * than we are, and `drained` then tells when to go on (also when the client left).
 */
export interface FrameSink {
  write(piece: string | Uint8Array): boolean;
  drained(): Promise<void>;
  /** Ends the response, with a last piece if one is given. Nothing may be written afterwards. */
  end(piece?: string | Uint8Array): void;
}

/**
 * One request and its response, as bytes. The web implementation uses streams, the Node one
 * on node's own objects, because there streams cost more than all our work may.
 */
export interface Exchange {
  /** A request header by its lower-case name; several of one name are joined by commas. */
  header(name: string): string | undefined;
  /** The names of all request headers, in lower case, each once. */
  headerNames(): readonly string[];
  /**
   * Reads the whole body.
   *
   * @param limit in bytes; a larger body rejects with BodyTooLarge and is not buffered further
   */
  readBody(limit: number): Promise<Uint8Array>;
  /** Calls back once when the client leaves before the response has ended; at once if it has. */
  onClose(listener: () => void): void;
  /** Sends a 200 head; call it at most once. The response is what the fetch handler must return. */
  open(headers: Record<string, string>): { sink: FrameSink; response: Response };
  /**
   * Opens the WebSocket that the client wants; present where it wants one and the runtime can. The response is
   * what the fetch handler must return.
   *
   * @param owner whose connection it is, where that is known: some runtimes keep those of one owner in one place
   */
  upgrade?(take: TakeChannel, owner?: string): Response | Promise<Response>;
  /** `upgrade` only asks another place, which counts the connection. */
  isPassedOn?: boolean;
  /** The runtime may notice only when something is written that the client has left. */
  noticesByWriting?: boolean;
}

export type CreateExchange = (request: Request, env: unknown) => Exchange;

/** Whether a header can carry a text; what is in a query may be anything. */
export function fitsHeader(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

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
        throw cause instanceof BodyTooLarge ? cause : clientLeft(cause);
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

/** @param cause what the body of a request broke with */
export function clientLeft(cause: unknown): AppError {
  const message = {
    en: "The client left before its request was complete.",
    zh: "客户端在请求完成之前断开。",
  };
  return new AppError("aborted", message, { cause });
}

/** Reads a stream to its end, or rejects with BodyTooLarge as soon as it has passed `limit` bytes. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array> {
  const body = new BytePieces();
  for await (const chunk of stream ?? []) {
    body.add(chunk);
    if (body.byteLength > limit) throw new BodyTooLarge(limit);
  }
  return body.take();
}

function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === "string" ? encodeText(piece) : piece;
}

const highWaterMark = 64 * 1024;

function createStreamSink(onCancel: () => void, onEnd: () => void) {
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

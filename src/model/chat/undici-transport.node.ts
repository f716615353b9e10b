import type { Dispatcher } from "undici";
import { BytePieces } from "../../base/wire/bytes.ts";
import { type Proxies, createProxyAgent } from "../../base/wire/proxies.node.ts";
import { encodeForSocket } from "../../base/wire/node-exchange.node.ts";
import {
  type BodyReader,
  type PushedBody,
  type UpstreamResponse,
  type UpstreamTransport,
  createFetchTransport,
  unreachable,
} from "./chat-api.ts";

/** How much may wait in memory before the socket is told to pause. */
const maxQueued = 64 * 1024;
/** What may still come of an answer that is read no further, in bytes and milliseconds. */
const maxTrailerBytes = 4 * 1024;
const maxTrailerTime = 500;

/**
 * The transport of Node: undici's dispatch without fetch and web streams, which would cost more
 * than all our own work may. One pooled connection carries one answer at a time. Where a runtime has an undici
 * of its own without dispatch, as Bun has, it is fetch after all, whose time to connect is the runtime's.
 *
 * @param connectTimeout in milliseconds
 * @param proxies absent: every address is reached directly
 */
export function createUndiciTransport(connectTimeout: number, proxies?: Proxies): LoadedTransport {
  let loading: Promise<LoadedTransport> | undefined;
  let loaded: LoadedTransport | undefined;
  return {
    close: async () => (await loading)?.close(),
    // With the first request: undici is the largest of all that a server loads.
    send(request) {
      if (loaded !== undefined) return loaded.send(request);
      loading ??= loadTransport(connectTimeout, proxies);
      return loading.then((found) => (loaded = found).send(request));
    },
  };
}

type LoadedTransport = UpstreamTransport & { close(): Promise<void> };

async function loadTransport(
  connectTimeout: number,
  proxies: Proxies | undefined,
): Promise<LoadedTransport> {
  const options = { keepAliveTimeout: 4_000, maxHeaderSize: 16 * 1024 };
  const { Agent } = await import("undici");
  const agent =
    proxies === undefined
      ? new Agent({ ...options, connect: { timeout: connectTimeout } })
      : await createProxyAgent(proxies, connectTimeout, options);
  if (!("dispatch" in agent)) {
    const transport = createFetchTransport((...request) => fetch(...request));
    return { ...transport, close: () => Promise.resolve() };
  }
  const addresses = new Map<string, URL>();
  return {
    close: () => agent.destroy(),
    send({ url, headers, body, signal }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        // The same few addresses again and again: parsing one costs as much as a short answer's frames.
        let address = addresses.get(url);
        if (address === undefined) addresses.set(url, (address = new URL(url)));
        const { origin, pathname, search } = address;
        const answer = new Answer(signal, resolve, reject);
        const path = `${pathname}${search}`;
        // Time-outs of the answer are the reader's; here they would count paused time too.
        const times = { headersTimeout: 0, bodyTimeout: 0 };
        agent.dispatch(
          { origin, path, method: "POST", headers, body: encodeForSocket(body), ...times },
          answer,
        );
      });
    },
  };
}

/** One answer: undici pushes chunks in; what one read of the socket brought goes on as one piece. */
class Answer implements Dispatcher.DispatchHandler, UpstreamResponse, PushedBody {
  status = 0;
  readonly body: PushedBody = this;
  #headers: Record<string, string | string[] | undefined> = {};
  #controller: Dispatcher.DispatchController | undefined;
  readonly #queue = new BytePieces();
  #reader: BodyReader | undefined;
  /** The reader waits for its own sink. */
  #isHeld = false;
  #isFlushing = false;
  /** Bytes that came after the reader had left. */
  #trailing = 0;
  #ended = false;
  #error: Error | undefined;
  #isLeaving = false;
  #trailer: NodeJS.Timeout | undefined;
  readonly #signal: AbortSignal;
  readonly #started: (response: UpstreamResponse) => void;
  readonly #failed: (error: unknown) => void;
  readonly #abort = (): void => {
    this.discard();
    this.#reader?.end(this.#signal.reason);
  };

  constructor(
    signal: AbortSignal,
    started: (response: UpstreamResponse) => void,
    failed: (error: unknown) => void,
  ) {
    this.#signal = signal;
    this.#started = started;
    this.#failed = failed;
    signal.addEventListener("abort", this.#abort, { once: true });
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  discard(): void {
    this.#settle();
    if (this.#controller === undefined) this.#failed(this.#signal.reason);
    else if (!this.#controller.aborted)
      this.#controller.abort(new Error("The answer is not wanted any more."));
  }

  pipe(reader: BodyReader): void {
    this.#reader = reader;
    this.#flush();
  }

  /** The end of the message is mostly on its way; the connection is kept if it comes soon. */
  leave(): void {
    this.#reader = undefined;
    if (this.#ended || this.#isLeaving) return;
    this.#isLeaving = true;
    if (this.#queue.take().byteLength > maxTrailerBytes) this.discard();
    else this.#trailer = setTimeout(() => this.discard(), maxTrailerTime);
    if (this.#controller?.paused) this.#controller.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.discard();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.#headers = headers;
    this.#started(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isLeaving) {
      this.#trailing += chunk.byteLength;
      if (this.#trailing > maxTrailerBytes) this.discard();
      return;
    }
    this.#queue.add(chunk);
    if (this.#queue.byteLength > maxQueued) controller.pause();
    if (this.#reader !== undefined) this.#flushSoon();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#settle();
    this.#flushSoon();
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.#ended = true;
    this.#settle();
    if (this.status === 0)
      this.#failed(this.#signal.aborted ? this.#signal.reason : unreachable(cause));
    this.#error = cause;
    this.#flushSoon();
  }

  #settle(): void {
    clearTimeout(this.#trailer);
    this.#signal.removeEventListener("abort", this.#abort);
  }

  /** Goes on when all that the socket brought has been queued, not at the first piece of it. */
  #flushSoon(): void {
    if (this.#isFlushing || this.#isHeld || this.#reader === undefined) return;
    this.#isFlushing = true;
    queueMicrotask(this.#flush);
  }

  readonly #flush = (): void => {
    this.#isFlushing = false;
    const reader = this.#reader;
    if (reader === undefined || this.#isHeld) return;
    let drained: Promise<void> | undefined;
    if (this.#queue.byteLength > 0) {
      const bytes = this.#queue.take();
      if (this.#controller?.paused) this.#controller.resume();
      drained = reader.push(bytes);
    }
    if (drained !== undefined) {
      this.#isHeld = true;
      void drained.then(this.#release);
    } else if (this.#ended) {
      this.#reader = undefined;
      reader.end(this.#error);
    }
  };

  readonly #release = (): void => {
    this.#isHeld = false;
    this.#flush();
  };
}

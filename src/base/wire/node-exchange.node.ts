import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { AppError } from "../errors/app-error.ts";
import type { TakeChannel } from "./channel.ts";
import {
  BodyTooLarge,
  type CreateExchange,
  type Exchange,
  type FrameSink,
  clientLeft,
  createWebExchange,
} from "./exchange.ts";
import { BytePieces, encodeText, joinBytes } from "./bytes.ts";
import { createPatientTimer, createTimers } from "./patient-timer.ts";
import type { Socket } from "node:net";

/** Opens WebSockets; its types reach no package, since those who use ours may lack that one's types. */
export interface SocketOpener {
  upgrade(incoming: IncomingMessage, take: TakeChannel): Response;
}

/** What @hono/node-server hands to every handler. */
interface NodeEnv {
  incoming: IncomingMessage;
  /** Absent for upgrade requests. */
  outgoing: ServerResponse;
}

/**
 * Exchanges over node's own request and response: no web streams between the socket and the door. A request
 * that comes without them, in-process say, has an exchange over itself.
 *
 * @param sockets opens WebSockets; without it there are none
 */
export function nodeExchanges(sockets?: SocketOpener): CreateExchange {
  // Tells @hono/node-server that the response went out by another way; one serves all requests.
  const alreadySent = new Response(null, { headers: { "x-hono-already-sent": "true" } });
  return (request, env) => {
    const { incoming, outgoing } = (env ?? {}) as Partial<NodeEnv>;
    if (incoming === undefined) return createWebExchange(request);
    if (outgoing === undefined) return createUpgradeExchange(incoming, sockets);
    return createNodeExchange(incoming, outgoing, alreadySent);
  };
}

function createNodeExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  alreadySent: Response,
): Exchange {
  checkHead(incoming);
  return {
    ...headOf(incoming),
    readBody: (limit) => readIncoming(incoming, limit),
    onClose(listener) {
      if (outgoing.destroyed) listener();
      else outgoing.once("close", () => outgoing.writableFinished || listener());
    },
    open: (headers) => ({ response: alreadySent, sink: createNodeSink(outgoing, headers) }),
  };
}

/** Of a request that wants a WebSocket: no body, and no response but the one that opens or refuses it. */
function createUpgradeExchange(
  incoming: IncomingMessage,
  sockets: SocketOpener | undefined,
): Exchange {
  checkHead(incoming);
  const { socket } = incoming;
  return {
    ...headOf(incoming),
    readBody: () => Promise.resolve(new Uint8Array()),
    onClose(listener) {
      if (socket.destroyed) listener();
      else socket.once("close", listener);
    },
    open() {
      throw new AppError("invalid_request", {
        en: "A WebSocket has no response to stream.",
        zh: "WebSocket 没有可以流式发送的响应。",
      });
    },
    ...(sockets === undefined || !canUpgrade(incoming)
      ? {}
      : { upgrade: (take) => sockets.upgrade(incoming, take) }),
  };
}

/** WebSockets are opened by GET and HTTP/1.1 (RFC 6455, section 4.1); Upgrade in HTTP/1.0 says nothing (RFC 9110, section 7.8). */
function canUpgrade({ method, httpVersion }: IncomingMessage): boolean {
  return method === "GET" && httpVersion !== "1.0";
}

function headOf(incoming: IncomingMessage): Pick<Exchange, "header" | "headerNames"> {
  return {
    header(name) {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    headerNames: () => Object.keys(incoming.headers),
  };
}

/** Of these a second one would be another answer to the same question; node takes one of them, or joins them. */
const singleHeaders = new Set([
  "host",
  "origin",
  "content-type",
  "content-encoding",
  "content-length",
  "authorization",
  "x-api-key",
  "x-request-id",
  "traceparent",
]);

/**
 * Refuses heads that servers understand in several ways (RFC 9112, sections 3.2 and 3.2.2).
 *
 * @throws AppError `invalid_request`
 */
function checkHead({ rawHeaders, headers, url = "" }: IncomingMessage): void {
  // Counting costs little, and most requests have no header twice.
  if (rawHeaders.length / 2 !== Object.keys(headers).length) {
    const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    const twice = names.find((name, at) => singleHeaders.has(name) && names.indexOf(name) !== at);
    if (twice !== undefined) {
      throw new AppError("invalid_request", {
        en: `Header ${twice} came more than once, and only one can count. Send it once.`,
        zh: `请求头 ${twice} 出现了多次，只能有一个，请只发送一次。`,
      });
    }
  }
  if (url.startsWith("/") || headers.host === undefined) return;
  const target = URL.canParse(url) ? new URL(url) : undefined;
  const host = `http://${headers.host}`;
  const isSame =
    target !== undefined &&
    URL.canParse(host) &&
    target.host === new URL(host).host &&
    target.username === "" &&
    target.password === "";
  // `OPTIONS *` names no address.
  if (!isSame && url !== "*") {
    throw new AppError("invalid_request", {
      en: "The request's target names another host than its Host header. Send the path alone.",
      zh: "请求目标与 Host 请求头中的主机不同，请只发送路径。",
    });
  }
}

/**
 * Gathers what is written in the first turn of the event loop, so that a short answer is one piece
 * with its head and needs no chunked encoding. Later on node itself corks the socket for a turn.
 */
function createNodeSink(outgoing: ServerResponse, headers: Record<string, string>): FrameSink {
  let pending: Piece[] = [];
  const flush = (): void => {
    if (pending.length === 0 || outgoing.writableEnded) return;
    outgoing.writeHead(200, headers);
    outgoing.write(join(pending));
    pending = [];
  };
  return {
    write(piece) {
      if (outgoing.headersSent) return outgoing.write(piece);
      if (pending.length === 0) process.nextTick(flush);
      pending.push(piece);
      return true;
    },
    drained: () => drained(outgoing),
    end(piece = "") {
      if (outgoing.headersSent) {
        outgoing.end(piece);
        return;
      }
      const whole = join([...pending, piece]);
      pending = [];
      outgoing.writeHead(200, { ...headers, "content-length": whole.byteLength });
      outgoing.end(whole);
    },
  };
}

type Piece = string | Uint8Array;

/** Encodes neighbouring texts together: one call of the encoder costs more than their length. */
function join(pieces: readonly Piece[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    if (text !== "") parts.push(encodeForSocket(text));
    text = "";
    parts.push(piece);
  }
  if (text !== "") parts.push(encodeForSocket(text));
  return joinBytes(parts);
}

function readIncoming(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces = new BytePieces();
    // The listeners outlive the reading by a whole answer, and must not keep the body.
    const finish = (): Uint8Array => {
      incoming.removeListener("data", onData);
      incoming.removeListener("end", onEnd);
      incoming.removeListener("error", onBreak);
      incoming.removeListener("close", onBreak);
      return pieces.take();
    };
    const tooLarge = (): void => {
      finish();
      skipRest(incoming, limit, () => reject(new BodyTooLarge(limit)));
    };
    const onData = (chunk: Buffer): void => {
      pieces.add(chunk);
      if (pieces.byteLength > limit) tooLarge();
    };
    const onEnd = (): void => resolve(finish());
    const onBreak = (cause?: Error): void => reject(clientLeft(cause));
    if (Number(incoming.headers["content-length"] ?? 0) > limit) {
      tooLarge();
      return;
    }
    incoming.on("data", onData);
    incoming.once("end", onEnd);
    incoming.once("error", onBreak);
    incoming.once("close", onBreak);
  });
}

/** In bytes: of a body that is refused, what is read and dropped. In milliseconds: how long its client may send nothing. */
const [maxRest, maxPause] = [64 * 1_024 * 1_024, 500];

/**
 * Drops the rest of a body, since many clients look for an answer only when all of it is sent, and lose the answer with
 * the connection. How long that may take in all is the server's `requestTimeout`.
 */
function skipRest(incoming: IncomingMessage, limit: number, done: () => void): void {
  let left = maxRest;
  const stop = (): void => {
    pause.stop();
    incoming.removeListener("data", skip);
    incoming.removeListener("end", stop);
    incoming.removeListener("close", stop);
    done();
  };
  const skip = (chunk: Buffer): void => {
    left -= chunk.byteLength;
    if (left < 0) stop();
    else pause.set(maxPause);
  };
  const pause = createPatientTimer(createTimers(), stop);
  if (Number(incoming.headers["content-length"] ?? 0) > limit + maxRest) {
    done();
    return;
  }
  pause.set(maxPause);
  incoming.on("data", skip);
  incoming.once("end", stop);
  incoming.once("close", stop);
}

/** Resolves when the socket takes bytes again, or when there is nobody left to take them. */
function drained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed || !outgoing.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.removeListener("drain", done);
      outgoing.removeListener("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
  });
}

/** In characters; up to here node's own encoder, which takes small buffers from a pool, is the quicker one. */
const shortText = 4_096;

/** As {@link encodeText}; of a short text the bytes lie in a buffer that others share. */
export function encodeForSocket(text: string): Uint8Array {
  return text.length <= shortText ? Buffer.from(text) : encodeText(text);
}

/** Requests that had to wait, and are begun in one turn of the event loop. */
const maxAtOnce = 16;

/**
 * Begins one request of a connection a turn of the event loop, as it would if its client waited for the answers.
 * Node hands over all requests that a read of the socket brought, and reads on before anything else has its turn.
 */
export function oneATurn(answer: RequestListener): RequestListener {
  /** Connections of which a request has begun in this turn. */
  const begun = new Set<Socket>();
  const lines = new Map<Socket, { requests: Parameters<RequestListener>[]; readOn: () => void }>();
  const begin = (request: Parameters<RequestListener>): void => {
    if (begun.size === 0) setImmediate(endTurn);
    begun.add(request[0].socket);
    answer(...request);
  };
  const endTurn = (): void => {
    begun.clear();
    for (const [socket, line] of [...lines].slice(0, maxAtOnce)) {
      const request = line.requests.shift();
      // The others come first next time.
      lines.delete(socket);
      if (line.requests.length > 0 && !socket.destroyed) lines.set(socket, line);
      else line.readOn();
      if (request !== undefined && !socket.destroyed) begin(request);
    }
    if (lines.size > 0 && begun.size === 0) setImmediate(endTurn);
  };
  return (...request) => {
    const [{ socket }] = request;
    const line = lines.get(socket);
    if (line !== undefined) line.requests.push(request);
    else if (begun.has(socket))
      lines.set(socket, { requests: [request], readOn: stopReading(socket) });
    else begin(request);
  };
}

/** @returns lets it go on */
function stopReading(socket: Socket): () => void {
  const stop = (): void => void socket.pause();
  // Node itself reads on whenever an answer has gone out.
  socket.on("resume", stop);
  stop();
  return () => {
    socket.off("resume", stop);
    socket.resume();
  };
}

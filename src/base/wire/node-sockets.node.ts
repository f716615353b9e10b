import type { EventEmitter } from "node:events";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { AppError, toAppError } from "../errors/app-error.ts";
import { toErrorResponse } from "../errors/to-public-error.ts";
import type { TakeChannel } from "./channel.ts";
import { fitsHeader } from "./exchange.ts";
import type { SocketOpener } from "./node-exchange.node.ts";
import { type Timers, createTimers, repeat } from "./patient-timer.ts";
import { NodeChannel, channelSockets } from "./node-channel.node.ts";

export interface NodeSocketsOptions {
  /** Largest message in bytes. */
  maxMessage: number;
  /** Milliseconds between two pings. */
  pingInterval: number;
  /** Milliseconds that a client may read nothing while something waits to be sent. */
  maxStall: number;
  /** Offered subprotocols that begin so hold secrets, and are never chosen. */
  secretProtocol: string;
  timers?: Timers;
}

/** Answers requests for a WebSocket, as it answers all others. */
type FetchUpgrade = (request: Request, env: object) => Response | Promise<Response>;

export interface NodeSockets extends SocketOpener {
  /**
   * Answers a server's requests for WebSockets.
   *
   * @param pathOf what the app calls the path of a request, undefined where the request is somebody else's; all are ours where absent
   */
  attach(
    server: EventEmitter,
    fetch: FetchUpgrade,
    pathOf?: (path: string) => string | undefined,
  ): void;
  /** Cuts what is still open, and ends the pings. */
  close(): void;
}

/** Missed pings after which nobody is there any more. */
const maxMissed = 2;
const channelLimits = {
  highWater: 64 * 1_024,
  maxBuffered: 8 * 1_024 * 1_024,
};

export function createNodeSockets(options: NodeSocketsOptions): NodeSockets {
  const timers = options.timers ?? createTimers();
  const { maxStall } = options;
  const limits = {
    noServer: true,
    maxPayload: options.maxMessage,
    // Compression costs more memory for each socket than all the rest, and lets a small message unpack to a large one.
    perMessageDeflate: false,
    maxFragments: 1_024,
    maxBufferedChunks: 64 * 1_024,
    closeTimeout: 2_000,
    handleProtocols: (offered: Set<string>) =>
      [...offered].find((name) => !name.startsWith(options.secretProtocol)) ?? false,
  };
  const takers = new WeakMap<IncomingMessage, TakeChannel>();
  let sockets: WebSocketServer | undefined;
  let stopPings = (): void => {};
  let isClosed = false;
  let loading: ReturnType<typeof load> | undefined;
  // With the first socket: many servers have none.
  const load = async () => {
    const { WebSocketServer } = await import("ws");
    const server = new WebSocketServer({ ...channelSockets, ...limits });
    sockets = server;
    if (!isClosed) stopPings = pingAll(server, options.pingInterval, timers);
    return server;
  };
  const answer = async (
    [incoming, socket, head]: Upgrade,
    fetch: FetchUpgrade,
    target: string | undefined,
  ): Promise<void> => {
    const response = await ask(incoming, fetch, target);
    const take = takers.get(incoming);
    if (take === undefined) return refuseUpgrade(incoming, socket, response);
    const server = await (loading ??= load());
    if (isClosed) return void socket.destroy();
    server.handleUpgrade(incoming, socket, head, (opened) => {
      server.emit("connection", opened);
      take(new NodeChannel(opened, { timers, maxStall, ...channelLimits }));
    });
  };
  return {
    attach(server, fetch, pathOf = (path) => path) {
      server.on("upgrade", (...upgrade: Upgrade) => {
        const [incoming, socket] = upgrade;
        const [asked = ""] = (incoming.url ?? "").split("?", 1);
        const path = pathOf(asked);
        // Somebody else answers it, unless nobody else listens.
        if (path === undefined && server.listenerCount("upgrade") > 1) return;
        // While it is looked at who asks, nobody else listens, and an error would end the process.
        socket.on("error", () => socket.destroy());
        hideKey(incoming);
        const query = (incoming.url ?? "").slice(asked.length);
        void answer(upgrade, fetch, path === undefined ? undefined : path + query);
      });
    },
    upgrade(incoming, take) {
      takers.set(incoming, take);
      return new Response(null);
    },
    close() {
      isClosed = true;
      stopPings();
      for (const socket of sockets?.clients ?? []) socket.terminate();
    },
  };
}

/** What a server tells of a request that wants another protocol. */
type Upgrade = [incoming: IncomingMessage, socket: Duplex, head: Buffer];

/** What the app says to a request for a WebSocket. @param target undefined where it has nothing to say */
async function ask(
  incoming: IncomingMessage,
  fetch: FetchUpgrade,
  target: string | undefined,
): Promise<Response> {
  try {
    if (incoming.headers.upgrade?.toLowerCase() !== "websocket")
      throw new AppError("invalid_request", {
        en: "No other protocol is spoken here. Send the request without Upgrade.",
        zh: "此处不支持其他协议，请发送不带 Upgrade 的请求。",
      });
    if (target === undefined)
      throw new AppError("not_found", {
        en: "No WebSocket is at this path.",
        zh: "此路径没有 WebSocket。",
      });
    return await fetch(toRequest(incoming, target), { incoming });
  } catch (thrown) {
    return toErrorResponse(toAppError(thrown), crypto.randomUUID());
  }
}

function toRequest(incoming: IncomingMessage, target: string): Request {
  const { method = "GET", headers, socket } = incoming;
  const scheme = "encrypted" in socket ? "https" : "http";
  const fields = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  try {
    const url = new URL(target, `${scheme}://${headers.host ?? "localhost"}`);
    return new Request(url, { method, headers: fields.map(([...field]) => field) });
  } catch {
    throw badTarget();
  }
}

/** Of a head that makes no request. */
export function badTarget(): AppError {
  return new AppError("invalid_request", {
    en: "The request's target or Host header is not valid.",
    zh: "请求目标或 Host 请求头无效。",
  });
}

/** Pings every socket, and cuts those that have missed two. @returns ends it */
function pingAll(server: WebSocketServer, interval: number, timers: Timers): () => void {
  const missed = new WeakMap<WebSocket, number>();
  /** Whose last ping still waits to be sent. */
  const waiting = new WeakSet<WebSocket>();
  server.on("connection", (socket) => {
    const hear = (): void => void missed.set(socket, 0);
    socket.on("pong", hear);
    socket.on("message", hear);
  });
  const ping = (): void => {
    for (const socket of server.clients) {
      const count = missed.get(socket) ?? 0;
      missed.set(socket, count + 1);
      if (count >= maxMissed) socket.terminate();
      else if (socket.readyState === socket.OPEN && !waiting.has(socket)) {
        waiting.add(socket);
        socket.ping("", false, () => waiting.delete(socket));
      }
    }
  };
  return repeat(timers, ping, interval);
}

/** They speak of the connection, not of the answer. */
const skipped = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** Answers a request for a WebSocket with what its response holds, and ends the connection. */
async function refuseUpgrade(
  { method }: IncomingMessage,
  socket: Duplex,
  response: Response,
): Promise<void> {
  const { status, headers } = response;
  const body = Buffer.from(await response.arrayBuffer());
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    `Content-Length: ${body.byteLength}`,
    ...[...headers]
      .filter(([name]) => !skipped.has(name))
      .map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  socket.end(method === "HEAD" ? head : Buffer.concat([head, body]));
}

/** Moves `?api_key=` into the header: URLs are logged and traced, headers are not. */
function hideKey(request: IncomingMessage): void {
  const { url = "" } = request;
  const path = url.split("?", 1)[0] ?? "";
  const fields = new URLSearchParams(url.slice(path.length));
  const key = fields.get("api_key");
  if (key === null) return;
  fields.delete("api_key");
  request.url = fields.size === 0 ? path : `${path}?${fields}`;
  if (fitsHeader(key)) request.headers["x-api-key"] ||= key;
}

import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { upgradeWebSocket } from "@hono/node-server";
import { type WebSocket, WebSocketServer } from "ws";
import type { Channel } from "./channel.ts";
import { isHeaderValue } from "./exchange.ts";
import { createNodeChannel } from "./node-channel.node.ts";
import type { SocketOpener } from "./node-exchange.node.ts";
import { createTimers, type Timers } from "./patient-timer.ts";

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

/** Of requests for a WebSocket, as the adapter calls it. */
type FetchUpgrade = (request: Request, env: object) => Response | Promise<Response>;

/** WebSockets on a Node server. */
export interface NodeSockets extends SocketOpener {
  /** For the adapter, which shakes hands. */
  server: WebSocketServer;
  /** The adapter's `fetch`, which also answers the requests that are refused: the adapter would leave out why. */
  answer(fetch: FetchUpgrade): FetchUpgrade;
  /** Call it once the adapter listens for upgrades. */
  guard(server: Server): void;
  /** Cuts what is still open. */
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
  const server = new WebSocketServer(limits);
  const channels = new WeakMap<WebSocket, Channel>();
  const upgrades = new Upgrades();
  // Before the adapter, which looks at the socket a moment later only.
  server.on("connection", (socket) => {
    channels.set(socket, createNodeChannel(socket, { timers, maxStall, ...channelLimits }));
  });
  const stopPings = pingAll(server, options.pingInterval, timers);
  return {
    server,
    answer: (fetch) => upgrades.answer(fetch),
    guard: (guarded) => upgrades.guard(guarded),
    upgrade(env, take) {
      upgrades.take(env);
      return upgradeWebSocket(contextOf(env), {
        onOpen(_, { raw }) {
          // The adapter is given sockets of ws only.
          const channel = channels.get(raw as WebSocket);
          if (channel !== undefined) take(channel);
        },
      });
    },
    close() {
      stopPings();
      for (const socket of server.clients) socket.terminate();
    },
  };
}

/** All that the adapter's helper reads of a context. */
function contextOf(env: object): Parameters<typeof upgradeWebSocket>[0] {
  const req = { header: () => "websocket", url: "http://localhost/ws" };
  return { env, req } as unknown as Parameters<typeof upgradeWebSocket>[0];
}

/** Pings every socket, and cuts those that have missed two. @returns ends it */
function pingAll(server: WebSocketServer, interval: number, timers: Timers): () => void {
  const missed = new WeakMap<WebSocket, number>();
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
      else if (socket.readyState === socket.OPEN) socket.ping();
    }
    stop = timers.start(ping, interval);
  };
  let stop = timers.start(ping, interval);
  return () => stop();
}

/** Stands around the adapter's listener. */
class Upgrades {
  /** Requests that have reached the app, and those of them that got their socket. */
  readonly #asked = new WeakSet<IncomingMessage>();
  readonly #taken = new WeakSet<IncomingMessage>();

  take(env: object): void {
    this.#taken.add(incomingOf(env));
  }

  answer(fetch: FetchUpgrade): FetchUpgrade {
    return async (request, env) => {
      const incoming = incomingOf(env);
      this.#asked.add(incoming);
      const response = await fetchOrFail(fetch, request, env);
      if (!this.#taken.has(incoming)) await refuseUpgrade(incoming, incoming.socket, response);
      return response;
    };
  }

  guard(server: Server): void {
    const listeners = server.listeners("upgrade");
    server.removeAllListeners("upgrade");
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // While it is looked at who asks, nobody else listens, and an error would end the process.
      socket.on("error", () => socket.destroy());
      const isMeant = request.headers.upgrade?.toLowerCase() === "websocket";
      if (isMeant) {
        hideKey(request);
        for (const listener of listeners) listener.call(server, request, socket, head);
      }
      // The adapter asks the app at once, or never: of some heads it makes no request.
      if (!this.#asked.has(request))
        void refuseUpgrade(request, socket, new Response(null, { status: 400 }));
    });
    // The adapter refuses upgrades itself, without a body, while it is the only one that listens.
    server.on("upgrade", () => undefined);
  }
}

async function fetchOrFail(fetch: FetchUpgrade, request: Request, env: object): Promise<Response> {
  try {
    return await fetch(request, env);
  } catch {
    return new Response(null, { status: 500 });
  }
}

/** What the adapter gives with each request. */
function incomingOf(env: object): IncomingMessage {
  return (env as { incoming: IncomingMessage }).incoming;
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
  if (isHeaderValue(key)) request.headers["x-api-key"] ||= key;
}

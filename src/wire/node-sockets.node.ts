import type { IncomingMessage, Server } from "node:http";
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

/** WebSockets on a Node server. */
export interface NodeSockets extends SocketOpener {
  /** For the adapter, which shakes hands. */
  server: WebSocketServer;
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
  // Before the adapter, which looks at the socket a moment later only.
  server.on("connection", (socket) => {
    channels.set(socket, createNodeChannel(socket, { timers, maxStall, ...channelLimits }));
  });
  const stopPings = pingAll(server, options.pingInterval, timers);
  return {
    server,
    guard: guardUpgrades,
    upgrade: (env, take) =>
      upgradeWebSocket(contextOf(env), {
        onOpen(_, { raw }) {
          // The adapter is given sockets of ws only.
          const channel = channels.get(raw as WebSocket);
          if (channel !== undefined) take(channel);
        },
      }),
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

/** Stands before the adapter's listener, which refuses upgrades only while it is the single one. */
function guardUpgrades(server: Server): void {
  const listeners = server.listeners("upgrade");
  server.removeAllListeners("upgrade");
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // While it is looked at who asks, nobody else listens, and an error would end the process.
    socket.on("error", () => socket.destroy());
    if (request.headers.upgrade?.toLowerCase() === "websocket") {
      hideKey(request);
      for (const listener of listeners) listener.call(server, request, socket, head);
    } else socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
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

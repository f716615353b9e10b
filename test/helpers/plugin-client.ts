// A plugin at an app, without a network. Runs on Node and in workerd.
import type { App } from "../../src/app.ts";
import { type CreateExchange, createWebExchange } from "../../src/base/wire/exchange.ts";
import { createMemoryChannel, type MemoryPeer } from "./memory-channel.ts";

export type Frame = Record<string, unknown>;

/** A plugin that is connected. */
export interface PluginClient extends Omit<MemoryPeer, "send" | "next"> {
  /** Sends a message: texts as they are, all else as JSON. */
  send(message: unknown): void;
  next(): Promise<Frame>;
  /** Sends a request and takes the frames of its answer. */
  ask(request: Frame): Promise<Frame[]>;
}

interface SocketEnv {
  peers: MemoryPeer[];
}

/** Exchanges of apps that {@link connect} can reach. */
export const socketExchanges: CreateExchange = (request, env) => {
  const exchange = createWebExchange(request);
  const { peers } = (env ?? {}) as Partial<SocketEnv>;
  if (peers === undefined) return exchange;
  return {
    ...exchange,
    upgrade(take) {
      const { channel, peer } = createMemoryChannel();
      peers.push(peer);
      take(channel);
      return new Response(null);
    },
  };
};

export interface ConnectOptions {
  headers?: Record<string, string>;
  path?: string;
}

/** Opens a socket. @returns the client, or the response that refused it */
export async function open(
  app: App,
  { headers = {}, path = "/ws" }: ConnectOptions = {},
): Promise<PluginClient | Response> {
  const peers: MemoryPeer[] = [];
  const head = { host: "localhost", connection: "Upgrade", upgrade: "websocket", ...headers };
  const request = new Request(`http://localhost${path}`, { headers: head });
  const response = await app.fetch(request, { peers });
  const [peer] = peers;
  return peer === undefined ? response : toClient(peer);
}

/** @throws Error where the socket is refused */
export async function connect(app: App, options?: ConnectOptions): Promise<PluginClient> {
  const client = await open(app, options);
  if (client instanceof Response) throw new Error(`refused with ${client.status}`);
  return client;
}

/** Whether nothing of the same answer follows a frame. */
export function isLast(frame: Frame): boolean {
  if ("error" in frame || "models" in frame || frame["stream_finsh"] === true) return true;
  return "msg" in frame && !("stream_finsh" in frame);
}

/** The text of an answer, of its frames together. */
export function msgOf(frames: readonly Frame[]): string {
  return frames.map(({ msg }) => (typeof msg === "string" ? msg : "")).join("");
}

function toClient(peer: MemoryPeer): PluginClient {
  const client: PluginClient = {
    ...peer,
    get isOver() {
      return peer.isOver;
    },
    send: (message) => peer.send(typeof message === "string" ? message : JSON.stringify(message)),
    async next() {
      const text = await peer.next();
      if (text === undefined) throw new Error("the connection is over");
      return JSON.parse(text) as Frame;
    },
    async ask(request) {
      client.send(request);
      const frames: Frame[] = [];
      for (;;) {
        const frame = await client.next();
        frames.push(frame);
        if (isLast(frame)) return frames;
      }
    },
  };
  return client;
}

// The Durable Object that holds the sockets of all plugins, their one queue and the count of their connections.
import { closeCodes, type TakeChannel } from "../wire/channel.ts";
import type { CreateExchange } from "../wire/exchange.ts";
import { SleepingChannel, type SleepingSocket } from "../wire/sleeping-channel.ts";
import { createWebExchange } from "../wire/web-exchange.ts";

/** What this needs of the runtime's state of an object. */
interface RoomContext {
  acceptWebSocket(socket: SleepingSocket): void;
  getWebSockets(): SleepingSocket[];
}

interface Room {
  app: { fetch(request: Request, env?: object): Response | Promise<Response> };
  /** In bytes. */
  maxMessage: number;
  /** Offered subprotocols that begin so hold secrets, and are never chosen. */
  secretProtocol: string;
}

/** What is kept beside a socket, so that its connection can be opened once more after a sleep. */
interface KeptHead {
  url: string;
  headers: [string, string][];
  message?: string;
}

interface RoomEnv {
  open?: (take: TakeChannel) => Response;
}

/** Exchanges of Workers; those that the room makes can be upgraded. */
export const workerExchanges: CreateExchange = (request, env) => {
  const exchange = createWebExchange(request);
  const { open } = (env ?? {}) as RoomEnv;
  if (open === undefined) return exchange;
  // The room tells of each socket when it is closed; how the request ends says nothing of that.
  return { ...exchange, onClose: () => undefined, upgrade: open };
};

/** Whether a request is one for the room. */
export function wantsRoom(request: Request): boolean {
  return (
    request.headers.get("upgrade")?.toLowerCase() === "websocket" &&
    new URL(request.url).pathname === "/ws"
  );
}

/** The request with its `?api_key=` in the header: URLs are logged and traced, headers are not. */
export function hideKey(request: Request): Request {
  const url = new URL(request.url);
  const key = url.searchParams.get("api_key");
  if (key === null) return request;
  url.searchParams.delete("api_key");
  const headers = new Headers(request.headers);
  if (!headers.has("x-api-key")) headers.set("x-api-key", key);
  return new Request(url, { headers });
}

/** @param createRoom makes an app of its own for each waking: what the one before counted is over */
export function createPluginRoom(createRoom: (env: object) => Room) {
  return class PluginRoom {
    readonly #context: RoomContext;
    readonly #room: Room;
    readonly #channels = new Map<SleepingSocket, SleepingChannel>();
    readonly #awake: Promise<void>;

    constructor(context: RoomContext, env: object) {
      this.#context = context;
      this.#room = createRoom(env);
      // After a sleep all sockets are still there, and everything else is gone.
      this.#awake = this.#adoptAll();
    }

    async fetch(request: Request): Promise<Response> {
      await this.#awake;
      return this.#room.app.fetch(request, {
        open: (take: TakeChannel) => this.#accept(request, take),
      });
    }

    async webSocketMessage(socket: SleepingSocket, message: string | ArrayBuffer): Promise<void> {
      await this.#awake;
      this.#channels.get(socket)?.push(message);
    }

    async webSocketClose(socket: SleepingSocket): Promise<void> {
      await this.#awake;
      this.#channels.get(socket)?.finish();
      this.#channels.delete(socket);
    }

    async webSocketError(socket: SleepingSocket): Promise<void> {
      await this.webSocketClose(socket);
    }

    #accept(request: Request, take: TakeChannel): Response {
      const { 0: client, 1: server } = createPair();
      this.#context.acceptWebSocket(server);
      const headers = [...request.headers].filter(([name]) => name !== "cookie");
      this.#open(server, { url: request.url, headers }, take);
      const offered = (request.headers.get("sec-websocket-protocol") ?? "").split(",");
      const chosen = offered
        .map((name) => name.trim())
        .find((name) => name !== "" && !name.startsWith(this.#room.secretProtocol));
      const head = chosen === undefined ? {} : { headers: { "sec-websocket-protocol": chosen } };
      // A field of this runtime's responses.
      const opened: ResponseInit & { webSocket: unknown } = {
        status: 101,
        webSocket: client,
        ...head,
      };
      return new Response(null, opened);
    }

    #open(socket: SleepingSocket, head: KeptHead, take: TakeChannel): void {
      socket.serializeAttachment(head);
      const remember = (message: string): void => socket.serializeAttachment({ ...head, message });
      const channel = new SleepingChannel(socket, this.#room.maxMessage, remember);
      this.#channels.set(socket, channel);
      take(channel);
      if (head.message !== undefined) channel.push(head.message);
    }

    async #adoptAll(): Promise<void> {
      for (const socket of this.#context.getWebSockets()) await this.#adopt(socket);
    }

    /** Shakes hands once more, as it were: the key may have been taken back. */
    async #adopt(socket: SleepingSocket): Promise<void> {
      const head = socket.deserializeAttachment() as KeptHead;
      const request = new Request(head.url, { headers: head.headers });
      await this.#room.app.fetch(request, {
        open: (take: TakeChannel) => {
          this.#open(socket, head, take);
          return new Response(null);
        },
      });
      if (!this.#channels.has(socket)) socket.close(closeCodes.unauthorized, "Connect again.");
    }
  };
}

/** A global of this runtime. */
function createPair(): { 0: SleepingSocket; 1: SleepingSocket } {
  const Pair = Reflect.get(globalThis, "WebSocketPair") as new () => ReturnType<typeof createPair>;
  return new Pair();
}

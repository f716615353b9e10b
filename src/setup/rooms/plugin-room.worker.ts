// The Durable Object that holds the sockets of one key's plugins, and so counts them, or those of one session.
import {
  type SleepingChannel,
  createSleepingChannel,
  type TakeChannel,
  closeCodes,
} from "../../base/wire/channel.ts";
import { createTimers } from "../../base/wire/patient-timer.ts";
import { keyProtocol } from "../../doors/http/sockets.ts";
import {
  type RuntimeSocket,
  acceptChannel,
  answerClose,
  createSocketPair,
  upgradeWith,
} from "../../base/wire/worker-sockets.worker.ts";

/** What this needs of the runtime's state of an object. */
interface RoomContext {
  acceptWebSocket(socket: RuntimeSocket): void;
  getWebSockets(): RuntimeSocket[];
}

interface Room {
  app: { fetch(request: Request, env?: object): Response | Promise<Response> };
  /** In bytes. */
  maxMessage: number;
}

/** What is kept beside a socket, so that its connection can be opened once more after a sleep. */
interface KeptHead {
  url: string;
  headers: [string, string][];
  message?: string;
}

/** The runtime keeps so many bytes beside a socket, and a bit of its own. */
const maxKept = 12_000;
/** They say nothing of who asks, and nothing that a model's platform wants. */
const unkept = /^(?:cookie|accept.*|user-agent|sec-websocket-(?:key|extensions|version))$/;

const timers = createTimers();

/** @param createRoom makes an app of its own for each waking: what the one before counted is over */
export function createPluginRoom(createRoom: (env: object) => Room) {
  return class PluginRoom {
    readonly #context: RoomContext;
    readonly #room: Room;
    readonly #channels = new Map<RuntimeSocket, SleepingChannel>();
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

    async webSocketMessage(socket: RuntimeSocket, message: string | ArrayBuffer): Promise<void> {
      await this.#awake;
      this.#channels.get(socket)?.push(message);
    }

    async webSocketClose(socket: RuntimeSocket, code: number, reason: string): Promise<void> {
      await this.#forget(socket);
      answerClose(socket, code, reason);
    }

    async webSocketError(socket: RuntimeSocket): Promise<void> {
      await this.#forget(socket);
    }

    async #forget(socket: RuntimeSocket): Promise<void> {
      await this.#awake;
      this.#channels.get(socket)?.finish();
      this.#channels.delete(socket);
    }

    #accept(request: Request, take: TakeChannel): Response {
      const { 0: client, 1: server } = createSocketPair();
      if (sleeps(request)) {
        this.#context.acceptWebSocket(server);
        const headers = [...request.headers].filter(([name]) => !unkept.test(name));
        this.#open(server, { url: request.url, headers }, take);
      } else take(acceptChannel(server, this.#room.maxMessage));
      const offered = (request.headers.get("sec-websocket-protocol") ?? "").split(",");
      // What holds a key is never chosen.
      const chosen = offered
        .map((name) => name.trim())
        .find((name) => name !== "" && !name.startsWith(keyProtocol));
      return upgradeWith(client, chosen);
    }

    #open(socket: RuntimeSocket, head: KeptHead, take: TakeChannel): void {
      keep(socket, head);
      const remember = (message: string): void => keep(socket, { ...head, message });
      const { maxMessage } = this.#room;
      const channel = createSleepingChannel(socket, { maxMessage, remember, timers });
      this.#channels.set(socket, channel);
      take(channel);
      if (head.message !== undefined) channel.push(head.message);
    }

    /** Shakes hands once more, as it were: the key may have been taken back. */
    async #adoptAll(): Promise<void> {
      for (const socket of this.#context.getWebSockets()) {
        const head = socket.deserializeAttachment() as KeptHead;
        const open = (take: TakeChannel): Response => {
          this.#open(socket, head, take);
          return new Response(null);
        };
        await this.#room.app.fetch(new Request(head.url, { headers: head.headers }), { open });
        if (!this.#channels.has(socket)) socket.close(closeCodes.unauthorized, "Connect again.");
      }
    }
  };
}

/** Who follows a session hears of it over another connection, which keeps the object awake. */
function sleeps({ url }: Request): boolean {
  return new URL(url).pathname === "/ws";
}

/** A plugin that sends more than can be kept must connect again after a sleep. */
function keep(socket: RuntimeSocket, head: KeptHead): void {
  const size = new TextEncoder().encode(JSON.stringify(head)).byteLength;
  socket.serializeAttachment(size <= maxKept ? head : { url: head.url, headers: [] });
}

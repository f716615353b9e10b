// A connection to the app in this process, without a network.
import type { App } from "../../../app.ts";
import { type Channel, closeCodes, type TakeChannel } from "../../../base/wire/channel.ts";
import type { CreateExchange } from "../../../base/wire/exchange.ts";
import { createWebExchange } from "../../../base/wire/web-exchange.ts";
import { Inbox, type PluginSocket } from "./plugin-socket.ts";

/** Texts that may wait for us before the app is asked to wait. */
const highWater = 64;

interface LocalEnv {
  /** Takes what wants to serve the connection. */
  accept?: (serve: TakeChannel) => void;
}

/** The exchanges of an app whose sockets `openLocalSocket` opens. */
export const localExchanges: CreateExchange = (request, env) => {
  const exchange = createWebExchange(request);
  const { accept }: LocalEnv = env ?? {};
  if (accept === undefined) return exchange;
  const upgrade = (serve: TakeChannel): Response => {
    accept(serve);
    return new Response(null);
  };
  return { ...exchange, upgrade };
};

/** @returns the socket, or the response that refused it */
export async function openLocalSocket(
  app: App,
  headers: Record<string, string>,
): Promise<PluginSocket | Response> {
  const { channel, socket } = createPair();
  let isOpen = false;
  const env: LocalEnv = {
    accept(serve) {
      isOpen = true;
      serve(channel);
    },
  };
  const response = await app.fetch(new Request("http://localhost/ws", { headers }), env);
  return isOpen ? socket : response;
}

/** Both ends of a connection. */
function createPair(): { channel: Channel; socket: PluginSocket } {
  const [up, down] = [new Inbox(), new Inbox()];
  let closed: PluginSocket["closed"];
  let drained: (() => void)[] = [];
  const drain = (): void => {
    if (down.length >= highWater && !down.isOver) return;
    for (const resolve of drained.splice(0)) resolve();
  };
  const end = (): void => {
    up.end();
    down.end();
    drain();
  };
  const channel: Channel = {
    receive: up.receive(() => undefined),
    send(text) {
      down.push(text);
      return down.length < highWater;
    },
    drained: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      drained = [...drained, resolve];
      drain();
      return promise;
    },
    close(code = closeCodes.normal, reason = "") {
      closed ??= { code, reason };
      end();
    },
  };
  const socket: PluginSocket = {
    receive: down.receive(drain),
    send: (text) => up.push(text),
    get closed() {
      return closed;
    },
    close() {
      end();
      return Promise.resolve();
    },
  };
  return { channel, socket };
}

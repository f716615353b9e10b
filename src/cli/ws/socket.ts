// The plugin's end of a connection: to a server, or to the app in this process.
import { Agent } from "node:https";
import { Readable } from "node:stream";
import type { App } from "../../app.ts";
import { type TakeChannel, closeCodes } from "../../base/wire/channel.ts";
import { type CreateExchange, createWebExchange } from "../../base/wire/exchange.ts";
import { readProxies } from "../../setup/read-proxies.node.ts";
import { CliError } from "../cli-error.ts";
import { describeUnreachable } from "../fail-with.ts";

export interface PluginSocket {
  /** The texts that come, in their order; it ends when the connection is over and all were taken. */
  receive: AsyncIterator<string, void>;
  send(text: string): void;
  /** How the other side closed it, once it did. */
  readonly closed: { code: number; reason: string } | undefined;
  /** Ends the connection, and resolves when it is over. */
  close(): Promise<void>;
}

/** Of a message, in bytes. */
const maxPayload = 16 * 1024 * 1024;
/** Messages that may wait for their reader before the writer is asked to wait. */
const highWater = 64;
/** In milliseconds. */
const [handshakeTimeout, closeTimeout] = [10_000, 1_000];

/** Texts that wait to be taken by one reader. */
export class Inbox {
  readonly #stream = new TransformStream<string, string>(
    undefined,
    { highWaterMark: highWater },
    { highWaterMark: 0 },
  );
  readonly #writer = this.#stream.writable.getWriter();
  readonly receive = this.#stream.readable.values();

  /** @returns whether there is room for more; `room` waits for it */
  push(text: string): boolean {
    this.#writer.write(text).catch(() => undefined);
    return (this.#writer.desiredSize ?? 0) > 0;
  }

  room(): Promise<void> {
    return this.#writer.ready.catch(() => undefined);
  }

  /** No more will come. */
  end(): void {
    this.#writer.close().catch(() => undefined);
  }
}

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
  const [up, down] = [new Inbox(), new Inbox()];
  let [isOpen, closed]: [boolean, PluginSocket["closed"]] = [false, undefined];
  const end = (): void => {
    up.end();
    down.end();
  };
  const env: LocalEnv = {
    accept(serve) {
      isOpen = true;
      serve({
        receive: up.receive,
        send: (text) => down.push(text),
        drained: () => down.room(),
        close(code = closeCodes.normal, reason = "") {
          closed ??= { code, reason };
          end();
        },
      });
    },
  };
  const response = await app.fetch(new Request("http://localhost/ws", { headers }), env);
  if (!isOpen) return response;
  return {
    receive: down.receive,
    send: (text) => void up.push(text),
    get closed() {
      return closed;
    },
    close: async () => end(),
  };
}

/**
 * The WebSocket of an address: `http` means `ws`, and an address without a path means `/ws`.
 *
 * @throws CliError when it is not the address of a server
 */
export function parseSocketUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^(?:ws|http)s?:$/.test(url.protocol) || url.hash !== "")
    throw new CliError(
      `--url ${address} is not an address. Write --url ws://127.0.0.1:18080/ws or --url http://127.0.0.1:18080.`,
    );
  url.protocol = url.protocol.replace("http", "ws");
  if (url.pathname === "/") url.pathname = "/ws";
  return url;
}

/**
 * Opens a WebSocket to a server.
 *
 * @returns the socket, or the response that refused it
 * @throws CliError when nobody answers; the signal's reason when it aborts before the socket is open
 */
export async function openRemoteSocket(
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<PluginSocket | Response> {
  signal.throwIfAborted();
  const { WebSocket } = await import("ws");
  const limits = { handshakeTimeout, closeTimeout, maxPayload };
  const agent = url.protocol === "wss:" ? createTunnelAgent() : undefined;
  const socket = new WebSocket(url, { headers, perMessageDeflate: false, ...limits, agent });
  const stop = (): void => socket.terminate();
  signal.addEventListener("abort", stop, { once: true });
  const inbox = new Inbox();
  let closed: PluginSocket["closed"];
  socket.on("message", (data) => {
    // Of one message, ws gives one buffer.
    if (inbox.push((data as Buffer).toString("utf8"))) return;
    socket.pause();
    void inbox.room().then(() => socket.resume());
  });
  const over = new Promise<void>((resolve) => {
    socket.on("close", (code, reason) => {
      closed = { code, reason: reason.toString("utf8") };
      inbox.end();
      resolve();
    });
  });
  try {
    const refusal = await new Promise<Response | undefined>((resolve, reject) => {
      socket.once("open", () => resolve(undefined));
      // The close event that follows an error says all that matters once the socket is open.
      socket.on("error", reject);
      socket.once("unexpected-response", (_, message) => {
        const { statusCode: status = 502, statusMessage: statusText = "" } = message;
        const retryAfter = message.headers["retry-after"];
        const told = retryAfter === undefined ? {} : { "retry-after": retryAfter };
        const body = Readable.toWeb(message) as ReadableStream<Uint8Array>;
        // A Response holds no status below 200. Reading it to its end lets go of the socket.
        resolve(new Response(body, { status: Math.max(200, status), statusText, headers: told }));
      });
    });
    if (refusal !== undefined) return refusal;
  } catch (cause) {
    signal.throwIfAborted();
    throw new CliError(describeUnreachable(`${url.protocol}//${url.host}`, cause), { cause });
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return {
    receive: inbox.receive,
    send: (text) => socket.send(text, () => undefined),
    get closed() {
      return closed;
    },
    async close() {
      inbox.end();
      // A socket that is not read never sees the other side's goodbye.
      if (socket.isPaused) socket.resume();
      socket.close(1000);
      await over;
    },
  };
}

/** Proxies let sockets through in tunnels, which Node makes for https (24.5 and newer, 22.21 and newer). */
function createTunnelAgent(): Agent | undefined {
  const proxies = readProxies(process.env);
  if (proxies === undefined) return undefined;
  const { httpProxy, httpsProxy, noProxy } = proxies;
  return new Agent({ proxyEnv: { HTTPS_PROXY: httpsProxy || httpProxy, NO_PROXY: noProxy } });
}

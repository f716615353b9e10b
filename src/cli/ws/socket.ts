// The plugin's end of a connection: to a server, or to the app in this process.
import { createServer } from "node:http";
import { Agent } from "node:https";
import { type Duplex, duplexPair, Readable } from "node:stream";
import { onAbort } from "../../base/wire/patient-timer.ts";
import { readProxies } from "../../setup/read-proxies.node.ts";
import { CliError } from "../cli-error.ts";
import type { LocalApp } from "../create-local-app.ts";
import { describeUnreachable } from "../fail-with.ts";

export interface PluginSocket {
  /** The texts that come, in their order; it ends when the connection is over and all were taken. */
  receive: AsyncIterator<string, void>;
  send(frame: object): void;
  /** How the other side closed it, once it did. */
  readonly closed: { code: number; reason: string } | undefined;
  close(): Promise<void>;
}

/** Of a message, in bytes. */
const maxPayload = 16 * 1024 * 1024;
/** Messages that may wait for their reader before the writer is asked to wait. */
const readableHighWaterMark = 64;
/** In milliseconds. */
const [handshakeTimeout, closeTimeout] = [10_000, 1_000];

/** The WebSocket of an address: `http` means `ws`, and no path means `/ws`. @throws CliError when it is none */
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

/** Opens a WebSocket to the app in this process, as to a server that no port leads to. */
export function openLocalSocket(
  { app, sockets }: Pick<LocalApp, "app" | "sockets">,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<PluginSocket | Response> {
  const server = createServer();
  sockets.attach(server, app.fetch);
  const [here, there] = duplexPair();
  server.emit("connection", there);
  return openSocket(new URL("ws://localhost/ws"), headers, signal, () => here);
}

/**
 * Opens a WebSocket to a server.
 *
 * @param connect makes the connection where it is not made by the address
 * @returns the socket, or the response that refused it
 * @throws CliError when nobody answers; the signal's reason when it aborts before the socket is open
 */
export async function openSocket(
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
  connect?: () => Duplex,
): Promise<PluginSocket | Response> {
  signal.throwIfAborted();
  const { WebSocket, createWebSocketStream } = await import("ws");
  const limits = { perMessageDeflate: false, handshakeTimeout, closeTimeout, maxPayload };
  const agent = url.protocol === "wss:" ? createTunnelAgent() : undefined;
  const way = connect === undefined ? { agent } : { createConnection: connect };
  const socket = new WebSocket(url, { headers, ...limits, ...way });
  const stream = createWebSocketStream(socket, { readableObjectMode: true, readableHighWaterMark });
  // The close event that follows an error says all that matters once the socket is open.
  stream.on("error", () => undefined);
  const forget = onAbort(signal, () => socket.terminate());
  let closed: PluginSocket["closed"];
  const over = new Promise<void>((resolve) => {
    socket.on("close", (code, reason) => {
      closed = { code, reason: reason.toString("utf8") };
      resolve();
    });
  });
  try {
    const refusal = await new Promise<Response | undefined>((resolve, reject) => {
      socket.once("open", () => resolve(undefined));
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
    forget();
  }
  return {
    receive: readTexts(stream),
    send: (frame) => socket.send(JSON.stringify(frame), () => undefined),
    get closed() {
      return closed;
    },
    async close() {
      // A socket that is not read never sees the other side's goodbye.
      socket.removeAllListeners("message");
      if (socket.isPaused) socket.resume();
      socket.close(1000);
      await over;
    },
  };
}

async function* readTexts(stream: Duplex): AsyncGenerator<string, void, void> {
  try {
    for await (const text of stream) yield String(text);
  } catch {
    // How the connection ended, the close event tells.
  }
}

/** Proxies let sockets through in tunnels, which Node makes for https (24.5 and newer, 22.21 and newer). */
function createTunnelAgent(): Agent | undefined {
  const proxies = readProxies(process.env);
  if (proxies === undefined) return undefined;
  const { httpProxy, httpsProxy, noProxy } = proxies;
  return new Agent({ proxyEnv: { HTTPS_PROXY: httpsProxy || httpProxy, NO_PROXY: noProxy } });
}

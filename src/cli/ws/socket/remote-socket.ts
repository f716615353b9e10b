import type { IncomingMessage } from "node:http";
import { Agent } from "node:https";
import { WebSocket } from "ws";
import { readProxies } from "../../../setup/read-proxies.node.ts";
import { CliError } from "../../cli-error.ts";
import { Inbox, type PluginSocket } from "./plugin-socket.ts";

/** Of a message and of a refusal, in bytes. */
const maxMessage = 16 * 1024 * 1024;
const maxRefusal = 64 * 1024;
/** Messages that may wait for us before the socket is not read any more. */
const highWater = 64;
/** In milliseconds. */
const handshakeTimeout = 10_000;
const closeTimeout = 1_000;

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
  const limits = { handshakeTimeout, closeTimeout, maxPayload: maxMessage };
  const agent = url.protocol === "wss:" ? createTunnelAgent() : undefined;
  const socket = new WebSocket(url, { headers, perMessageDeflate: false, ...limits, agent });
  const stop = (): void => socket.terminate();
  signal.addEventListener("abort", stop, { once: true });
  const opened = toPluginSocket(socket);
  try {
    return await new Promise((resolve, reject) => {
      socket.once("open", () => resolve(opened));
      socket.once("error", reject);
      socket.once("unexpected-response", (_, response) => {
        void toResponse(response)
          .then(resolve, reject)
          .finally(() => socket.terminate());
      });
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new CliError(describeFailure(`${url.protocol}//${url.host}`, cause), { cause });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Proxies let sockets through in tunnels, which Node makes for https (24.5 and newer, 22.21 and newer). */
function createTunnelAgent(): Agent | undefined {
  const proxies = readProxies(process.env);
  if (proxies === undefined) return undefined;
  const { httpProxy, httpsProxy, noProxy } = proxies;
  return new Agent({ proxyEnv: { HTTPS_PROXY: httpsProxy || httpProxy, NO_PROXY: noProxy } });
}

function toPluginSocket(socket: WebSocket): PluginSocket {
  const inbox = new Inbox();
  let closed: PluginSocket["closed"];
  const over = new Promise<void>((resolve) => {
    socket.on("close", (code, reason) => {
      closed = { code, reason: reason.toString("utf8") };
      inbox.end();
      resolve();
    });
  });
  // The close event that follows says all that matters.
  socket.on("error", () => undefined);
  socket.on("message", (data) => {
    // Of one message, ws gives one buffer.
    inbox.push((data as Buffer).toString("utf8"));
    if (inbox.length >= highWater) socket.pause();
  });
  return {
    receive: inbox.receive(() => {
      if (inbox.length === 0 && socket.isPaused) socket.resume();
    }),
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

/** What a server said instead of opening the socket. */
async function toResponse(message: IncomingMessage): Promise<Response> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message) {
    // Without an encoding, a message yields buffers.
    pieces.push(piece as Buffer);
    size += pieces.at(-1)?.length ?? 0;
    if (size > maxRefusal) break;
  }
  const retryAfter = message.headers["retry-after"];
  return new Response(Buffer.concat(pieces), {
    // A Response holds no status below 200.
    status: Math.max(200, message.statusCode ?? 502),
    statusText: message.statusMessage ?? "",
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
  });
}

function describeFailure(server: string, thrown: unknown): string {
  const code: unknown = thrown instanceof Error ? Reflect.get(thrown, "code") : undefined;
  if (typeof code === "string" && /CERT|SIGNATURE/.test(code))
    return `The certificate of ${server} is not trusted (${code}). Name the file of one that vouches for it with NODE_EXTRA_CA_CERTS.`;
  const reason = typeof code === "string" ? code : thrown instanceof Error ? thrown.message : "";
  return `${server} cannot be reached${reason && ` (${reason})`}. Does the server run there?`;
}

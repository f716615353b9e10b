// What doors that open WebSockets share: who asks, how many connections they may have, and the end of them all.
import type { Context } from "hono";
import { AppError, type Message, toAppError } from "../../base/errors/app-error.ts";
import { type Channel, closeCodes } from "../../base/wire/channel.ts";
import type { Exchange } from "../../base/wire/exchange.ts";
import { type Connections, createConnections } from "../../run/admissions.ts";
import type { Caller } from "../../turn/chat-model.ts";
import type { DoorEnv, DoorHost } from "./door.ts";

/** What a connection is for, as far as its request tells. */
export interface Opening {
  /** Some runtimes keep the connections of one owner in one place. */
  owner: string;
  /** Resolves when the connection is over. */
  serve(channel: Channel): Promise<void>;
}

interface SocketOptions {
  /** Where the sockets are, for messages. */
  path: string;
  maxConnectionsPerKey: number;
  /** Tells who asks where the door has keys of its own. @throws AppError `unauthorized` */
  identify?: ((key: string, exchange: Exchange) => Promise<Caller>) | undefined;
  /** The process's own where absent. */
  connections?: Connections | undefined;
}

/** The connections of a door. */
export class Sockets {
  readonly #options: SocketOptions;
  readonly #connections: Connections;
  readonly #open = new Set<Channel>();

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#connections = options.connections ?? createConnections(options.maxConnectionsPerKey);
  }

  /**
   * @param prepare may refuse the connection
   * @throws AppError `upgrade_required`, `draining`, `unauthorized`, `rate_limited`
   */
  async open(
    c: Context<DoorEnv>,
    host: DoorHost,
    prepare: (caller: Caller) => Opening | Promise<Opening>,
  ): Promise<Response> {
    const { exchange } = c.env;
    if (exchange.upgrade === undefined) throw this.#noSocket();
    if (host.isDraining)
      throw new AppError("draining", {
        en: "This server is shutting down.",
        zh: "此服务正在关闭。",
      });
    try {
      const caller = await this.#identify(exchange, host, c.req.query("api_key"));
      const opening = await prepare(caller);
      const leave = exchange.isPassedOn === true ? () => undefined : await this.#enter(caller);
      return await this.#upgrade(exchange, opening, leave);
    } catch (thrown) {
      const error = toAppError(thrown);
      const code = codeFor(error);
      if (code === undefined || exchange.header("origin") === undefined) throw error;
      // A page cannot read the status of a refused upgrade, but it can read why a socket is closed.
      return exchange.upgrade((channel) => channel.close(code, error.message));
    }
  }

  /** Ends all connections: another server may take over. */
  close(): void {
    for (const channel of this.#open) channel.close(closeCodes.restart, "The server restarts.");
  }

  async #identify(
    exchange: Exchange,
    host: DoorHost,
    ofQuery: string | undefined,
  ): Promise<Caller> {
    const key = readShownKey(exchange, ofQuery);
    const { identify } = this.#options;
    const caller = await (identify === undefined
      ? host.identify(withKey(exchange, key))
      : identify(key, exchange));
    return keepHeaders(caller);
  }

  async #enter(caller: Caller): Promise<() => void> {
    const leave = await this.#connections.open(caller);
    if (leave !== undefined) return leave;
    const { maxConnectionsPerKey: most } = this.#options;
    const message = {
      en: `This key has ${most} connections open, and no more are allowed at once.`,
      zh: `此密钥已有 ${most} 个连接，已达到上限。`,
    };
    throw new AppError("rate_limited", message, { retryAfter: 5 });
  }

  /** @param leave gives the connection's place back, also where the handshake comes to nothing */
  async #upgrade(exchange: Exchange, opening: Opening, leave: () => void): Promise<Response> {
    exchange.onClose(leave);
    const take = async (channel: Channel): Promise<void> => {
      this.#open.add(channel);
      try {
        await opening.serve(channel);
      } finally {
        this.#open.delete(channel);
        leave();
      }
    };
    try {
      const opened = exchange.upgrade?.((channel) => void take(channel), opening.owner);
      return await (opened ?? Promise.reject(this.#noSocket()));
    } catch (thrown) {
      leave();
      throw thrown;
    }
  }

  #noSocket(): AppError {
    const { path } = this.#options;
    const message: Message = {
      en: `Open ${path} as a WebSocket: send Connection: Upgrade and Upgrade: websocket, in HTTP/1.1.`,
      zh: `请以 WebSocket 方式打开 ${path}：使用 HTTP/1.1 发送 Connection: Upgrade 和 Upgrade: websocket。`,
    };
    return new AppError("upgrade_required", message);
  }
}

/** A caller for longer than its request: of that it keeps the headers that travel on. The key is ours. */
export function keepHeaders(caller: Caller): Caller {
  const { "x-api-key": _, ...headers } = caller.forward();
  return { ...caller, forward: () => headers };
}

/** The head as if the key had come in its header. */
function withKey(exchange: Exchange, key: string): Pick<Exchange, "header" | "headerNames"> {
  return {
    header: (name) => (name === "x-api-key" && key !== "" ? key : exchange.header(name)),
    headerNames: () => exchange.headerNames(),
  };
}

function codeFor({ code }: AppError): number | undefined {
  if (code === "unauthorized") return closeCodes.unauthorized;
  if (code === "not_found") return closeCodes.notFound;
  return code === "rate_limited" ? closeCodes.tooMany : undefined;
}

/** A page cannot set headers of its sockets; ours names its key as a subprotocol, in base64url. */
export const keyProtocol = "rightseat.key.";

/**
 * The key of an upgrade request: of its header, else of the subprotocol, else of the query.
 *
 * @param ofQuery the query's `api_key`
 * @returns "" where there is none
 */
function readShownKey(head: Pick<Exchange, "header">, ofQuery: string | undefined): string {
  const offered = (head.header("sec-websocket-protocol") ?? "").split(",").map((one) => one.trim());
  const named = offered.find((one) => one.startsWith(keyProtocol));
  return head.header("x-api-key") || decode(named?.slice(keyProtocol.length)) || (ofQuery ?? "");
}

function decode(base64url: string | undefined): string {
  if (base64url === undefined) return "";
  try {
    const bytes = Uint8Array.from(
      atob(base64url.replaceAll("-", "+").replaceAll("_", "/")),
      (sign) => sign.charCodeAt(0),
    );
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}

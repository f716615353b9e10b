// What doors that open WebSockets share: who asks, how many connections they may have, and the end of them all.
import type { Context } from "hono";
import { AppError, type ErrorCode, toAppError } from "../../base/errors/app-error.ts";
import { type Channel, closeCodes } from "../../base/wire/channel.ts";
import type { Exchange } from "../../base/wire/exchange.ts";
import { type Connections, createConnections, draining } from "../../run/admissions.ts";
import type { Caller } from "../../turn/chat-model.ts";
import { fromBase64Url } from "../../base/wire/bytes.ts";
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

export function createSockets({ path, maxConnectionsPerKey: most, ...options }: SocketOptions) {
  const { identify, connections = createConnections(most) } = options;
  const channels = new Set<Channel>();

  const noSocket = (): AppError =>
    new AppError("upgrade_required", {
      en: `Open ${path} as a WebSocket: send Connection: Upgrade and Upgrade: websocket, in HTTP/1.1.`,
      zh: `请以 WebSocket 方式打开 ${path}：使用 HTTP/1.1 发送 Connection: Upgrade 和 Upgrade: websocket。`,
    });

  async function enter(caller: Caller): Promise<() => void> {
    const leave = await connections.open(caller);
    if (leave !== undefined) return leave;
    const message = {
      en: `This key has ${most} connections open, and no more are allowed at once.`,
      zh: `此密钥已有 ${most} 个连接，已达到上限。`,
    };
    throw new AppError("rate_limited", message, { retryAfter: 5 });
  }

  /** @param leave gives the connection's place back, also where the handshake comes to nothing */
  async function upgrade(
    exchange: Exchange,
    opening: Opening,
    leave: () => void,
  ): Promise<Response> {
    exchange.onClose(leave);
    const take = async (channel: Channel): Promise<void> => {
      channels.add(channel);
      try {
        await opening.serve(channel);
      } finally {
        channels.delete(channel);
        leave();
      }
    };
    try {
      const opened = exchange.upgrade?.((channel) => void take(channel), opening.owner);
      return await (opened ?? Promise.reject(noSocket()));
    } catch (thrown) {
      leave();
      throw thrown;
    }
  }

  return {
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
      if (exchange.upgrade === undefined) throw noSocket();
      if (host.isDraining) throw draining();
      try {
        const key = readShownKey(exchange, c.req.query("api_key"));
        const identified = identify?.(key, exchange) ?? host.identify(withKey(exchange, key));
        const caller = keepHeaders(await identified);
        const opening = await prepare(caller);
        const leave = exchange.isPassedOn === true ? () => undefined : await enter(caller);
        return await upgrade(exchange, opening, leave);
      } catch (thrown) {
        const error = toAppError(thrown);
        const code = closing[error.code];
        if (code === undefined || exchange.header("origin") === undefined) throw error;
        // A page cannot read the status of a refused upgrade, but it can read why a socket is closed.
        return exchange.upgrade((channel) => channel.close(code, error.message));
      }
    },
    /** Ends all connections: another server may take over. */
    close(): void {
      for (const channel of channels) channel.close(closeCodes.restart, "The server restarts.");
    },
  };
}

const closing: Partial<Record<ErrorCode, number>> = {
  unauthorized: closeCodes.unauthorized,
  not_found: closeCodes.notFound,
  rate_limited: closeCodes.tooMany,
};

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

function decode(base64url = ""): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(fromBase64Url(base64url));
  } catch {
    return "";
  }
}

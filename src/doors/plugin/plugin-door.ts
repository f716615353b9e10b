import type { Context, Handler } from "hono";
import { type KeyRing, createApiKeys, createKeyRing } from "../../run/auth/api-keys.ts";
import { createForward } from "../../run/auth/guards.ts";
import { AppError, toAppError } from "../../base/errors/app-error.ts";
import { type Connections, createConnections } from "../../run/admissions.ts";
import { type Caller, nameCaller } from "../../turn/chat-model.ts";
import { type Channel, closeCodes } from "../../base/wire/channel.ts";
import type { Exchange } from "../../base/wire/exchange.ts";
import type { Door, DoorEnv, DoorHost } from "../http/door.ts";
import type { ModelTimes } from "./plugin-models.ts";
import { PluginConnection } from "./plugin-connection.ts";
import { type TestTasks, createTestTasks } from "./test-tasks.ts";

export interface PluginOptions extends ModelTimes {
  /** As `createKeyRing` takes them; where there are none, the keys and tokens of all doors let in. */
  pluginKeys: readonly string[];
  /** The keys of all doors. */
  apiKeys: readonly string[];
  /** Headers that travel on to the platform, as `createForward` takes them. */
  forwardHeaders: readonly string[];
  maxConnectionsPerKey: number;
  /** Milliseconds. */
  pluginIdleTimeout: number;
  /** Whether the test page is served. */
  testPage: boolean;
}

/**
 * `WS /ws`: the protocol of IDE plugins that keep one WebSocket open (plugin document, section 2), and the page
 * to try it on (section 1), where it is switched on.
 *
 * @param page the HTML of that page
 */
export function pluginDoor(options: PluginOptions, page?: string): Door {
  const house = new PluginHouse(options);
  return {
    name: "plugin",
    mount(app, host) {
      const tasks = createTestTasks(() => host.now());
      app.get("/ws", (c) => house.open(c, host, tasks));
      if (options.testPage && page !== undefined) app.get("/simpletest2025", serveTestPage(page));
    },
    close: () => house.close(),
  };
}

/** What all connections of a door share. */
class PluginHouse {
  readonly #options: PluginOptions;
  readonly #keys: KeyRing | undefined;
  readonly #connections: Connections;
  readonly #open = new Set<Channel>();

  constructor(options: PluginOptions) {
    this.#options = options;
    const { pluginKeys, maxConnectionsPerKey } = options;
    this.#keys = pluginKeys.length === 0 ? undefined : createKeyRing(pluginKeys);
    this.#connections = createConnections(maxConnectionsPerKey);
  }

  /** @throws AppError `upgrade_required`, `draining`, `unauthorized`, `rate_limited` */
  async open(c: Context<DoorEnv>, host: DoorHost, tasks: TestTasks): Promise<Response> {
    const { exchange } = c.env;
    if (exchange.upgrade === undefined) throw noSocket();
    if (host.isDraining)
      throw new AppError("draining", {
        en: "This server is shutting down.",
        zh: "此服务正在关闭。",
      });
    try {
      const caller = await this.#identify(exchange, host, c.req.query("api_key"));
      const leave = await this.#enter(caller);
      return await this.#upgrade(exchange, { caller, host, tasks }, leave);
    } catch (thrown) {
      const error = toAppError(thrown);
      const code = codeFor(error);
      if (code === undefined || exchange.header("origin") === undefined) throw error;
      // A page cannot read the status of a refused upgrade, but it can read why a socket is closed.
      return exchange.upgrade((channel) => channel.close(code, error.message));
    }
  }

  async close(): Promise<void> {
    for (const channel of this.#open) channel.close(closeCodes.restart, "The server restarts.");
  }

  async #identify(
    exchange: Exchange,
    host: DoorHost,
    ofQuery: string | undefined,
  ): Promise<Caller> {
    const key = readShownKey(exchange, ofQuery);
    const caller = await (this.#keys === undefined
      ? host.identify(withKey(exchange, key))
      : this.#findCaller(this.#keys, key, exchange));
    // The connection may be open for days: it keeps the headers, and nothing else of the request. The key is ours.
    const { "x-api-key": _, ...headers } = caller.forward();
    return { ...caller, forward: () => headers };
  }

  async #findCaller(keys: KeyRing, key: string, exchange: Exchange): Promise<Caller> {
    const keyId = await keys.find(key);
    if (keyId === undefined)
      throw new AppError("unauthorized", {
        en: "Send a valid key, as X-Api-Key: KEY or ?api_key=KEY.",
        zh: "请发送有效的密钥：X-Api-Key: KEY 或 ?api_key=KEY。",
      });
    const { forwardHeaders, apiKeys } = this.#options;
    const forward = createForward(forwardHeaders, createApiKeys([...apiKeys, key]));
    return { keyId, forward: () => forward(exchange) };
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
  async #upgrade(
    exchange: Exchange,
    parts: { caller: Caller; host: DoorHost; tasks: TestTasks },
    leave: () => void,
  ): Promise<Response> {
    exchange.onClose(leave);
    try {
      const take = (channel: Channel): void => void this.#serve({ channel, ...parts }, leave);
      const owner = nameCaller(parts.caller) ?? "anyone";
      return await (exchange.upgrade?.(take, owner) ?? Promise.reject(noSocket()));
    } catch (thrown) {
      leave();
      throw thrown;
    }
  }

  async #serve(
    parts: { channel: Channel; caller: Caller; host: DoorHost; tasks: TestTasks },
    leave: () => void,
  ): Promise<void> {
    this.#open.add(parts.channel);
    const { pluginIdleTimeout: idleTimeout, ...modelTimes } = this.#options;
    try {
      await new PluginConnection({ ...parts, idleTimeout, modelTimes }).serve();
    } finally {
      this.#open.delete(parts.channel);
      leave();
    }
  }
}

/** The head as if the key had come in its header. */
function withKey(exchange: Exchange, key: string): Pick<Exchange, "header" | "headerNames"> {
  return {
    header: (name) => (name === "x-api-key" && key !== "" ? key : exchange.header(name)),
    headerNames: () => exchange.headerNames(),
  };
}

function noSocket(): AppError {
  const message = {
    en: "Open /ws as a WebSocket: send Connection: Upgrade and Upgrade: websocket, in HTTP/1.1.",
    zh: "请以 WebSocket 方式打开 /ws：使用 HTTP/1.1 发送 Connection: Upgrade 和 Upgrade: websocket。",
  };
  return new AppError("upgrade_required", message);
}

function codeFor({ code }: AppError): number | undefined {
  if (code === "unauthorized") return closeCodes.unauthorized;
  return code === "rate_limited" ? closeCodes.tooMany : undefined;
}

/**
 * Answers with the test page, whose policy lets nothing run but its own script and style, nothing be loaded, and
 * nothing be reached but this server. `'self'` holds for its WebSockets, too (CSP level 3).
 */
function serveTestPage(file: string): Handler<DoorEnv> {
  // Browsers hash the text after they have done the same.
  const page = file.replaceAll("\r\n", "\n");
  let policy: Promise<string> | undefined;
  return async (c) =>
    c.html(page, 200, {
      "content-security-policy": await (policy ??= createPolicy(page)),
      "cache-control": "no-cache",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
}

async function createPolicy(page: string): Promise<string> {
  const [script, style] = [await hashOf(page, "script"), await hashOf(page, "style")];
  return [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${style}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Of all between the tags of the only element of this name, to the byte. */
async function hashOf(page: string, tag: "script" | "style"): Promise<string> {
  const from = page.indexOf(`<${tag}>`) + `<${tag}>`.length;
  const bytes = new TextEncoder().encode(page.slice(from, page.indexOf(`</${tag}>`, from)));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `'sha256-${btoa(String.fromCharCode(...hash))}'`;
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

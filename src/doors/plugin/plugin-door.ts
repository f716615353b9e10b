import type { Handler } from "hono";
import { createKeyRing } from "../../run/auth/api-keys.ts";
import { type GuardSettings, createForward } from "../../run/auth/guards.ts";
import { AppError } from "../../base/errors/app-error.ts";
import { type Caller, nameCaller } from "../../turn/chat-model.ts";
import type { Exchange } from "../../base/wire/exchange.ts";
import type { Door, DoorEnv, DoorHost } from "../http/door.ts";
import { type Opening, createSockets } from "../http/sockets.ts";
import type { ModelTimes } from "./plugin-models.ts";
import { PluginConnection } from "./plugin-connection.ts";
import { createTestTasks } from "./test-tasks.ts";

export interface PluginOptions
  extends ModelTimes, Pick<GuardSettings, "apiKeys" | "forwardHeaders"> {
  /** As `createKeyRing` takes them; where there are none, the keys and tokens of all doors let in. */
  pluginKeys: readonly string[];
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
  const { maxConnectionsPerKey, pluginIdleTimeout: idleTimeout, ...modelTimes } = options;
  const identify = createIdentify(options);
  const sockets = createSockets({ path: "/ws", maxConnectionsPerKey, identify });
  return {
    name: "plugin",
    mount(app, host) {
      const tasks = createTestTasks(() => host.now());
      const open = (caller: Caller): Opening => ({
        owner: nameCaller(caller) ?? "anyone",
        serve: (channel) =>
          new PluginConnection({ channel, caller, host, tasks, idleTimeout, modelTimes }).serve(),
      });
      app.get("/ws", (c) => sockets.open(c, host, open));
      if (options.testPage && page !== undefined)
        app.get("/simpletest2025", serveTestPage(page, host));
    },
    close: async () => sockets.close(),
  };
}

/** Of plugins, where they have keys of their own. */
function createIdentify({
  pluginKeys,
  apiKeys,
  forwardHeaders,
}: PluginOptions): ((key: string, exchange: Exchange) => Promise<Caller>) | undefined {
  if (pluginKeys.length === 0) return undefined;
  const keys = createKeyRing(pluginKeys);
  return async (key, exchange) => {
    const keyId = await keys.find(key);
    if (keyId === undefined)
      throw new AppError("unauthorized", {
        en: "Send a valid key, as X-Api-Key: KEY or ?api_key=KEY.",
        zh: "请发送有效的密钥：X-Api-Key: KEY 或 ?api_key=KEY。",
      });
    const forward = createForward(forwardHeaders, [...apiKeys, key]);
    return { keyId, forward: () => forward(exchange) };
  };
}

/**
 * Answers with the test page, whose policy lets nothing run but its own script and style, nothing be loaded, and
 * nothing be reached but this server. `'self'` holds for its WebSockets, too (CSP level 3).
 */
function serveTestPage(page: string, host: DoorHost): Handler<DoorEnv> {
  return (c) => {
    const nonce = host.createId();
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ];
    const named = page.replaceAll(/<(?:script|style)(?=>)/g, `$& nonce="${nonce}"`);
    return c.html(named, 200, {
      "content-security-policy": policy.join("; "),
      "cache-control": "no-cache",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  };
}

import { getLogger } from "@logtape/logtape";
import { nameCause } from "../base/errors/describe-cause.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { TopicWire } from "../store/sqlite-store.node.ts";
import type { Store } from "../store/store.ts";
import { type Config, ConfigError } from "./config.ts";

/**
 * Opens the store that the settings name.
 *
 * @param wire how processes that share one file of SQLite tell each other what is published
 * @throws ConfigError where its file cannot be opened, or the package for Redis is missing
 */
export async function createStore(
  { store }: Pick<Config, "store">,
  wire?: TopicWire,
): Promise<Store> {
  if (store === "memory") return createMemoryStore({ now: Date.now });
  const path = fileOf(store);
  if (path !== undefined) return openFile(path, wire);
  try {
    const { openRedisStore } = await import("../store/redis-store.node.ts");
    return await openRedisStore({ url: store, onConnection: logConnection });
  } catch (thrown) {
    if (!(thrown instanceof Error) || Reflect.get(thrown, "code") !== "ERR_MODULE_NOT_FOUND")
      throw thrown;
    throw new ConfigError(
      "RIGHTSEAT_STORE: Redis needs the package ioredis. Install it beside Rightseat: npm install ioredis@6",
    );
  }
}

/** The store in words, without passwords: `memory`, `sqlite:/var/lib/rightseat.db`, `redis at host:6379`. */
export function describeStore({ store }: Pick<Config, "store">): string {
  if (store === "memory" || fileOf(store) !== undefined) return store;
  return `redis at ${new URL(store).host}`;
}

function fileOf(store: string): string | undefined {
  return store.startsWith("sqlite:") ? store.slice("sqlite:".length) : undefined;
}

async function openFile(path: string, wire: TopicWire | undefined): Promise<Store> {
  const { openSqliteStore } = await import("../store/sqlite-store.node.ts");
  try {
    return openSqliteStore({ path, now: Date.now, wire });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ConfigError(`RIGHTSEAT_STORE: ${path} cannot be opened: ${reason}`);
  }
}

function logConnection(isConnected: boolean, cause: unknown): void {
  const log = getLogger(["rightseat", "app"]);
  if (isConnected) log.warn("Redis can be reached again");
  else log.warn("Redis cannot be reached ({cause})", { cause: nameCause(cause) || "no answer" });
}

import type { CommonRedisOptions } from "ioredis";
import { type Store, Topics, storeUnavailable } from "./store.ts";

export interface RedisStoreParts {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  url: string;
  /** Milliseconds in which a server answers, or has failed. */
  timeout?: number;
  /** Is told when the server cannot be reached any more, and when it can be again. */
  onConnection?: (isConnected: boolean, cause?: unknown) => void;
}

/** All names begin so; where Redis is shared with others, a database of its own is better. */
const prefix = "rightseat";
const defaultTimeout = 2_000;

/**
 * A store that all machines share which reach one Redis (7 or newer). A command is sent once: one that was not
 * answered fails, and may have been done.
 *
 * @throws Error with the code ERR_MODULE_NOT_FOUND where the package ioredis is not installed. A server that does not
 * answer is none: calls fail until it does
 */
export async function openRedisStore({
  url,
  timeout = defaultTimeout,
  onConnection = () => undefined,
}: RedisStoreParts): Promise<Store> {
  const { Redis } = await import("ioredis");
  const options: Omit<CommonRedisOptions, "replyMapping"> = {
    lazyConnect: true,
    connectTimeout: timeout,
    commandTimeout: timeout,
    // A connection over which nothing comes back is given up.
    socketTimeout: 2 * timeout,
    // A command that waited for the next connection would be done long after it has failed.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * times, 1_000) + Math.random() * 100,
  };
  const [client, subscriber] = [new Redis(url, options), new Redis(url, options)];
  const topics = new Topics();
  const gaps = new Set<() => void>();
  let cause: unknown;
  let isConnected = true;
  client.on("error", (error) => (cause = error));
  client.on("ready", () => {
    if (!isConnected) onConnection(true);
    isConnected = true;
  });
  client.on("reconnecting", () => {
    if (isConnected) onConnection(false, cause);
    isConnected = false;
  });
  subscriber.on("message", (channel: string, message: string) =>
    topics.tell(channel.slice(nameOf("topic", "").length), message),
  );
  subscriber.on("error", () => undefined);
  subscriber.on("ready", () => {
    // As good as no connection: the next one tries again.
    resubscribe().catch(() => subscriber.disconnect(true));
  });
  const opened = Promise.allSettled([client.connect(), subscriber.connect()]);
  // Pings keep it apart from one that hangs.
  const heartbeat = setInterval(() => {
    subscriber.ping().catch(() => undefined);
  }, timeout).unref();

  async function resubscribe(): Promise<void> {
    const channels = topics.names().map((topic) => nameOf("topic", topic));
    if (channels.length === 0) return;
    await subscriber.subscribe(...channels);
    for (const tell of gaps) tell();
  }

  async function ask<Result>(command: () => Promise<Result>): Promise<Result> {
    await opened;
    try {
      return await command();
    } catch (thrown) {
      // The package's own errors hold the command, and so what people have said.
      const { name, message } = thrown instanceof Error ? thrown : new Error("unknown");
      throw storeUnavailable(Object.assign(new Error(message), { name }));
    }
  }

  const run = (
    script: string,
    names: readonly string[],
    values: readonly (string | number | undefined)[],
  ): Promise<unknown> => {
    const given = values.map((value) => value ?? "");
    return ask(() => client.call("EVAL", [script, names.length, ...names, ...given]));
  };

  return {
    get: async (key) => (await ask(() => client.get(nameOf("text", key)))) ?? undefined,
    async put(key, value, { ttl, ifValue } = {}) {
      const wanted = ifValue === undefined ? [] : [ifValue === null ? "" : `=${ifValue}`];
      return (await run(put, [nameOf("text", key)], [value, ttl, ...wanted])) === 1;
    },
    async delete(key) {
      // In a cluster they may be in two slots.
      const names = [nameOf("text", key), nameOf("log", key)];
      await ask(() => Promise.all(names.map((name) => client.unlink(name))));
    },
    async append(log, entries, { id, ttl, lease }) {
      const held = lease === undefined ? [] : [nameOf("text", lease.key)];
      const names = [nameOf("log", log), ...held];
      const position = await run(append, names, [id, ttl, lease?.token, ...entries]);
      return position === null ? undefined : Number(position);
    },
    // The script answers a list of texts.
    read: async (log, from, limit) =>
      (await run(read, [nameOf("log", log)], [from, limit])) as string[],
    lengthOf: async (log) => Number(await ask(() => client.hget(nameOf("log", log), "length"))),
    publish: async (topic, message) =>
      void (await ask(() => client.publish(nameOf("topic", topic), message))),
    async subscribe(topic, listener, onGap) {
      await opened;
      const channel = nameOf("topic", topic);
      const forget = topics.add(topic, listener);
      const gap = (): void => onGap?.();
      gaps.add(gap);
      const leave = (): void => {
        gaps.delete(gap);
        if (forget()) subscriber.unsubscribe(channel).catch(() => undefined);
      };
      try {
        await ask(() => subscriber.subscribe(channel));
      } catch (thrown) {
        leave();
        throw thrown;
      }
      return leave;
    },
    async close() {
      clearInterval(heartbeat);
      await opened;
      // What was sent is answered first.
      await Promise.allSettled([client.quit(), subscriber.quit()]);
      client.disconnect();
      subscriber.disconnect();
    },
  };
}

/** What is between the braces of a key decides its slot. */
function nameOf(kind: "text" | "log" | "topic", key: string): string {
  return `${prefix}:${kind}:${key}`;
}

// A log is a hash, so that all of it is in one slot and ends at one time.

const expire = (time: string): string => `
  if ${time} == "" then redis.call("PERSIST", KEYS[1]) else redis.call("PEXPIRE", KEYS[1], ${time}) end`;

const put = `
  local now = redis.call("GET", KEYS[1])
  if ARGV[3] and ARGV[3] ~= (now and "=" .. now or "") then return 0 end
  redis.call("SET", KEYS[1], ARGV[1])
  ${expire("ARGV[2]")}
  return 1`;

const append = `
  local known = redis.call("HGET", KEYS[1], "id:" .. ARGV[1])
  if known then return tonumber(known) end
  if KEYS[2] and redis.call("GET", KEYS[2]) ~= ARGV[3] then return false end
  local length = tonumber(redis.call("HGET", KEYS[1], "length") or "0")
  for nth = 4, #ARGV do redis.call("HSET", KEYS[1], length + nth - 4, ARGV[nth]) end
  redis.call("HSET", KEYS[1], "id:" .. ARGV[1], length, "length", length + #ARGV - 3)
  ${expire("ARGV[2]")}
  return length`;

const read = `
  local length = tonumber(redis.call("HGET", KEYS[1], "length") or "0")
  local entries = {}
  for at = tonumber(ARGV[1]), math.min(length, ARGV[1] + ARGV[2]) - 1 do
    entries[#entries + 1] = redis.call("HGET", KEYS[1], at)
  end
  return entries`;

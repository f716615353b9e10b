import type { CommonRedisOptions, Redis } from "ioredis";
import {
  type AppendOptions,
  type PutOptions,
  type Store,
  Topics,
  storeUnavailable,
} from "./store.ts";

export interface RedisStoreParts {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  url: string;
  /** Milliseconds in which a server answers, or has failed. */
  timeout?: number;
  /** Is told when the server cannot be reached any more, and when it can be again. */
  onConnection?: (isConnected: boolean, cause?: unknown) => void;
}

type Options = Omit<CommonRedisOptions, "replyMapping">;

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
export async function openRedisStore(parts: RedisStoreParts): Promise<Store> {
  const { Redis } = await import("ioredis");
  return new RedisStore((options) => new Redis(parts.url, options), parts);
}

class RedisStore implements Store {
  readonly #client: Redis;
  /** Pings keep it apart from one that hangs. */
  readonly #subscriber: Redis;
  readonly #opened: Promise<unknown>;
  readonly #topics = new Topics();
  readonly #gaps = new Set<() => void>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(
    create: (options: Options) => Redis,
    { timeout = defaultTimeout, onConnection = () => undefined }: Omit<RedisStoreParts, "url">,
  ) {
    const options: Options = {
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
    this.#client = create(options);
    this.#subscriber = create(options);
    let cause: unknown;
    let isConnected = true;
    this.#client.on("error", (error) => (cause = error));
    this.#client.on("ready", () => {
      if (!isConnected) onConnection(true);
      isConnected = true;
    });
    this.#client.on("reconnecting", () => {
      if (isConnected) onConnection(false, cause);
      isConnected = false;
    });
    this.#listen(this.#subscriber);
    this.#opened = Promise.allSettled([this.#client.connect(), this.#subscriber.connect()]);
    this.#heartbeat = setInterval(() => {
      this.#subscriber.ping().catch(() => undefined);
    }, timeout);
    this.#heartbeat.unref();
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#ask((redis) => redis.get(nameOf("text", key)))) ?? undefined;
  }

  async put(key: string, value: string, { ttl, ifValue }: PutOptions = {}): Promise<boolean> {
    const wanted = ifValue === undefined ? [] : [ifValue === null ? "" : `=${ifValue}`];
    return (await this.#run(put, [nameOf("text", key)], [value, ttl, ...wanted])) === 1;
  }

  async delete(key: string): Promise<void> {
    // In a cluster they may be in two slots.
    await this.#ask((redis) =>
      Promise.all([redis.unlink(nameOf("text", key)), redis.unlink(nameOf("log", key))]),
    );
  }

  async append(log: string, entries: readonly string[], { id, ttl, lease }: AppendOptions) {
    const position = await this.#run(
      append,
      [nameOf("log", log), ...(lease === undefined ? [] : [nameOf("text", lease.key)])],
      [id, ttl, lease?.token, ...entries],
    );
    return position === null ? undefined : Number(position);
  }

  async read(log: string, from: number, limit: number): Promise<readonly string[]> {
    // The script answers a list of texts.
    return (await this.#run(read, [nameOf("log", log)], [from, limit])) as string[];
  }

  async lengthOf(log: string): Promise<number> {
    return Number(await this.#ask((redis) => redis.hget(nameOf("log", log), "length")));
  }

  async publish(topic: string, message: string): Promise<void> {
    await this.#ask((redis) => redis.publish(nameOf("topic", topic), message));
  }

  async subscribe(topic: string, listener: (message: string) => void, onGap?: () => void) {
    await this.#opened;
    const channel = nameOf("topic", topic);
    const forget = this.#topics.add(topic, listener);
    const gap = (): void => onGap?.();
    this.#gaps.add(gap);
    const leave = (): void => {
      this.#gaps.delete(gap);
      if (forget()) this.#subscriber.unsubscribe(channel).catch(() => undefined);
    };
    try {
      await this.#ask(() => this.#subscriber.subscribe(channel));
    } catch (thrown) {
      leave();
      throw thrown;
    }
    return leave;
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#opened;
    // What was sent is answered first.
    await Promise.allSettled([this.#client.quit(), this.#subscriber.quit()]);
    this.#client.disconnect();
    this.#subscriber.disconnect();
  }

  #listen(subscriber: Redis): void {
    const start = nameOf("topic", "").length;
    subscriber.on("message", (channel: string, message: string) =>
      this.#topics.tell(channel.slice(start), message),
    );
    subscriber.on("error", () => undefined);
    subscriber.on("ready", () => {
      // As good as no connection: the next one tries again.
      this.#resubscribe().catch(() => subscriber.disconnect(true));
    });
  }

  async #resubscribe(): Promise<void> {
    const channels = this.#topics.names().map((topic) => nameOf("topic", topic));
    if (channels.length === 0) return;
    await this.#subscriber.subscribe(...channels);
    for (const tell of this.#gaps) tell();
  }

  async #ask<Result>(command: (redis: Redis) => Promise<Result>): Promise<Result> {
    await this.#opened;
    try {
      return await command(this.#client);
    } catch (thrown) {
      // The package's own errors hold the command, and so what people have said.
      const { name, message } = thrown instanceof Error ? thrown : new Error("unknown");
      throw storeUnavailable(Object.assign(new Error(message), { name }));
    }
  }

  #run(
    script: string,
    names: readonly string[],
    values: readonly (string | number | undefined)[],
  ): Promise<unknown> {
    const given = values.map((value) => value ?? "");
    return this.#ask((redis) => redis.call("EVAL", [script, names.length, ...names, ...given]));
  }
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

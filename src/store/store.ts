import { AppError } from "../base/errors/app-error.ts";

/**
 * A port: what several tasks, processes or machines share, as texts below keys. Values, logs and topics have names of
 * their own; a value and a log may have the same one. All that is kept for one session begins with the same `{id}`, so
 * that one slot of a Redis cluster has it. Texts are well-formed Unicode.
 *
 * Whatever fails throws an AppError `store_unavailable`; nothing is retried here.
 */
export interface Store {
  get(key: string): Promise<string | undefined>;
  /** @returns false where `ifValue` is not what is there by now, and nothing was written */
  put(key: string, value: string, options?: PutOptions): Promise<boolean>;
  /** Deletes the value and the log of this name. */
  delete(key: string): Promise<void>;
  /**
   * Adds entries to a log, all or none of them.
   *
   * @returns the position of the first: where they are already if this `id` was given before (then nothing is added,
   * whoever has the lease by now); undefined where the lease that is asked for is held no longer
   */
  append(
    log: string,
    entries: readonly string[],
    options: AppendOptions,
  ): Promise<number | undefined>;
  /** Entries from a position on, `limit` at most; positions are counted from 0 without gaps. */
  read(log: string, from: number, limit: number): Promise<readonly string[]>;
  /** How many entries a log has. */
  lengthOf(log: string): Promise<number>;
  /** Reaches all that have subscribed by now, in every process; who comes later reads the log. */
  publish(topic: string, message: string): Promise<void>;
  /**
   * Messages of one publisher come in their order; the listener does not throw.
   *
   * @param onGap messages may have been lost here, since a connection was: read the log
   * @returns ends it; resolves when messages come from here on
   */
  subscribe(
    topic: string,
    listener: (message: string) => void,
    onGap?: () => void,
  ): Promise<() => void>;
  close(): Promise<void>;
}

export interface PutOptions {
  /** Milliseconds after which it is gone, 0: at once; kept for ever where absent. */
  ttl?: number | undefined;
  /** Written only where this is there; null: only where nothing is. */
  ifValue?: string | null;
}

export interface AppendOptions {
  /** Names this append within its log, so that repeating it adds nothing. */
  id: string;
  /** Milliseconds after the last append after which the log is gone. */
  ttl?: number | undefined;
  /** Added only while this is held. Its key has the same `{id}` as the log. */
  lease?: Pick<Lease, "key" | "token"> | undefined;
}

/** A right that one process has at a time, until it ends or is given back: a value that nobody else writes. */
export interface Lease {
  key: string;
  /** Of this holder alone. */
  token: string;
  /** @returns false where it was lost meanwhile */
  renew(milliseconds: number): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * @param token nobody else has it
 * @returns undefined where somebody else holds it
 */
export async function takeLease(
  store: Store,
  key: string,
  token: string,
  milliseconds: number,
): Promise<Lease | undefined> {
  if (!(await store.put(key, token, { ifValue: null, ttl: milliseconds }))) return undefined;
  return {
    key,
    token,
    renew: (time) => store.put(key, token, { ifValue: token, ttl: time }),
    release: async () => void (await store.put(key, "", { ifValue: token, ttl: 0 })),
  };
}

/**
 * Writes what comes of a value, as often as somebody else writes meanwhile.
 *
 * @param change gives the next value from what is there; undefined leaves that as it is
 * @returns whether it was written
 */
export async function changeValue<Value>(
  store: Store,
  key: string,
  change: (now: Value | undefined) => Value | undefined | Promise<Value | undefined>,
  ttl?: number,
): Promise<boolean> {
  for (;;) {
    const found = await store.get(key);
    // Only who calls this writes there.
    const next = await change(found === undefined ? undefined : (JSON.parse(found) as Value));
    if (next === undefined) return false;
    if (await store.put(key, JSON.stringify(next), { ifValue: found ?? null, ttl })) return true;
  }
}

/** Entries that are read at once, of a log that may be long. */
export const pageLength = 500;

/** The entries of a log from a position on, `limit` at most. A store is asked for a page at a time. */
export async function readLog(
  store: Store,
  log: string,
  from = 0,
  limit = Infinity,
): Promise<string[]> {
  const entries: string[] = [];
  for (let isMore = true; isMore;) {
    const wanted = Math.min(pageLength, limit - entries.length);
    const page = await store.read(log, from + entries.length, wanted);
    entries.push(...page);
    isMore = page.length === pageLength && entries.length < limit;
  }
  return entries;
}

/** Answers at once what a store is asked, except for topics. */
export type Tables = {
  [Name in (typeof tableCalls)[number]]: (
    ...given: Parameters<Store[Name]>
  ) => Awaited<ReturnType<Store[Name]>>;
};

const tableCalls = ["get", "put", "delete", "append", "read", "lengthOf"] as const;
export type TableCall = (typeof tableCalls)[number];

/** Asks tables for what a call names. @throws Error where there is no such call */
export function askTables(tables: Tables, name: string, given: readonly unknown[]): unknown {
  const call = tableCalls.find((known) => known === name);
  if (call === undefined) throw new Error(`There is no call ${name}.`);
  // Name and arguments come from a store of `storeOf`.
  return (tables[call] as (...all: unknown[]) => unknown).call(tables, ...given);
}

/** A store that has its calls answered by tables, wherever these are. @throws AppError `store_unavailable` for what `ask` throws */
export function storeOf(
  ask: (call: TableCall, given: readonly unknown[]) => unknown,
  rest: Pick<Store, "publish" | "subscribe" | "close">,
): Store {
  const calls = tableCalls.map((call) => [
    call,
    async (...given: unknown[]): Promise<unknown> => {
      try {
        return await ask(call, given);
      } catch (thrown) {
        throw storeUnavailable(thrown);
      }
    },
  ]);
  // By their type, tables answer what a store promises.
  return { ...(Object.fromEntries(calls) as Omit<Store, keyof typeof rest>), ...rest };
}

/** What every adapter throws. The cause is for the log of the operator. */
export function storeUnavailable(cause: unknown): AppError {
  const message = {
    en: "The store of this server cannot be used at the moment.",
    zh: "此服务的存储暂时不可用。",
  };
  return new AppError("store_unavailable", message, { retryAfter: 1, cause });
}

type Listener = (message: string) => void;

/** Who listens to what, in this process. */
export class Topics {
  readonly #listeners = new Map<string, Set<Listener>>();

  tell(topic: string, message: string): void {
    const listeners = this.#listeners.get(topic);
    // Who is added meanwhile came too late, and who has left hears no more.
    for (const listener of new Set(listeners))
      if (listeners?.has(listener) === true) listener(message);
  }

  /** @returns ends it, and tells whether nobody listens to this topic any more */
  add(topic: string, listener: Listener): () => boolean {
    // One listener may be given twice.
    const own: Listener = (message) => listener(message);
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(own));
    return () => {
      const wasLast = listeners.delete(own) && listeners.size === 0;
      if (wasLast) this.#listeners.delete(topic);
      return wasLast;
    };
  }

  /** What anybody listens to. */
  names(): string[] {
    return [...this.#listeners.keys()];
  }
}

import { type Store, type Tables, Topics, askTables, storeOf } from "./store.ts";

export interface MemoryStoreParts {
  /** Milliseconds; what is kept for a time ends by it. */
  now: () => number;
  /** Characters of all that is kept; what would be more is refused. */
  maxCharacters?: number;
}

interface Kept {
  /** Infinity: for ever. */
  until: number;
  /** In characters, roughly. */
  size: number;
}

interface Log extends Kept {
  entries: string[];
  /** Where the entries of each append begin. */
  appends: Map<string, number>;
}

/** How often what is over is thrown away. */
const sweepInterval = 60_000;
/** The same where there is no room. */
const urgentSweepInterval = 1_000;
/** As many bytes, where all texts are ASCII. */
const defaultMaxCharacters = 256 * 1024 * 1024;
/** What a text takes beside its characters, roughly. */
const overhead = 64;

/** A store that ends with its process, and that only this process has. */
export function createMemoryStore(parts: MemoryStoreParts): Store {
  const tables = createTables(parts);
  const topics = new Topics();
  return storeOf((call, given) => askTables(tables, call, given), {
    publish: async (topic, message) => topics.tell(topic, message),
    subscribe: async (topic, listener) => topics.add(topic, listener),
    close: async () => undefined,
  });
}

function createTables({ now, maxCharacters = defaultMaxCharacters }: MemoryStoreParts): Tables {
  const values = new Map<string, { value: string } & Kept>();
  const logs = new Map<string, Log>();
  let size = 0;
  let swept = now();
  const end = (ttl: number | undefined): number => (ttl === undefined ? Infinity : now() + ttl);

  function drop(all: Map<string, Kept>, key: string): void {
    size -= all.get(key)?.size ?? 0;
    all.delete(key);
  }
  function find<Item extends Kept>(all: Map<string, Item>, key: string): Item | undefined {
    if ((all.get(key)?.until ?? Infinity) <= now()) drop(all, key);
    return all.get(key);
  }
  /** Nobody may ask again for what is over. */
  function sweep(): void {
    swept = now();
    for (const all of [values, logs]) for (const key of all.keys()) find<Kept>(all, key);
  }
  /** @throws Error where there is no room */
  function take(more: number): void {
    const interval = size + more > maxCharacters ? urgentSweepInterval : sweepInterval;
    if (now() - swept >= interval) sweep();
    if (size + more > maxCharacters) throw new Error("The store in memory is full.");
    size += more;
  }

  return {
    get: (key) => find(values, key)?.value,
    put(key, value, { ttl, ifValue } = {}) {
      const before = find(values, key);
      if (ifValue !== undefined && ifValue !== (before?.value ?? null)) return false;
      const own = sizeOf([key, value]);
      take(own - (before?.size ?? 0));
      values.set(key, { value, until: end(ttl), size: own });
      return true;
    },
    delete(key) {
      drop(values, key);
      drop(logs, key);
    },
    append(name, entries, { id, ttl, lease }) {
      const known = find(logs, name);
      const position = known?.appends.get(id);
      if (position !== undefined) return position;
      if (lease !== undefined && find(values, lease.key)?.value !== lease.token) return undefined;
      const more = sizeOf([id]) + sizeOf(entries);
      take(known === undefined ? more + sizeOf([name]) : more);
      const log: Log = known ?? { entries: [], appends: new Map(), size: sizeOf([name]), until: 0 };
      logs.set(name, log);
      log.appends.set(id, log.entries.length);
      for (const entry of entries) log.entries.push(entry);
      log.size += more;
      log.until = end(ttl);
      return log.entries.length - entries.length;
    },
    read: (log, from, limit) => find(logs, log)?.entries.slice(from, from + limit) ?? [],
    lengthOf: (log) => find(logs, log)?.entries.length ?? 0,
  };
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length + overhead, 0);
}

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
}

interface Log extends Kept {
  entries: string[];
  /** Where the entries of each append begin. */
  appends: Map<string, number>;
  size: number;
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

  function dropValue(key: string): void {
    const found = values.get(key);
    if (found !== undefined) size -= sizeOf([key, found.value]);
    values.delete(key);
  }
  function dropLog(name: string): void {
    size -= logs.get(name)?.size ?? 0;
    logs.delete(name);
  }
  function findValue(key: string): string | undefined {
    if ((values.get(key)?.until ?? Infinity) <= now()) dropValue(key);
    return values.get(key)?.value;
  }
  function findLog(name: string): Log | undefined {
    if ((logs.get(name)?.until ?? Infinity) <= now()) dropLog(name);
    return logs.get(name);
  }
  /** Nobody may ask again for what is over. */
  function sweep(): void {
    swept = now();
    for (const key of values.keys()) findValue(key);
    for (const name of logs.keys()) findLog(name);
  }
  /** @throws Error where there is no room */
  function take(more: number): void {
    const interval = size + more > maxCharacters ? urgentSweepInterval : sweepInterval;
    if (now() - swept >= interval) sweep();
    if (size + more > maxCharacters) throw new Error("The store in memory is full.");
    size += more;
  }

  return {
    get: findValue,
    put(key, value, { ttl, ifValue } = {}) {
      const before = findValue(key);
      if (ifValue !== undefined && ifValue !== (before ?? null)) return false;
      take(sizeOf([key, value]) - (before === undefined ? 0 : sizeOf([key, before])));
      values.set(key, { value, until: end(ttl) });
      return true;
    },
    delete(key) {
      dropValue(key);
      dropLog(key);
    },
    append(name, entries, { id, ttl, lease }) {
      const known = findLog(name);
      const position = known?.appends.get(id);
      if (position !== undefined) return position;
      if (lease !== undefined && findValue(lease.key) !== lease.token) return undefined;
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
    read: (log, from, limit) => findLog(log)?.entries.slice(from, from + limit) ?? [],
    lengthOf: (log) => findLog(log)?.entries.length ?? 0,
  };
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length + overhead, 0);
}

import {
  type AppendOptions,
  type PutOptions,
  type Store,
  Topics,
  storeUnavailable,
} from "./store.ts";

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
  return new MemoryStore(parts);
}

class MemoryStore implements Store {
  readonly #now: () => number;
  readonly #maxCharacters: number;
  readonly #values = new Map<string, { value: string } & Kept>();
  readonly #logs = new Map<string, Log>();
  readonly #topics = new Topics();
  #size = 0;
  #swept: number;

  constructor({ now, maxCharacters = defaultMaxCharacters }: MemoryStoreParts) {
    this.#now = now;
    this.#maxCharacters = maxCharacters;
    this.#swept = now();
  }

  async get(key: string): Promise<string | undefined> {
    return this.#findValue(key);
  }

  async put(key: string, value: string, { ttl, ifValue }: PutOptions = {}): Promise<boolean> {
    const before = this.#findValue(key);
    if (ifValue !== undefined && ifValue !== (before ?? null)) return false;
    this.#take(sizeOf([key, value]) - (before === undefined ? 0 : sizeOf([key, before])));
    this.#values.set(key, { value, until: this.#end(ttl) });
    return true;
  }

  async delete(key: string): Promise<void> {
    this.#dropValue(key);
    this.#dropLog(key);
  }

  async append(
    name: string,
    entries: readonly string[],
    { id, ttl, lease }: AppendOptions,
  ): Promise<number | undefined> {
    const known = this.#findLog(name);
    const position = known?.appends.get(id);
    if (position !== undefined) return position;
    if (lease !== undefined && this.#findValue(lease.key) !== lease.token) return undefined;
    const size = sizeOf([id]) + sizeOf(entries);
    this.#take(known === undefined ? size + sizeOf([name]) : size);
    const log: Log = known ?? { entries: [], appends: new Map(), size: sizeOf([name]), until: 0 };
    this.#logs.set(name, log);
    log.appends.set(id, log.entries.length);
    for (const entry of entries) log.entries.push(entry);
    log.size += size;
    log.until = this.#end(ttl);
    return log.entries.length - entries.length;
  }

  async read(log: string, from: number, limit: number): Promise<readonly string[]> {
    return this.#findLog(log)?.entries.slice(from, from + limit) ?? [];
  }

  async lengthOf(log: string): Promise<number> {
    return this.#findLog(log)?.entries.length ?? 0;
  }

  async publish(topic: string, message: string): Promise<void> {
    this.#topics.tell(topic, message);
  }

  async subscribe(topic: string, listener: (message: string) => void): Promise<() => void> {
    return this.#topics.add(topic, listener);
  }

  async close(): Promise<void> {
    this.#values.clear();
    this.#logs.clear();
  }

  #end(ttl: number | undefined): number {
    return ttl === undefined ? Infinity : this.#now() + ttl;
  }

  #isOver({ until }: Kept): boolean {
    return until <= this.#now();
  }

  #findValue(key: string): string | undefined {
    const found = this.#values.get(key);
    if (found === undefined || !this.#isOver(found)) return found?.value;
    this.#dropValue(key);
    return undefined;
  }

  #findLog(name: string): Log | undefined {
    const found = this.#logs.get(name);
    if (found === undefined || !this.#isOver(found)) return found;
    this.#dropLog(name);
    return undefined;
  }

  #dropValue(key: string): void {
    const found = this.#values.get(key);
    if (found !== undefined) this.#size -= sizeOf([key, found.value]);
    this.#values.delete(key);
  }

  #dropLog(name: string): void {
    this.#size -= this.#logs.get(name)?.size ?? 0;
    this.#logs.delete(name);
  }

  /** @throws AppError where there is no room */
  #take(size: number): void {
    const isFull = this.#size + size > this.#maxCharacters;
    this.#sweep(isFull ? urgentSweepInterval : sweepInterval);
    if (this.#size + size > this.#maxCharacters)
      throw storeUnavailable(new Error("The store in memory is full."));
    this.#size += size;
  }

  /** Nobody may ask again for what is over. */
  #sweep(interval = sweepInterval): void {
    if (this.#now() - this.#swept < interval) return;
    this.#swept = this.#now();
    for (const [key, value] of this.#values) if (this.#isOver(value)) this.#dropValue(key);
    for (const [name, log] of this.#logs) if (this.#isOver(log)) this.#dropLog(name);
  }
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length + overhead, 0);
}

import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
  type AppendOptions,
  type PutOptions,
  type Store,
  Topics,
  storeUnavailable,
} from "./store.ts";
import { type RunSql, SqlTables } from "./sql-tables.ts";

/** How what is published reaches the other processes of this machine: the file does not carry it. */
export interface TopicWire {
  send(topic: string, message: string): void;
  /** @param take is called with what others send */
  receive(take: (topic: string, message: string) => void): void;
}

export interface SqliteStoreParts {
  path: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Absent: what is published stays in this process. */
  wire?: TopicWire | undefined;
}

/** While others open the same file for the first time, in milliseconds. */
const openTimeout = 10_000;
/** How long the event loop may wait for another process, in milliseconds; writes wait on without it. */
const busyTimeout = 20;
/** How long writes wait for other processes, in milliseconds. */
const maxWait = 5_000;
/** Writes of one transaction, so that it does not hold the event loop. */
const maxBatch = 100;

/**
 * A store in one file, for all processes of one machine. What is acknowledged is on the disk.
 *
 * @throws Error where the file cannot be opened, is not a database, or was written by a newer version
 */
export function openSqliteStore(parts: SqliteStoreParts): Store {
  return new SqliteStore(parts);
}

interface Write {
  work: () => void;
  finish: () => void;
  fail: (cause: unknown) => void;
}

class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #tables: SqlTables;
  readonly #topics = new Topics();
  readonly #wire: TopicWire | undefined;
  /** The first ones are the next transaction's. */
  readonly #waiting: Write[] = [];
  /** When the writes that wait for another process fail. */
  #givesUp: number | undefined;

  constructor({ path, now, wire }: SqliteStoreParts) {
    createPrivate(path);
    this.#database = new DatabaseSync(path, { timeout: openTimeout });
    this.#tables = new SqlTables(createRun(this.#database), now);
    try {
      this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      this.#transact(() => this.#tables.migrate());
      this.#database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
    } catch (thrown) {
      this.#database.close();
      throw thrown;
    }
    this.#wire = wire;
    wire?.receive((topic, message) => this.#topics.tell(topic, message));
  }

  get(key: string) {
    return this.#read(() => this.#tables.get(key));
  }

  put(key: string, value: string, options?: PutOptions) {
    return this.#write(() => this.#tables.put(key, value, options));
  }

  delete(key: string) {
    return this.#write(() => this.#tables.delete(key));
  }

  append(log: string, entries: readonly string[], options: AppendOptions) {
    return this.#write(() => this.#tables.append(log, entries, options));
  }

  read(log: string, from: number, limit: number) {
    return this.#read(() => this.#tables.read(log, from, limit));
  }

  lengthOf(log: string) {
    return this.#read(() => this.#tables.lengthOf(log));
  }

  async publish(topic: string, message: string): Promise<void> {
    this.#wire?.send(topic, message);
    this.#topics.tell(topic, message);
  }

  async subscribe(topic: string, listener: (message: string) => void): Promise<() => void> {
    return this.#topics.add(topic, listener);
  }

  async close(): Promise<void> {
    if (!this.#database.isOpen) return;
    // What was begun is done.
    await this.#write(() => undefined).catch(() => undefined);
    this.#database.close();
  }

  async #read<Result>(work: () => Result): Promise<Result> {
    try {
      return work();
    } catch (thrown) {
      throw storeUnavailable(thrown);
    }
  }

  /** Writes that come together share a transaction, and so the wait for the disk. */
  #write<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      let finish = (): void => undefined;
      this.#waiting.push({
        work() {
          const result = work();
          finish = () => resolve(result);
        },
        finish: () => finish(),
        fail: (cause) => reject(storeUnavailable(cause)),
      });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const batch = this.#waiting.slice(0, maxBatch);
    try {
      this.#transact(() => {
        for (const { work } of batch) work();
      });
      for (const { finish } of batch) finish();
    } catch (thrown) {
      const now = performance.now();
      this.#givesUp ??= now + maxWait;
      if (isBusy(thrown) && now < this.#givesUp) {
        // Processes that met once do not meet at the same time again.
        setTimeout(() => this.#flush(), 1 + Math.random() * 10);
        return;
      }
      for (const { fail } of batch) fail(thrown);
    }
    this.#givesUp = undefined;
    this.#waiting.splice(0, batch.length);
    if (this.#waiting.length > 0) setImmediate(() => this.#flush());
  }

  #transact(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (thrown) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw thrown;
    }
  }
}

/** Conversations are nobody else's business. */
function createPrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
}

function createRun(database: DatabaseSync): RunSql {
  const statements = new Map<string, StatementSync>();
  return (text, ...values) => {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement.all(...values);
  };
}

function isBusy(thrown: unknown): boolean {
  // SQLITE_BUSY; the bytes above it say more of it.
  return thrown instanceof Error && (Number(Reflect.get(thrown, "errcode")) & 0xff) === 5;
}

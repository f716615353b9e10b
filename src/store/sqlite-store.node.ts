import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type Store, Topics, askTables, storeOf } from "./store.ts";
import { type RunSql, createSqlTables } from "./sql-tables.ts";

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
export function openSqliteStore({ path, now, wire }: SqliteStoreParts): Store {
  createPrivate(path);
  const database = new DatabaseSync(path, { timeout: openTimeout });
  const tables = createSqlTables(createRun(database), now);
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    transact(database, () => tables.migrate());
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
  const write = createWriter(database);
  const topics = new Topics();
  wire?.receive((topic, message) => topics.tell(topic, message));
  return storeOf(
    (call, given) => {
      const work = (): unknown => askTables(tables, call, given);
      return call === "put" || call === "delete" || call === "append" ? write(work) : work();
    },
    {
      async publish(topic, message) {
        wire?.send(topic, message);
        topics.tell(topic, message);
      },
      subscribe: async (topic, listener) => topics.add(topic, listener),
      async close() {
        if (!database.isOpen) return;
        // What was begun is done.
        await write(() => undefined).catch(() => undefined);
        database.close();
      },
    },
  );
}

interface Write {
  /** @returns tells that it is done */
  work: () => () => void;
  fail: (cause: unknown) => void;
}

/** Writes that come together share a transaction, and so the wait for the disk. */
function createWriter(database: DatabaseSync) {
  /** The first ones are the next transaction's. */
  const waiting: Write[] = [];
  /** When the writes that wait for another process fail. */
  let givesUp: number | undefined;
  const flush = (): void => {
    const batch = waiting.slice(0, maxBatch);
    try {
      const done = transact(database, () => batch.map(({ work }) => work()));
      for (const tell of done) tell();
    } catch (thrown) {
      const now = performance.now();
      givesUp ??= now + maxWait;
      if (isBusy(thrown) && now < givesUp) {
        // Processes that met once do not meet at the same time again.
        setTimeout(flush, 1 + Math.random() * 10);
        return;
      }
      for (const { fail } of batch) fail(thrown);
    }
    givesUp = undefined;
    waiting.splice(0, batch.length);
    if (waiting.length > 0) setImmediate(flush);
  };
  return <Result>(work: () => Result): Promise<Result> =>
    new Promise((resolve, fail) => {
      waiting.push({
        work() {
          const result = work();
          return () => resolve(result);
        },
        fail,
      });
      if (waiting.length === 1) setImmediate(flush);
    });
}

function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (thrown) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw thrown;
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

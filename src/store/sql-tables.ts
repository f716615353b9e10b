// What a store keeps, as tables of SQLite: for a file of the disk, and for the storage of a Durable Object. Calls are
// synchronous, and whoever makes them puts those that write into transactions.
import type { AppendOptions, PutOptions, StoredValue } from "./store.ts";

type SqlValue = string | number | null;
/** Runs one statement. @returns its rows, by the names of their columns */
export type RunSql = (statement: string, ...values: SqlValue[]) => Record<string, unknown>[];

/** A step brings a database from the version of its place to the next; steps are never changed, only added. */
const steps: readonly (readonly string[])[] = [
  [
    `CREATE TABLE kept_values (
      key TEXT PRIMARY KEY, value TEXT NOT NULL, version INTEGER NOT NULL, until INTEGER
    )`,
    `CREATE TABLE logs (log TEXT PRIMARY KEY, length INTEGER NOT NULL, until INTEGER)`,
    `CREATE TABLE entries (
      log TEXT NOT NULL, position INTEGER NOT NULL, entry TEXT NOT NULL,
      PRIMARY KEY (log, position)
    ) WITHOUT ROWID`,
    `CREATE TABLE appends (
      log TEXT NOT NULL, id TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (log, id)
    ) WITHOUT ROWID`,
    `CREATE TABLE leases (key TEXT PRIMARY KEY, token INTEGER NOT NULL, until INTEGER NOT NULL)`,
    `CREATE INDEX values_until ON kept_values (until) WHERE until IS NOT NULL`,
    `CREATE INDEX logs_until ON logs (until) WHERE until IS NOT NULL`,
    `CREATE INDEX leases_until ON leases (until)`,
  ],
];

/** Names a page of `list` has. */
const pageLength = 200;
/** How often what is over is thrown away. */
const sweepInterval = 60_000;

export class SqlTables {
  readonly #run: RunSql;
  readonly #now: () => number;
  #swept = 0;

  /** @param now milliseconds since 1970, since whoever comes after a restart has the same clock */
  constructor(run: RunSql, now: () => number) {
    this.#run = run;
    this.#now = now;
  }

  /**
   * Makes the tables, or brings them to this version.
   *
   * @throws Error where a newer version has made them
   */
  migrate(): void {
    this.#run(
      "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
    );
    const version = this.#fact("schema") ?? 0;
    if (version > steps.length)
      throw new Error(
        `It was written by a newer version of Rightseat (schema ${version}; this one knows ${steps.length}).`,
      );
    if (version === steps.length) return;
    for (const step of steps.slice(version)) for (const statement of step) this.#run(statement);
    this.#setFact("schema", steps.length);
  }

  get(key: string): StoredValue | undefined {
    const [row] = this.#run(
      "SELECT value, version FROM kept_values WHERE key = ? AND (until IS NULL OR until > ?)",
      key,
      this.#now(),
    );
    // As they were written.
    return row && { value: row["value"] as string, version: row["version"] as number };
  }

  put(key: string, value: string, { ttl, ifVersion }: PutOptions = {}): number | undefined {
    this.#sweep();
    const version = this.get(key)?.version ?? 0;
    if (ifVersion !== undefined && ifVersion !== version) return undefined;
    this.#run(
      "INSERT OR REPLACE INTO kept_values (key, value, version, until) VALUES (?, ?, ?, ?)",
      key,
      value,
      version + 1,
      this.#end(ttl),
    );
    return version + 1;
  }

  delete(key: string): void {
    this.#run("DELETE FROM kept_values WHERE key = ?", key);
    this.#deleteLog(key);
  }

  list(prefix: string, cursor = ""): { keys: string[]; cursor?: string } {
    const rows = this.#run(
      "SELECT key FROM kept_values WHERE key >= ? AND key > ? AND (until IS NULL OR until > ?) ORDER BY key LIMIT ?",
      prefix,
      cursor,
      this.#now(),
      pageLength,
    );
    const names = rows.map(({ key }) => String(key));
    // All that begin so follow each other.
    const keys = names.filter((name) => name.startsWith(prefix));
    const last = names.length === pageLength ? keys[pageLength - 1] : undefined;
    return last === undefined ? { keys } : { keys, cursor: last };
  }

  append(
    log: string,
    entries: readonly string[],
    { id, ttl, lease }: AppendOptions,
  ): number | undefined {
    this.#sweep();
    const length = this.#findLength(log);
    // What is over is still there, and would be found.
    if (length === undefined) this.#deleteLog(log);
    const [known] = this.#run("SELECT position FROM appends WHERE log = ? AND id = ?", log, id);
    if (known !== undefined) return Number(known["position"]);
    if (lease !== undefined && this.#holderOf(lease.key) !== lease.token) return undefined;
    const from = length ?? 0;
    for (const [nth, entry] of entries.entries())
      this.#run("INSERT INTO entries VALUES (?, ?, ?)", log, from + nth, entry);
    this.#run("INSERT INTO appends VALUES (?, ?, ?)", log, id, from);
    this.#run(
      "INSERT OR REPLACE INTO logs (log, length, until) VALUES (?, ?, ?)",
      log,
      from + entries.length,
      this.#end(ttl),
    );
    return from;
  }

  read(log: string, from: number, limit: number): string[] {
    const length = this.#findLength(log);
    if (length === undefined || from >= length) return [];
    const rows = this.#run(
      "SELECT entry FROM entries WHERE log = ? AND position >= ? ORDER BY position LIMIT ?",
      log,
      from,
      limit,
    );
    return rows.map(({ entry }) => String(entry));
  }

  lengthOf(log: string): number {
    return this.#findLength(log) ?? 0;
  }

  /** @returns the token */
  lease(key: string, milliseconds: number): number | undefined {
    this.#sweep();
    if (this.#holderOf(key) !== undefined) return undefined;
    // Also where the tables were made anew meanwhile.
    const token = Math.max(this.#now(), (this.#fact("token") ?? 0) + 1);
    this.#setFact("token", token);
    this.#run(
      "INSERT OR REPLACE INTO leases VALUES (?, ?, ?)",
      key,
      token,
      this.#now() + milliseconds,
    );
    return token;
  }

  renew(key: string, token: number, milliseconds: number): boolean {
    const isHeld = this.#holderOf(key) === token;
    if (isHeld)
      this.#run("UPDATE leases SET until = ? WHERE key = ?", this.#now() + milliseconds, key);
    return isHeld;
  }

  release(key: string, token: number): void {
    this.#run("DELETE FROM leases WHERE key = ? AND token = ?", key, token);
  }

  isLeased(key: string): boolean {
    return this.#holderOf(key) !== undefined;
  }

  /** Throws away what is over. @returns the names of its values */
  sweep(): string[] {
    const now = this.#now();
    this.#swept = now;
    for (const { log } of this.#run("SELECT log FROM logs WHERE until <= ?", now))
      this.#deleteLog(String(log));
    this.#run("DELETE FROM leases WHERE until <= ?", now);
    const gone = this.#run("DELETE FROM kept_values WHERE until <= ? RETURNING key", now);
    return gone.map(({ key }) => String(key));
  }

  /** When something is over next; Infinity where nothing will be, undefined where nothing is kept. */
  nextEnd(): number | undefined {
    const [row] = this.#run(
      `SELECT count(*) AS number, min(until) AS next FROM (SELECT until FROM kept_values
        UNION ALL SELECT until FROM logs UNION ALL SELECT until FROM leases)`,
    );
    if (row?.["number"] === 0) return undefined;
    return row?.["next"] === null ? Infinity : Number(row?.["next"]);
  }

  #sweep(): void {
    if (this.#now() - this.#swept >= sweepInterval) this.sweep();
  }

  #end(ttl: number | undefined): number | null {
    return ttl === undefined ? null : this.#now() + ttl;
  }

  #findLength(log: string): number | undefined {
    const [row] = this.#run(
      "SELECT length FROM logs WHERE log = ? AND (until IS NULL OR until > ?)",
      log,
      this.#now(),
    );
    return row && Number(row["length"]);
  }

  #deleteLog(log: string): void {
    this.#run("DELETE FROM logs WHERE log = ?", log);
    this.#run("DELETE FROM entries WHERE log = ?", log);
    this.#run("DELETE FROM appends WHERE log = ?", log);
  }

  #holderOf(key: string): number | undefined {
    const [row] = this.#run(
      "SELECT token FROM leases WHERE key = ? AND until > ?",
      key,
      this.#now(),
    );
    return row && Number(row["token"]);
  }

  #fact(name: string): number | undefined {
    const [row] = this.#run("SELECT number FROM facts WHERE name = ?", name);
    return row && Number(row["number"]);
  }

  #setFact(name: string, number: number): void {
    this.#run("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, number);
  }
}

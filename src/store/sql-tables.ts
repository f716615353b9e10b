// What a store keeps, as tables of SQLite: for a file of the disk, and for the storage of a Durable Object. Calls are
// synchronous, and whoever makes them puts those that write into transactions.
import type { AppendOptions, PutOptions, Tables } from "./store.ts";

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
  // Leases are values.
  [`ALTER TABLE kept_values DROP COLUMN version`, `DROP TABLE leases`],
];

/** How often what is over is thrown away. */
const sweepInterval = 60_000;

export class SqlTables implements Tables {
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
    const [row] = this.#run("SELECT number FROM facts WHERE name = 'schema'");
    const version = Number(row?.["number"] ?? 0);
    if (version > steps.length)
      throw new Error(
        `It was written by a newer version of Rightseat (schema ${version}; this one knows ${steps.length}).`,
      );
    if (version === steps.length) return;
    for (const step of steps.slice(version)) for (const statement of step) this.#run(statement);
    this.#run("INSERT OR REPLACE INTO facts VALUES ('schema', ?)", steps.length);
  }

  get(key: string): string | undefined {
    const [row] = this.#run(
      "SELECT value FROM kept_values WHERE key = ? AND (until IS NULL OR until > ?)",
      key,
      this.#now(),
    );
    return row && String(row["value"]);
  }

  put(key: string, value: string, { ttl, ifValue }: PutOptions = {}): boolean {
    this.#sweep();
    if (ifValue !== undefined && ifValue !== (this.get(key) ?? null)) return false;
    this.#run(
      "INSERT OR REPLACE INTO kept_values (key, value, until) VALUES (?, ?, ?)",
      key,
      value,
      this.#end(ttl),
    );
    return true;
  }

  delete(key: string): void {
    this.#run("DELETE FROM kept_values WHERE key = ?", key);
    this.#deleteLog(key);
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
    if (lease !== undefined && this.get(lease.key) !== lease.token) return undefined;
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

  /** Throws away what is over. */
  sweep(): void {
    const now = this.#now();
    this.#swept = now;
    for (const { log } of this.#run("SELECT log FROM logs WHERE until <= ?", now))
      this.#deleteLog(String(log));
    this.#run("DELETE FROM kept_values WHERE until <= ?", now);
  }

  /** When something is over next; Infinity where nothing will be, undefined where nothing is kept. */
  nextEnd(): number | undefined {
    const [row] = this.#run(
      `SELECT count(*) AS number, min(until) AS next FROM (SELECT until FROM kept_values
        UNION ALL SELECT until FROM logs)`,
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
}

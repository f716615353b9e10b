// What a store keeps, as tables of SQLite: for a file of the disk, and for the storage of a Durable Object. Calls are
// synchronous, and whoever makes them puts those that write into transactions.
import type { Tables } from "./store.ts";

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

export interface SqlTables extends Tables {
  /**
   * Makes the tables, or brings them to this version.
   *
   * @throws Error where a newer version has made them
   */
  migrate(): void;
  /** Throws away what is over. */
  sweep(): void;
  /** When something is over next; Infinity where nothing will be, undefined where nothing is kept. */
  nextEnd(): number | undefined;
}

/** @param now milliseconds since 1970, since whoever comes after a restart has the same clock */
export function createSqlTables(run: RunSql, now: () => number): SqlTables {
  let swept = 0;
  const end = (ttl: number | undefined): number | null => (ttl === undefined ? null : now() + ttl);
  const sweepInTime = (): void => {
    if (now() - swept >= sweepInterval) sweep();
  };

  function sweep(): void {
    swept = now();
    for (const { log } of run("SELECT log FROM logs WHERE until <= ?", swept))
      deleteLog(String(log));
    run("DELETE FROM kept_values WHERE until <= ?", swept);
  }

  function findLength(log: string): number | undefined {
    const found = "SELECT length FROM logs WHERE log = ? AND (until IS NULL OR until > ?)";
    const [row] = run(found, log, now());
    return row && Number(row["length"]);
  }

  function deleteLog(log: string): void {
    run("DELETE FROM logs WHERE log = ?", log);
    run("DELETE FROM entries WHERE log = ?", log);
    run("DELETE FROM appends WHERE log = ?", log);
  }

  function get(key: string): string | undefined {
    const found = "SELECT value FROM kept_values WHERE key = ? AND (until IS NULL OR until > ?)";
    const [row] = run(found, key, now());
    return row && String(row["value"]);
  }

  return {
    migrate() {
      run(
        "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
      );
      const [row] = run("SELECT number FROM facts WHERE name = 'schema'");
      const version = Number(row?.["number"] ?? 0);
      if (version > steps.length)
        throw new Error(
          `It was written by a newer version of Rightseat (schema ${version}; this one knows ${steps.length}).`,
        );
      if (version === steps.length) return;
      for (const step of steps.slice(version)) for (const statement of step) run(statement);
      run("INSERT OR REPLACE INTO facts VALUES ('schema', ?)", steps.length);
    },
    get,
    put(key, value, { ttl, ifValue } = {}) {
      sweepInTime();
      if (ifValue !== undefined && ifValue !== (get(key) ?? null)) return false;
      const kept = "INSERT OR REPLACE INTO kept_values (key, value, until) VALUES (?, ?, ?)";
      run(kept, key, value, end(ttl));
      return true;
    },
    delete(key) {
      run("DELETE FROM kept_values WHERE key = ?", key);
      deleteLog(key);
    },
    append(log, entries, { id, ttl, lease }) {
      sweepInTime();
      const length = findLength(log);
      // What is over is still there, and would be found.
      if (length === undefined) deleteLog(log);
      const [known] = run("SELECT position FROM appends WHERE log = ? AND id = ?", log, id);
      if (known !== undefined) return Number(known["position"]);
      if (lease !== undefined && get(lease.key) !== lease.token) return undefined;
      const from = length ?? 0;
      for (const [nth, entry] of entries.entries())
        run("INSERT INTO entries VALUES (?, ?, ?)", log, from + nth, entry);
      run("INSERT INTO appends VALUES (?, ?, ?)", log, id, from);
      const grown = "INSERT OR REPLACE INTO logs (log, length, until) VALUES (?, ?, ?)";
      run(grown, log, from + entries.length, end(ttl));
      return from;
    },
    read(log, from, limit) {
      if (from >= (findLength(log) ?? 0)) return [];
      const page =
        "SELECT entry FROM entries WHERE log = ? AND position >= ? ORDER BY position LIMIT ?";
      return run(page, log, from, limit).map(({ entry }) => String(entry));
    },
    lengthOf: (log) => findLength(log) ?? 0,
    sweep,
    nextEnd() {
      const [row] = run(
        `SELECT count(*) AS number, min(until) AS next FROM (SELECT until FROM kept_values
          UNION ALL SELECT until FROM logs)`,
      );
      if (row?.["number"] === 0) return undefined;
      return row?.["next"] === null ? Infinity : Number(row?.["next"]);
    },
  };
}

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { openSqliteStore } from "../../src/store/sqlite-store.node.ts";
import { takeLease } from "../../src/store/store.ts";
import { storeSuite } from "./store-suite.ts";

const root = mkdtempSync(join(tmpdir(), "rightseat-store-"));
afterAll(() => rmSync(root, { recursive: true }));
let files = 0;
const fresh = (): string => join(root, "folder", `${++files}.db`);

storeSuite(
  "a file of SQLite",
  () => {
    let now = Date.parse("2026-11-23T00:00:00Z");
    const path = fresh();
    return {
      open: () => openSqliteStore({ path, now: () => now }),
      pass: (time) => void (now += time),
      close: () => undefined,
    };
  },
  { cases: 100, sharesTopics: false },
);

test("a file is read by whoever opens it next, and by nobody else of the machine", async () => {
  const path = fresh();
  const first = openSqliteStore({ path, now: Date.now });
  await first.append("log:{a}", ["一", "two"], { id: "1" });
  await first.put("session:{a}", "kept");
  expect(await takeLease(first, "task:{a}", "first", 60_000)).toBeDefined();
  await first.close();
  await first.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const second = openSqliteStore({ path, now: Date.now });
  expect(await second.read("log:{a}", 0, 10)).toEqual(["一", "two"]);
  expect(await second.append("log:{a}", ["again"], { id: "1" })).toBe(0);
  expect(await second.get("session:{a}")).toBe("kept");
  expect(await takeLease(second, "task:{a}", "second", 1)).toBeUndefined();
  await second.close();
});

test("what is over leaves the file", async () => {
  let now = 1_000_000;
  const path = fresh();
  const store = openSqliteStore({ path, now: () => now });
  await store.put("session:{a}", "a".repeat(1_000), { ttl: 1_000 });
  await store.append("log:{a}", ["entry"], { id: "1", ttl: 1_000 });
  now += 100_000;
  await store.put("session:{b}", "b");
  await store.close();
  const database = new DatabaseSync(path);
  const count = (table: string): unknown =>
    database.prepare(`SELECT count(*) AS number FROM ${table}`).get()?.["number"];
  const tables = ["kept_values", "logs", "entries", "appends"];
  expect(tables.map(count)).toEqual([1, 0, 0, 0]);
  database.close();
});

test("a file of the first version is brought to this one, with what is in it", async () => {
  const path = fresh();
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE kept_values (
      key TEXT PRIMARY KEY, value TEXT NOT NULL, version INTEGER NOT NULL, until INTEGER
    );
    CREATE TABLE logs (log TEXT PRIMARY KEY, length INTEGER NOT NULL, until INTEGER);
    CREATE TABLE leases (key TEXT PRIMARY KEY, token INTEGER NOT NULL, until INTEGER NOT NULL);
    CREATE TABLE facts (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO facts VALUES ('schema', 1), ('token', 7);
    INSERT INTO kept_values VALUES ('session:{a}', 'kept', 3, NULL);
  `);
  database.close();
  const store = openSqliteStore({ path, now: Date.now });
  expect(await store.get("session:{a}")).toBe("kept");
  expect(await store.put("session:{a}", "more", { ifValue: "kept" })).toBe(true);
  await store.close();
});

test("a file of a newer version, and a file that is none of ours, are left as they are", async () => {
  const path = fresh();
  await openSqliteStore({ path, now: Date.now }).close();
  const database = new DatabaseSync(path);
  database.exec("UPDATE facts SET number = 99 WHERE name = 'schema'");
  expect(() => openSqliteStore({ path, now: Date.now })).toThrow(/newer version .*schema 99/);
  expect(database.prepare("SELECT number FROM facts").get()).toEqual({ number: 99 });
  database.close();
  const foreign = join(root, "notes.txt");
  writeFileSync(foreign, "My notes. ".repeat(1_000));
  expect(() => openSqliteStore({ path: foreign, now: Date.now })).toThrow(/not a database/);
});

test("while another process writes, writes wait, reads do not, and the event loop goes on", async () => {
  const path = fresh();
  const store = openSqliteStore({ path, now: Date.now });
  await store.append("log", ["before"], { id: "0" });
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  let isDone = false;
  const write = store.append("log", ["after"], { id: "1" }).then((at) => {
    isDone = true;
    return at;
  });
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await store.read("log", 0, 10)).toEqual(["before"]);
  }
  expect(isDone).toBe(false);
  other.exec("COMMIT");
  expect(await write).toBe(1);
  other.close();
  await store.close();
});

test("what fails is an AppError, and all that waited for the same transaction is not there", async () => {
  const path = fresh();
  const store = openSqliteStore({ path, now: Date.now });
  await store.put("session:{a}", "1");
  const other = new DatabaseSync(path);
  other.exec("DROP TABLE entries");
  const calls = [store.put("session:{a}", "2"), store.append("log:{a}", ["entry"], { id: "1" })];
  for (const call of calls)
    await expect(call).rejects.toSatisfy(
      (thrown) => thrown instanceof AppError && thrown.code === "store_unavailable",
    );
  expect(await store.get("session:{a}")).toBe("1");
  other.close();
  await store.close();
  await expect(store.get("session:{a}")).rejects.toThrow(AppError);
});

test("what one process publishes goes on to the others by the wire that it is given", async () => {
  const path = fresh();
  type Take = (topic: string, message: string) => void;
  const takers: Take[] = [];
  const open = (own: number) =>
    openSqliteStore({
      path,
      now: Date.now,
      wire: {
        send(topic, message) {
          for (const [nth, take] of takers.entries()) if (nth !== own) take(topic, message);
        },
        receive: (take) => void takers.push(take),
      },
    });
  const [first, second] = [open(0), open(1)];
  const heard: string[] = [];
  await first.subscribe("live", (message) => heard.push(`first ${message}`));
  await second.subscribe("live", (message) => heard.push(`second ${message}`));
  await first.publish("live", "1");
  await second.publish("live", "2");
  await second.publish("other", "3");
  expect(heard.sort()).toEqual(["first 1", "first 2", "second 1", "second 2"]);
  await first.close();
  await second.close();
});

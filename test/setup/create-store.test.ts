import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ConfigError } from "../../src/setup/config.ts";
import { createStore, describeStore } from "../../src/setup/create-store.node.ts";

const folder = mkdtempSync(join(tmpdir(), "rightseat-store-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("each setting opens its store", async () => {
  const memory = await createStore({ store: "memory" });
  expect(await memory.put("a", "1")).toBe(true);
  await memory.close();
  const store = `sqlite:${join(folder, "new", "store.db")}`;
  // What one has put, the next one finds.
  for (const ifValue of [null, "1"]) {
    const file = await createStore({ store });
    expect(await file.put("a", "1", { ifValue })).toBe(true);
    await file.close();
  }
});

test("a file that cannot be opened is named", async () => {
  const path = join(folder, "notes.txt");
  writeFileSync(path, "My notes. ".repeat(1_000));
  const opened = createStore({ store: `sqlite:${path}` });
  await expect(opened).rejects.toThrow(ConfigError);
  await expect(opened).rejects.toThrow(`RIGHTSEAT_STORE: ${path} cannot be opened: file is not`);
});

test("a store is described without its password", () => {
  expect(describeStore({ store: "memory" })).toBe("memory");
  expect(describeStore({ store: "sqlite:/a/b.db" })).toBe("sqlite:/a/b.db");
  expect(describeStore({ store: "rediss://me:secret@a:6380/1" })).toBe("redis at a:6380");
});

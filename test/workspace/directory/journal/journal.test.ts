import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hashBytes } from "../../../../src/workspace/directory/open-file.node.ts";
import { createJournal } from "../../../../src/workspace/directory/journal/journal.node.ts";
import {
  createRootFolder,
  findStateFolder,
} from "../../../../src/workspace/directory/journal/root-state.node.ts";

async function makeJournal(maxSize?: number) {
  const state = mkdtempSync(join(tmpdir(), "rightseat-journal-"));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const folder = await createRootFolder(state, "/some/root");
  return createJournal(folder, () => 5, maxSize);
}

async function entryOf(path: string, text: string) {
  const bytes = new TextEncoder().encode(text);
  const before = { hash: await hashBytes(bytes), mode: 0o644 };
  return { path, before, after: null, draft: "", folders: [], bytes };
}

test("entries come back as they were recorded, in their order", async () => {
  const journal = await makeJournal();
  const turn = await journal.start("do it");
  const entries = await Promise.all(
    ["a", "b\n\0c", ""].map((text) => entryOf(`${text}.txt`, text)),
  );
  for (const entry of entries) expect(await journal.record(turn, entry)).toBe(true);
  expect((await journal.readTurn(turn)).entries).toEqual(entries);
  expect(await journal.listTurns()).toEqual([
    { id: 1, time: 5, request: "do it", isUndone: false },
  ]);
});

test("the oldest turns go when there are too many", async () => {
  const maxTurns = 100;
  const journal = await makeJournal();
  for (let nth = 0; nth < maxTurns + 5; nth += 1) await journal.start("x");
  const ids = (await journal.listTurns()).map(({ id }) => id);
  expect(ids.length).toBeLessThanOrEqual(maxTurns + 1);
  expect(ids.at(-1)).toBe(maxTurns + 5);
});

test("the oldest turns go when there is too much, and a turn that fills the journal alone is refused more", async () => {
  const journal = await makeJournal(10_000);
  const first = await journal.start("first");
  expect(await journal.record(first, await entryOf("a", "a".repeat(6_000)))).toBe(true);
  const second = await journal.start("second");
  expect(await journal.record(second, await entryOf("b", "b".repeat(6_000)))).toBe(true);
  expect((await journal.listTurns()).map(({ id }) => id)).toEqual([second]);
  expect(await journal.record(second, await entryOf("c", "c".repeat(6_000)))).toBe(false);
  expect((await journal.readTurn(second)).entries).toHaveLength(1);
});

test("the folder of a root is closed to others, and that of another user is refused", async () => {
  const state = mkdtempSync(join(tmpdir(), "rightseat-state-"));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const folder = await createRootFolder(state, "/some/root");
  chmodSync(join(folder, "turns"), 0o777);
  await createRootFolder(state, "/some/root");
  expect(statSync(join(folder, "turns")).mode & 0o777).toBe(0o700);
  // Only the superuser can give a folder away.
  if (process.getuid?.() !== 0) return;
  chownSync(join(folder, "turns"), 65_534, 65_534);
  await expect(createRootFolder(state, "/some/root")).rejects.toThrow("another user (65534)");
});

test.runIf(process.platform === "linux").each(["/proc/self", "/dev/null", "/proc/1/fd/x"])(
  "a state folder in %s, where nothing can be created, is refused at once",
  async (folder) => {
    await expect(createRootFolder(join(folder, "rightseat"), "/some/root")).rejects.toThrow(
      /^E[A-Z]+: /,
    );
  },
);

test("the state has its place on each platform", () => {
  expect(findStateFolder({ XDG_STATE_HOME: "/x" }, "/home/me", "linux")).toBe("/x/rightseat");
  expect(findStateFolder({ XDG_STATE_HOME: "x" }, "/home/me", "linux")).toBe(
    "/home/me/.local/state/rightseat",
  );
  expect(findStateFolder({}, "/home/me", "linux")).toBe("/home/me/.local/state/rightseat");
  expect(findStateFolder({}, "/Users/me", "darwin")).toBe(
    "/Users/me/Library/Application Support/rightseat",
  );
  expect(findStateFolder({ LOCALAPPDATA: "/l" }, "/u", "win32")).toBe("/l/rightseat");
});

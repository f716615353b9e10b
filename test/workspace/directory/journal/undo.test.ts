import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openUndo } from "../../../../src/workspace/directory/journal/undo.node.ts";
import { applyApproved, changeOf, codeOf } from "../../workspace-suite.ts";
import { makeFolders, openFolder, type OpenFolder, type TestFolders } from "../open-folder.ts";

/** One run of an agent: it writes these texts, and closes its workspace. */
async function runTurn(
  folders: TestFolders,
  request: string,
  texts: Readonly<Record<string, string | undefined>>,
): Promise<number | undefined> {
  const given: OpenFolder = await openFolder(folders, { request });
  for (const [path, after] of Object.entries(texts)) {
    const isThere = existsSync(folders.at(path));
    const change = isThere
      ? await changeOf(given.workspace, path, after)
      : { path, before: undefined, after };
    expect(codeOf(await applyApproved(given, change))).toBeUndefined();
  }
  await given.workspace.close();
  return given.workspace.turn;
}

async function undo(folders: TestFolders, turn?: number): Promise<string[] | string> {
  const opened = await openUndo({ ...folders, now: Date.now });
  try {
    const result = await opened.undo(turn);
    if (!result.ok) return `${result.problem.code}: ${result.problem.message.en}`;
    return result.value.files.map(({ place }) => place.path);
  } finally {
    await opened.close();
  }
}

const read = (folders: TestFolders, path: string): string | undefined =>
  existsSync(folders.at(path)) ? readFileSync(folders.at(path), "utf8") : undefined;

test("undo restores what a turn changed, created and removed, with modes and without its folders", async () => {
  const folders = makeFolders({ "a.sh": "\ufeffa\r\n", "gone.txt": "gone\n", "b.txt": "b\n" });
  chmodSync(folders.at("a.sh"), 0o755);
  chmodSync(folders.at("gone.txt"), 0o640);
  await runTurn(folders, "change", {
    "a.sh": "x\r\n",
    "new/deep/c.txt": "c\n",
    "gone.txt": undefined,
  });
  expect(statSync(folders.at("a.sh")).mode & 0o777).toBe(0o755);
  expect(await undo(folders)).toEqual(["a.sh", "new/deep/c.txt", "gone.txt"]);
  expect(read(folders, "a.sh")).toBe("\ufeffa\r\n");
  expect(statSync(folders.at("a.sh")).mode & 0o777).toBe(0o755);
  expect(read(folders, "gone.txt")).toBe("gone\n");
  expect(statSync(folders.at("gone.txt")).mode & 0o777).toBe(0o640);
  expect(existsSync(folders.at("new"))).toBe(false);
  expect(globSync("**/*.tmp", { cwd: folders.root })).toEqual([]);
});

test("undo takes back the last turn, then the one before, then nothing", async () => {
  const folders = makeFolders({ "a.txt": "0\n" });
  expect(await runTurn(folders, "one", { "a.txt": "1\n" })).toBe(1);
  expect(await runTurn(folders, "two", { "a.txt": "2\n", "b.txt": "2\n" })).toBe(2);
  expect(await undo(folders)).toEqual(["a.txt", "b.txt"]);
  expect(read(folders, "a.txt")).toBe("1\n");
  expect(read(folders, "b.txt")).toBeUndefined();
  expect(await undo(folders)).toEqual(["a.txt"]);
  expect(read(folders, "a.txt")).toBe("0\n");
  expect(await undo(folders)).toMatch(/^not-found: There is nothing to undo/);
  expect(await runTurn(folders, "three", { "a.txt": "3\n" })).toBe(3);
});

test("undo of an earlier turn restores the state before it, later turns and all", async () => {
  const folders = makeFolders({ "a.txt": "0\n" });
  for (const nth of ["1", "2", "3"])
    await runTurn(folders, nth, { "a.txt": `${nth}\n`, [`${nth}.txt`]: nth });
  await undo(folders, 2);
  expect(read(folders, "a.txt")).toBe("1\n");
  expect(["1.txt", "2.txt", "3.txt"].map((path) => read(folders, path))).toEqual([
    "1",
    undefined,
    undefined,
  ]);
  expect(await undo(folders, 3)).toMatch(/^not-found: There is no turn 3/);
  expect(await undo(folders, 99)).toMatch(/^not-found/);
});

test("undo names the files that were changed since, and touches none", async () => {
  const folders = makeFolders({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  await runTurn(folders, "change", { "a.txt": "x\n", "b.txt": "x\n", "c.txt": undefined });
  writeFileSync(folders.at("b.txt"), "mine\n");
  writeFileSync(folders.at("c.txt"), "mine\n");
  const refused = await undo(folders);
  expect(refused).toMatch(/^stale: .*"b\.txt", "c\.txt"/);
  expect(["a.txt", "b.txt", "c.txt"].map((path) => read(folders, path))).toEqual([
    "x\n",
    "mine\n",
    "mine\n",
  ]);
  writeFileSync(folders.at("b.txt"), "x\n");
  rmSync(folders.at("c.txt"));
  expect(await undo(folders)).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(["a.txt", "b.txt", "c.txt"].map((path) => read(folders, path))).toEqual([
    "a\n",
    "b\n",
    "c\n",
  ]);
});

test("an undo that was interrupted is repeated, and does what is left", async () => {
  const folders = makeFolders({ "a.txt": "a\n", "b.txt": "b\n" });
  await runTurn(folders, "change", { "a.txt": "x\n", "b.txt": "x\n", "n.txt": "x\n" });
  // As if it had died after two files.
  writeFileSync(folders.at("a.txt"), "a\n");
  rmSync(folders.at("n.txt"));
  expect(await undo(folders)).toEqual(["a.txt", "b.txt", "n.txt"]);
  expect(["a.txt", "b.txt", "n.txt"].map((path) => read(folders, path))).toEqual([
    "a\n",
    "b\n",
    undefined,
  ]);
});

test("a write that was recorded and never made, and one that was not recorded to its end, do not matter", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  await runTurn(folders, "change", { "a.txt": "b\n", "c.txt": "c\n" });
  // As if it had died before the second write was made; then while a third was recorded.
  rmSync(folders.at("c.txt"));
  const [entry = ""] = globSync("workspaces/*/turns/1/1.entry", { cwd: folders.stateFolder });
  const bytes = readFileSync(join(folders.stateFolder, entry));
  const torn = join(folders.stateFolder, entry, "../3.entry");
  writeFileSync(torn, bytes);
  truncateSync(torn, bytes.length - 1);
  expect(await undo(folders)).toEqual(["a.txt", "c.txt"]);
  expect(read(folders, "a.txt")).toBe("a\n");
});

test("what has been undone is listed as such, with the requests cut to one bounded text", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  await runTurn(folders, "one", { "a.txt": "1\n" });
  await runTurn(folders, "two ".repeat(1_000), { "a.txt": "2\n" });
  await undo(folders);
  const opened = await openUndo({ ...folders, now: Date.now });
  const turns = await opened.listTurns();
  expect(turns.map(({ id, isUndone }) => [id, isUndone])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(turns[1]?.request.length).toBeLessThanOrEqual(501);
});

test("nobody else may read the journal, and it lies outside of the workspace", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  await runTurn(folders, "change", { "a.txt": "b\n" });
  const paths = globSync("workspaces/**", { cwd: folders.stateFolder, withFileTypes: true });
  expect(paths.length).toBeGreaterThan(5);
  for (const entry of paths) {
    const { mode } = statSync(join(entry.parentPath, entry.name));
    expect(mode & 0o777).toBe(entry.isDirectory() ? 0o700 : 0o600);
  }
  expect(globSync("**", { cwd: folders.root }).filter((path) => path !== ".")).toEqual(["a.txt"]);
});

test("a file that came where a folder of the turn was is left alone by undo", async () => {
  const folders = makeFolders();
  await runTurn(folders, "change", { "new/a.txt": "a\n" });
  mkdirSync(folders.at("new/mine"));
  await undo(folders);
  expect(existsSync(folders.at("new/a.txt"))).toBe(false);
  expect(existsSync(folders.at("new/mine"))).toBe(true);
});

test("drafts that a process left when it was killed are gone when the folder is opened next", async () => {
  const folders = makeFolders({ "src/a.txt": "a\n", "src/.rightseat-notes.tmp": "mine\n" });
  await runTurn(folders, "change", { "src/a.txt": "b\n" });
  const [entry = ""] = globSync("workspaces/*/turns/1/1.entry", { cwd: folders.stateFolder });
  const head = readFileSync(join(folders.stateFolder, entry), "utf8").split("\n", 1)[0] ?? "";
  const { draft } = JSON.parse(head) as { draft: string };
  writeFileSync(folders.at(`src/${draft}`), "half of");
  const lock = join(folders.stateFolder, entry, "../../../locks/lock.1");
  writeFileSync(lock, JSON.stringify({ pid: 2 ** 22 + 1, started: "gone", token: "x" }));
  await openFolder(folders);
  expect(readdirSync(folders.at("src")).sort()).toEqual([".rightseat-notes.tmp", "a.txt"]);
  expect(existsSync(lock)).toBe(false);
});

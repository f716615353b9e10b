import { mkdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findRipgrep } from "../../../src/workspace/directory/search/ripgrep.node.ts";
import type { FileChange } from "../../../src/workspace/workspace.ts";
import { applyApproved, canary, codeOf, valueOf } from "../workspace-suite.ts";
import { linkTo, makeFolders, openFolder, type TestFolders } from "./open-folder.ts";

const options = { signal: AbortSignal.timeout(3_600_000) };
const list = { ...options, maxEntries: 100, depth: 3 };
const ripgrep = await findRipgrep();

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Names that are listed in the root, those that are found by a search either way, and what reading a file gives. */
async function look(folders: TestFolders, path: string, configFolder = join(folders.outside, "c")) {
  const gitPlaces = { home: folders.outside, configFolder };
  const shown: string[][] = [];
  for (const program of [undefined, ripgrep]) {
    const { workspace } = await openFolder(folders, { ripgrep: program, gitPlaces });
    const query = { query: canary, isCaseSensitive: true, include: [], exclude: [], maxHits: 50 };
    const { hits } = valueOf(await workspace.search(query, options));
    shown.push(hits.map(({ file }) => file));
  }
  const { workspace } = await openFolder(folders, { gitPlaces });
  const { entries } = valueOf(await workspace.list(".", list));
  expect(shown[1]).toEqual(shown[0]);
  const read = codeOf(await workspace.read(path, options));
  return { listed: entries.map(({ name }) => name), found: shown[0], read };
}

const hidden = { listed: ["b.txt"], found: ["b.txt"], read: "secret" };

test.each([
  ["info/exclude of the repository", ".git/info/exclude", "/a.txt\n"],
  ["its own settings name it", ".git/ignores", "*a.t?t\n"],
])("what %s ignores is not shown", async (_, file, text) => {
  const folders = makeFolders({ "a.txt": canary, "b.txt": canary, [file]: text });
  writeFileSync(folders.at(".git/config"), `[core]\n\texcludesFile = ${folders.at(file)} # x\n`);
  expect(await look(folders, "a.txt")).toEqual(hidden);
});

test.each([
  ["c/git/ignore", "", ""],
  ["mine", ".gitconfig", '[user]\n\tname = x\n[core]\n\tExcludesFile = "~/mine"\n'],
  ["mine", "c/git/config", "[core]\nexcludesfile=~/mine\n"],
])("what the person ignores everywhere in %s is not shown", async (file, settings, text) => {
  const folders = makeFolders({ "a.txt": canary, "b.txt": canary });
  mkdirSync(folders.at(".git"));
  write(join(folders.outside, file), "a.*\n");
  if (settings !== "") write(join(folders.outside, settings), text);
  expect(await look(folders, "a.txt")).toEqual(hidden);
  const { workspace } = await openFolder(folders);
  expect(codeOf(await workspace.read("a.txt", options))).toBeUndefined();
});

test("a folder of a larger repository obeys the ignore files above it, and takes back what they ignore", async () => {
  const folders = makeFolders({
    "packages/one/a.txt": canary,
    "packages/one/b.txt": canary,
    "packages/one/.gitignore": "!c.txt\n",
    "packages/one/c.txt": "c\n",
    "packages/.gitignore": "/one/a.txt\n/two/b.txt\nc.txt\n",
    ".gitignore": "/packages/*/x\n",
    "packages/one/x": canary,
  });
  mkdirSync(folders.at(".git"));
  const inner = { ...folders, root: folders.at("packages/one") };
  const { listed, found, read } = await look(inner, "a.txt");
  expect(listed).toEqual([".gitignore", "b.txt", "c.txt"]);
  expect([found, read]).toEqual([["b.txt"], "secret"]);
});

test.each(["drafts/", "/drafts/one", "*", "drafts/**", "one"])(
  "a folder that %s of the repository ignores is worked in all the same, by its own rules",
  async (rule) => {
    const folders = makeFolders({
      ".gitignore": `${rule}\n`,
      "drafts/one/.gitignore": "a.txt\n",
      "drafts/one/a.txt": canary,
      "drafts/one/b.txt": canary,
    });
    mkdirSync(folders.at(".git"));
    const inner = { ...folders, root: folders.at("drafts/one") };
    const { listed, found, read } = await look(inner, "a.txt");
    expect([listed, found, read]).toEqual([[".gitignore", "b.txt"], ["b.txt"], "secret"]);
  },
);

test("a working tree beside its repository obeys the exclude file that it shares", async () => {
  const folders = makeFolders({ "a.txt": canary, "b.txt": canary });
  const shared = join(folders.outside, "main/.git");
  write(join(shared, "info/exclude"), "a.txt\n");
  write(join(shared, "worktrees/w/commondir"), "../..\n");
  writeFileSync(folders.at(".git"), `gitdir: ${shared}/worktrees/w\n`);
  const { listed, found, read } = await look(folders, "a.txt");
  expect([listed, found, read]).toEqual([["b.txt"], ["b.txt"], "secret"]);
});

test("an ignore file that is too large to be read hides all in its folder", async () => {
  const folders = makeFolders({ "sub/a.txt": canary, "b.txt": canary });
  writeFileSync(folders.at("sub/.gitignore"), "#\n".repeat(1_100_000));
  const { found, read } = await look(folders, "sub/a.txt");
  expect([found, read]).toEqual([["b.txt"], "secret"]);
});

test.each([
  ["a link", (folders: TestFolders) => linkTo("store", folders.at(".git"))],
  ["a file", (folders: TestFolders) => writeFileSync(folders.at(".git"), "gitdir: store\n")],
])("data of git to which %s leads are neither read nor written", async (_, make) => {
  const folders = makeFolders({ ".git/config": canary, ".git/hooks/x": "x\n", "b.txt": canary });
  renameSync(folders.at(".git"), folders.at("store"));
  make(folders);
  const given = await openFolder(folders, { ripgrep });
  const allowed = { ...options, mayBeSecret: true };
  for (const path of ["store/config", ".git/config"])
    expect(codeOf(await given.workspace.read(path, allowed))).not.toBeUndefined();
  expect(codeOf(await given.workspace.list("store", list))).toBe("protected");
  const hook: FileChange = { path: "store/hooks/post-commit", before: undefined, after: "x" };
  expect(codeOf(await applyApproved(given, hook))).toBe("protected");
  expect((await look(folders, "b.txt")).found).toEqual(["b.txt"]);
  expect(realpathSync(folders.at("store"))).toBe(folders.at("store"));
});

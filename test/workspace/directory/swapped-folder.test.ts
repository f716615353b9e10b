import {
  type BigIntStats,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkChange, writeRecorded } from "../../../src/workspace/directory/write-change.node.ts";
import { createPathResolver } from "../../../src/workspace/directory/resolve-path.node.ts";
import type { Journal } from "../../../src/workspace/directory/journal/journal.node.ts";
import { hashOf } from "../../helpers/tool-workspace.ts";
import type { FileChange } from "../../../src/workspace/workspace.ts";
import { putFile } from "../../../src/workspace/directory/put-file.node.ts";
import { searchFiles } from "../../../src/workspace/directory/search/search-folder.node.ts";
import { prepareSearch } from "../../../src/workspace/search/prepare-search.ts";
import { canary, codeOf, valueOf } from "../workspace-suite.ts";
import { linkTo, makeFolders, openFolder, type TestFolders } from "./open-folder.ts";

/** A journal in whose time somebody does something to the folder. */
function journalWith(record: () => void): Journal {
  return {
    start: () => Promise.resolve(1),
    record: () => {
      record();
      return Promise.resolve(true);
    },
    listTurns: () => Promise.resolve([]),
    readTurn: () => Promise.resolve({ entries: [], isDamaged: false }),
    markUndone: () => Promise.resolve(),
  };
}

async function beforeOf(text: string): Promise<FileChange["before"]> {
  return { text, hash: hashOf(text) };
}

test.each([
  { name: "creates a file", path: "src/new.txt", before: undefined, after: "b\n" },
  { name: "creates folders", path: "src/deep/er/new.txt", before: undefined, after: "b\n" },
  { name: "replaces a file", path: "src/a.txt", before: "a\n", after: "b\n" },
  { name: "deletes a file", path: "src/a.txt", before: "a\n", after: undefined },
])(
  "a folder that becomes a link out between check and write: whoever $name is refused, and nothing changes outside",
  async ({ path, before, after }) => {
    const folders = makeFolders({ "src/a.txt": "a\n" });
    const resolve = createPathResolver(folders.root, folders.root);
    const change = { path, before: before === undefined ? before : await beforeOf(before), after };
    const ready = valueOf(await checkChange(change, resolve, () => Promise.resolve([])));
    const moved = join(folders.outside, "moved");
    // The same folder with the same files, elsewhere.
    const journal = journalWith(() => {
      renameSync(folders.at("src"), moved);
      linkTo(moved, folders.at("src"));
    });
    const written = await writeRecorded(ready, { journal, realRoot: folders.root }, 1);
    expect(["stale", "exists"]).toContain(codeOf(written));
    expect(readdirSync(moved)).toEqual(["a.txt"]);
    expect(readFileSync(join(moved, "a.txt"), "utf8")).toBe("a\n");
    expect(existsSync(join(folders.outside, "new.txt"))).toBe(false);
  },
);

/** Puts a link out in the place of `src`, once. */
function swapFor(folders: TestFolders): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    renameSync(folders.at("src"), folders.at("moved"));
    linkTo(folders.outside, folders.at("src"));
  };
}

test("a folder that becomes a link out while a search goes on is not searched", async () => {
  const folders = makeFolders({ "src/secret.txt": "x\n", "a.txt": `${canary}\n` });
  const swap = swapFor(folders);
  async function* paths() {
    yield await Promise.resolve("a.txt");
    swap();
    yield "src/secret.txt";
  }
  const query = { query: canary, isCaseSensitive: true, include: [], exclude: [], maxHits: 50 };
  const { signal } = new AbortController();
  const parts = { realRoot: folders.root, signal, isOver: () => false };
  const { hits } = await searchFiles(valueOf(prepareSearch(query, undefined)), paths(), parts);
  expect(hits.map(({ file }) => file)).toEqual(["a.txt"]);
});

test("a folder that becomes a link out while its neighbours are listed is not looked into", async () => {
  const folders = makeFolders({ "src/a.txt": "a\n", "z.txt": "z\n" });
  const { workspace } = await openFolder(folders);
  const { signal } = new AbortController();
  const swap = swapFor(folders);
  let looks = 0;
  signal.throwIfAborted = () => {
    looks += 1;
    // The first look is that of the call, then each of the two entries is described.
    if (looks === 3) swap();
  };
  const listed = valueOf(await workspace.list(".", { maxEntries: 10, depth: 2, signal }));
  expect(looks).toBeGreaterThanOrEqual(3);
  expect(JSON.stringify(listed.entries)).not.toContain("secret.txt");
});

/** What was seen of a file, which does something when it is looked at. */
function seenWith(path: string, key: keyof BigIntStats, act: () => void): BigIntStats {
  const seen = lstatSync(path, { bigint: true });
  const value = seen[key];
  return Object.defineProperty(seen, key, {
    get() {
      act();
      return value;
    },
  });
}

test.runIf(process.platform === "linux").each(["uid", "ctimeNs"] as const)(
  "a folder that becomes a link out at the last moment, when %s is looked at, is not written through",
  async (key) => {
    const folders = makeFolders({ "src/a.txt": "a\n" });
    const draft = ".rightseat-draft.tmp";
    // Whoever swaps folders has seen the name of the draft.
    const [victim, planted] = ["a.txt", draft].map((name) => join(folders.outside, name));
    if (victim === undefined || planted === undefined) throw new Error("There are two.");
    writeFileSync(victim, "theirs\n");
    writeFileSync(planted, "theirs, too\n");
    const replaced = seenWith(folders.at("src/a.txt"), key, swapFor(folders));
    await putFile(folders.at("src/a.txt"), Buffer.from("b\n"), { draft, replaced }).catch(
      () => undefined,
    );
    expect(readdirSync(folders.at("moved"))).toEqual(["a.txt"]);
    expect(readFileSync(victim, "utf8")).toBe("theirs\n");
    expect(readFileSync(planted, "utf8")).toBe("theirs, too\n");
  },
);

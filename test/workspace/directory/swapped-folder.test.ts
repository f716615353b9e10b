import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkChange } from "../../../src/workspace/directory/check-change.node.ts";
import { createPathResolver } from "../../../src/workspace/directory/resolve-path.node.ts";
import { writeChange } from "../../../src/workspace/directory/write-change.node.ts";
import type { Journal } from "../../../src/workspace/journal/journal.node.ts";
import { hashText } from "../../../src/state/sealed-state.ts";
import type { FileChange } from "../../../src/workspace/workspace.ts";
import { codeOf, valueOf } from "../workspace-suite.ts";
import { linkTo, makeFolders } from "./open-folder.ts";

/** A journal in whose time somebody does something to the folder. */
function journalWith(record: () => void): Journal {
  return {
    start: () => Promise.resolve(1),
    record: () => {
      record();
      return Promise.resolve(true);
    },
    listTurns: () => Promise.resolve([]),
    listEntries: () => Promise.resolve([]),
    markUndone: () => Promise.resolve(),
  };
}

async function beforeOf(text: string): Promise<FileChange["before"]> {
  return { text, hash: await hashText(text) };
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
    const ready = valueOf(await checkChange(change, resolve));
    const moved = join(folders.outside, "moved");
    // The same folder with the same files, elsewhere.
    const journal = journalWith(() => {
      renameSync(folders.at("src"), moved);
      linkTo(moved, folders.at("src"));
    });
    const written = await writeChange(ready, folders.root, journal, 1);
    expect(["stale", "exists"]).toContain(codeOf(written));
    expect(readdirSync(moved)).toEqual(["a.txt"]);
    expect(readFileSync(join(moved, "a.txt"), "utf8")).toBe("a\n");
    expect(existsSync(join(folders.outside, "new.txt"))).toBe(false);
  },
);

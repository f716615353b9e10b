import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findRipgrep } from "../../src/workspace/directory/search/ripgrep.node.ts";
import { usualSearchTime } from "../../src/workspace/directory/search/search-folder.node.ts";
import { makeFolders, openFolder } from "../workspace/directory/open-folder.ts";
import { valueOf } from "../workspace/workspace-suite.ts";

const signal = AbortSignal.timeout(600_000);
const flat = 100_000;
const folders = 1_000;
const filesInFolder = 100;

test(
  "a tree of 200,000 files is listed and searched within bounds",
  { timeout: 600_000 },
  async () => {
    const tree = makeFolders({ "z/last.txt": "needle\n" });
    mkdirSync(tree.at("flat"));
    for (let nth = 0; nth < flat; nth += 1) writeFileSync(tree.at(`flat/${nth}.txt`), "");
    for (let nth = 0; nth < folders; nth += 1) {
      mkdirSync(tree.at(`deep/${nth}`), { recursive: true });
      for (let file = 0; file < filesInFolder; file += 1)
        writeFileSync(tree.at(`deep/${nth}/${file}.txt`), "hay\n");
    }
    const query = { query: "needle", isCaseSensitive: true, include: [], exclude: [], maxHits: 50 };
    const ripgrep = await findRipgrep();
    for (const program of [undefined, ripgrep]) {
      const { workspace } = await openFolder(tree, { ripgrep: program, maxTime: usualSearchTime });
      const list = async (path: string, depth: number) =>
        valueOf(await workspace.list(path, { signal, maxEntries: 10, depth }));
      const found = await list("flat", 0);
      expect(found.entries.map(({ name }) => name).slice(0, 3)).toEqual([
        "0.txt",
        "1.txt",
        "10.txt",
      ]);
      expect(found.more).toBe(flat - 10);
      expect((await list(".", 3)).entries.map(({ name }) => name)).toEqual(["deep", "flat", "z"]);
      const result = valueOf(await workspace.search(query, { signal }));
      // On a slow machine the time is over before the last file, which is told.
      expect(result.isCut || result.hits.length === 1).toBe(true);
    }
  },
);

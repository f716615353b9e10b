import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { walkFiles } from "../../../src/workspace/directory/search/search-folder.node.ts";
import { createIgnoreRules } from "../../../src/workspace/directory/folder-rules.node.ts";
import { makeFolders } from "./open-folder.ts";

async function collect(walked: AsyncIterable<string>): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of walked) paths.push(path);
  return paths;
}

test("who leaves while a folder of ignored files is looked through is heard", async () => {
  const folders = makeFolders({ ".gitignore": "*.txt\n" });
  for (let nth = 0; nth < 100; nth += 1) writeFileSync(folders.at(`${nth}.txt`), "x\n");
  const controller = new AbortController();
  const walked = walkFiles({
    realRoot: folders.root,
    outer: createIgnoreRules(),
    isClosed: () => false,
    signal: controller.signal,
    isOver: () => {
      setImmediate(() => controller.abort(new Error("gone")));
      return false;
    },
  });
  await expect(collect(walked)).rejects.toThrow("gone");
});

test("a search whose time is over looks at no further ignored file", async () => {
  const folders = makeFolders({ "a.txt": "x\n", "b.txt": "x\n", "c.txt": "x\n" });
  let looks = 0;
  const walked = walkFiles({
    realRoot: folders.root,
    outer: createIgnoreRules(),
    isClosed: () => false,
    signal: new AbortController().signal,
    isOver: () => (looks += 1) > 2,
  });
  expect(await collect(walked)).toEqual(["a.txt"]);
});

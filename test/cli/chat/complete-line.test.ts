import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompleter } from "../../../src/cli/chat/complete-line.ts";
import { code } from "../../helpers/code-parser.ts";
import { temporaryFolder } from "../call/temporary-folder.ts";

function createProject() {
  const root = temporaryFolder({
    "src/cart.js": "export function total(prices) {\n  return prices;\n}\n",
    "src/deep/only/one.py": "class Order:\n    def total_of(self):\n        return 1\n",
    "src/deep/only/价格.py": "x = 1\n",
    "readme.md": "# total\n",
    ".env": "TOTAL_SECRET=1\n",
    "node_modules/a/index.js": "function totally() {}\n",
  });
  const complete = createCompleter({
    root,
    code,
    commands: () => ["/fix", "/model", "/explain"],
    valuesOf: (command) => (command === "/model" ? ["gpt", "offline"] : undefined),
  });
  return { root, complete };
}

test.each<[line: string, hits: string[], end: string]>([
  ["/", ["/fix ", "/model ", "/explain "], "/"],
  ["/e", ["/explain "], "/e"],
  ["/model o", ["offline"], "o"],
  ["/fix sr", ["src/cart.js", "src/deep/"], "sr"],
  ["why @src/", ["@src/cart.js", "@src/deep/"], "@src/"],
  // One folder after the other with nothing else in it is gone through.
  ["why @src/d", ["@src/deep/only/one.py", "@src/deep/only/价格.py"], "@src/d"],
  // A name in a folder takes the place of its beginning.
  ["why @cart", ["@src/cart.js"], "@cart"],
  ["为什么 @价", ["@src/deep/only/价格.py"], "@价"],
  // A symbol is where it is.
  ["why @total_", ["@src/deep/only/one.py:2-3"], "@total_"],
  ["/fix Ord", ["src/deep/only/one.py:1-3"], "Ord"],
  ["what does tot", ["total", "total_of"], "tot"],
  ["what does cart.tot", ["total", "total_of"], "tot"],
  ["what does t", [], "t"],
  ["@.en", [], "@.en"],
  ["", [], ""],
])("%j is completed by %j", async (line, hits, end) => {
  expect(await createProject().complete(line)).toEqual([hits, end]);
});

test("what several things may mean stays as it was typed", async () => {
  const { root, complete } = createProject();
  writeFileSync(join(root, "cart.py"), "");
  writeFileSync(join(root, "src", "deep", "carton.py"), "");
  expect(await complete("@cart")).toEqual([["@cart.py"], "@cart"]);
  expect(await complete("@Cart")).toEqual([
    ["@Cart", "@cart.py", "@src/cart.js", "@src/deep/carton.py"],
    "@Cart",
  ]);
});

test("names of code that was changed are the new ones", async () => {
  const { root, complete } = createProject();
  expect(await complete("sums")).toEqual([[], "sums"]);
  writeFileSync(join(root, "src", "cart.js"), "export function sumsUp() {}\n");
  expect(await complete("sums")).toEqual([["sumsUp"], "sums"]);
});

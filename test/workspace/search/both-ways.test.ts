// The walker and ripgrep find the same.
import { describe, expect, test } from "vitest";
import { findRipgrep } from "../../../src/workspace/directory/search/ripgrep.node.ts";
import type { SearchQuery, SearchResult } from "../../../src/workspace/workspace.ts";
import { linkTo, makeFolders, openFolder, type TestFolders } from "../directory/open-folder.ts";
import { valueOf } from "../workspace-suite.ts";

const ripgrep = await findRipgrep();
if (ripgrep === undefined) throw new Error("ripgrep is not installed: npm ci brings it along.");
const options = { signal: AbortSignal.timeout(3_600_000) };

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
const utf16 = Buffer.from("\ufeffneedle in utf-16\r\nother\r\n", "utf16le");
const files: Readonly<Record<string, string | Uint8Array>> = {
  ".gitignore": "*.log\n/dist/\nquiet-*\n!quiet-not\n",
  "a.ts": "const needle = 1;\nfunction find() {\n  return needle;\n}\n",
  "a/b.ts": "needle\r\nNEEDLE \r\n\tneedle\r\n",
  "a.b/c.ts": "Needle needle\n",
  "a-b.ts": "needle",
  "src/.gitignore": "generated/\n!keep.log\n",
  "src/keep.log": "needle\n",
  "src/other.log": "needle\n",
  "src/generated/x.ts": "needle\n",
  "src/deep/er/d.tsx": "x\n".repeat(1_000) + "needle at the end\n",
  "dist/a.js": "needle\n",
  "sub/dist/a.js": "needle\n",
  "quiet-1": "needle\n",
  "quiet-not": "needle\n",
  ".hidden/a.md": "needle\n",
  ".env": "needle\n",
  "key.pem": "needle\n",
  ".git/config": "needle\n",
  ".ignore": "a.ts\n",
  ".rgignore": "a.ts\n",
  "bom.txt": "\ufeffneedle first\n",
  "utf16.txt": utf16,
  "latin1.txt": latin1("needle\ncaf\u00e9 needle\n\u00e9\n"),
  "binary.bin": Buffer.concat([
    Buffer.from("needle\n"),
    Buffer.alloc(100),
    Buffer.from("needle\n"),
  ]),
  "chinese.md": "汉字 needle 汉字\n字needle字\n",
  "long.js": `${"x".repeat(1_990)}needle and ${"y".repeat(3_000)} needle\n${"z".repeat(2_500)}needle\n`,
  "large.txt": `needle\n${"a".repeat(2 * 1024 * 1024)}\n`,
  "odd name\n.ts": "needle\n",
  "$&.ts": "needle $& {needle}\n",
  "empty.ts": "",
  "many.txt": "needle\n".repeat(200),
};

const all: SearchQuery = {
  query: "needle",
  isCaseSensitive: true,
  include: [],
  exclude: [],
  maxHits: 1_000,
};

async function searchBothWays(
  folders: TestFolders,
  query: Partial<SearchQuery>,
): Promise<SearchResult[]> {
  const results: SearchResult[] = [];
  for (const program of [undefined, ripgrep]) {
    const { workspace } = await openFolder(folders, { ripgrep: program });
    results.push(valueOf(await workspace.search({ ...all, ...query }, options)));
    await workspace.close();
  }
  return results;
}

function makeTree(): TestFolders {
  const folders = makeFolders(files);
  linkTo("a.ts", folders.at("link.ts"));
  linkTo("src", folders.at("lib"));
  return folders;
}

describe("the walker and ripgrep find the same", () => {
  test.each<Partial<SearchQuery>>([
    {},
    { isCaseSensitive: false },
    { maxHits: 3 },
    { maxHits: 50 },
    { include: ["*.ts"] },
    { include: ["*.ts", "*.tsx"], exclude: ["a"] },
    { include: ["src/**", "sub"] },
    { include: ["*.log", "dist/**"] },
    { exclude: ["*.t*", ".hidden"] },
    { query: "^needle$" },
    { query: String.raw`\bneedle\b` },
    { query: String.raw`\sneedle` },
    { query: String.raw`needle\W` },
    { query: String.raw`[\s\W]needle` },
    { query: String.raw`\w+ = \d;` },
    { query: String.raw`[^\w]needle[\W]` },
    { query: "function find() {" },
    { query: "{needle}" },
    { query: "$&" },
    { query: "[a-c&&b]needle|needle" },
    { query: "[[]needle|first" },
    { query: "needle in utf" },
    { query: "café" },
    { query: "汉.* needle" },
    { query: ".needle." },
    { query: "字needle字" },
    { query: "(?i)NEEDLE AT" },
    { query: "-needle" },
    { query: "--files" },
    { query: "x{1990}needle" },
    { query: "needle(" },
    { query: "[[:alpha:]]+ first" },
    { query: String.raw`\x{6c49}` },
    { query: "y needle" },
    { query: "xyz*needle?|firsts{0}" },
    { query: String.raw`(?:one|find)\(|nee(x|dle and)` },
    { query: String.raw`\x6eeedle|[]n]eedle|\$&` },
  ])("for %j", async (query) => {
    const [walked, found] = await searchBothWays(makeTree(), query);
    expect(found).toEqual(walked);
  });

  test("and that is what it should be", async () => {
    const [walked] = await searchBothWays(makeTree(), { maxHits: 1_000, exclude: ["many.txt"] });
    expect(walked?.hits.map(({ file, line }) => `${file}:${line}`)).toEqual([
      "$&.ts:1",
      ".hidden/a.md:1",
      "a-b.ts:1",
      "a.b/c.ts:1",
      "a.ts:1",
      "a.ts:3",
      "a/b.ts:1",
      "a/b.ts:3",
      "bom.txt:1",
      "chinese.md:1",
      "chinese.md:2",
      "latin1.txt:1",
      "latin1.txt:2",
      "long.js:1",
      "odd name\n.ts:1",
      "quiet-not:1",
      "src/deep/er/d.tsx:1001",
      "src/keep.log:1",
      "sub/dist/a.js:1",
      "utf16.txt:1",
    ]);
  });
});

test("a file that is too large to be searched is named where the query is in it", async () => {
  const rest = "other line\n".repeat(300_000);
  const folders = makeFolders({
    "data/big.txt": `${rest}a needle\n${rest}`,
    "data/other.txt": rest,
    "one-line.json": `{"needle":"${"x".repeat(3_000_000)}"}`,
    "image.bin": Buffer.concat([Buffer.alloc(3_000_000), Buffer.from("needle")]),
    "a.ts": "needle\n",
  });
  const [walked, found] = await searchBothWays(folders, { query: "need(le)" });
  expect(walked?.hits.map(({ file }) => file)).toEqual(["a.ts"]);
  expect(walked?.tooLarge).toEqual(["data/big.txt", "one-line.json"]);
  expect(found).toEqual(walked);
});

test("an expression that would take another engine forever ends at once, both ways", async () => {
  const folders = makeFolders({ "a.txt": `${"a".repeat(1_999)}!\n`.repeat(500) });
  const [walked, found] = await searchBothWays(folders, { query: "(a+)+$" });
  expect(walked).toMatchObject({ hits: [], isCut: false });
  expect(found).toEqual(walked);
});

test("a pattern that is too much for each character is refused", async () => {
  const { workspace } = await openFolder(makeFolders({ "a.txt": "a\n" }), { ripgrep });
  const refused = await workspace.search({ ...all, query: "((a|b){30}c){30}" }, options);
  expect(refused).toMatchObject({ ok: false, problem: { code: "bad-pattern" } });
});

test("a search that has no time ends with what it has, and says so", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, nth) => [`${nth}.txt`, "x\n".repeat(99)]),
  );
  const folders = makeFolders(many);
  const { workspace } = await openFolder(folders, { maxTime: 0 });
  const result = valueOf(await workspace.search({ ...all, query: "y" }, options));
  expect(result).toMatchObject({ hits: [], isCut: true });
});

test("a program that cannot be run is replaced by the walker", async () => {
  const { workspace } = await openFolder(makeFolders({ "a.txt": "needle\n" }), {
    ripgrep: "/no/such/rg",
  });
  expect(valueOf(await workspace.search(all, options)).hits).toHaveLength(1);
});

test("a search that is given up stops, and throws the signal's reason", async () => {
  const { workspace } = await openFolder(makeTree(), { ripgrep });
  const controller = new AbortController();
  const searching = workspace.search(all, { signal: controller.signal });
  controller.abort(new Error("left"));
  await expect(searching).rejects.toThrow("left");
});

// The walker and ripgrep find the same in trees, ignore files and encodings that nobody thought of.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findRipgrep } from "../../../src/workspace/directory/search/ripgrep.node.ts";
import type { SearchQuery } from "../../../src/workspace/workspace.ts";
import { makeFolders, openFolder, type TestFolders } from "../directory/open-folder.ts";
import { valueOf } from "../workspace-suite.ts";
import { cases } from "../../helpers/cases.ts";

const ripgrep = await findRipgrep();
const options = { signal: AbortSignal.timeout(3_600_000) };
const all: SearchQuery = {
  query: "needle",
  isCaseSensitive: true,
  include: [],
  exclude: [],
  maxHits: 50,
};

/** Hits as `file:line`, which both ways have to find. */
async function search(folders: TestFolders, query: Partial<SearchQuery>): Promise<string[]> {
  const results = [];
  for (const program of [undefined, ripgrep]) {
    const { workspace } = await openFolder(folders, { ripgrep: program });
    results.push(valueOf(await workspace.search({ ...all, ...query }, options)));
  }
  expect(results[1]).toEqual(results[0]);
  return (results[0]?.hits ?? []).map(({ file, line }) => `${file}:${line}`);
}

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");

test.each<[string, Partial<SearchQuery>, Record<string, string | Uint8Array>, string[]]>([
  ["a NUL in UTF-16", {}, { "a.txt": utf16("needle\0") }, []],
  ["big-endian UTF-16", {}, { "a.txt": utf16("x\nneedle").swap16() }, ["a.txt:2"]],
  [
    "folders named like files",
    { include: ["*.ts"] },
    { "chart.ts/a.md": "needle", "chart.ts/b.ts": "needle" },
    ["chart.ts/b.ts:1"],
  ],
  [
    "folders named like files, left out",
    { exclude: ["*.ts"] },
    { "chart.ts/a.md": "needle", "b.ts": "needle" },
    ["chart.ts/a.md:1"],
  ],
  ["a capital I with a dot", { query: "i", isCaseSensitive: false }, { a: "İ", b: "I" }, ["b:1"]],
  [
    "a final sigma",
    { query: "οδος", isCaseSensitive: false },
    { a: "ΟΔΟΣ", b: "οδοσ", c: "οδός" },
    ["a:1", "b:1"],
  ],
  ["a carriage return alone", { query: String.raw`\sneedle` }, { a: "x\rneedle\r\n" }, ["a:1"]],
  ["ends of lines", { query: "needle$" }, { a: "x needle\r\nneedle x\nneedle" }, ["a:1", "a:3"]],
  ["starts and ends of texts", { query: String.raw`\Aneedle\z` }, { a: "x\nneedle\r\n" }, ["a:2"]],
  [
    "braces in an ignore file",
    {},
    { ".gitignore": "*.{a,b}\n", "x.a": "needle", "x.{a,b}": "needle" },
    ["x.a:1"],
  ],
  ["a bracket that is not closed", {}, { ".gitignore": "[\n", "[": "needle" }, ["[:1"]],
  [
    "a class of characters",
    {},
    { ".gitignore": "[[:digit:]]\n", 1: "needle", a: "needle" },
    ["a:1"],
  ],
])("%s: what is found", async (_, query, files, expected) => {
  expect(await search(makeFolders(files), query)).toEqual(expected);
});

const rule = fc
  .array(
    fc.constantFrom(
      ...String.raw`a b A * ** **/ / ? ! [ab] [!a] [[:alpha:]] é 汉 {a,b} \ \* # [ ] *.t -`.split(
        " ",
      ),
      " ",
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(""));
const name = fc.array(fc.constantFrom(..."a b A - [ ] é 汉 { .t x ! #".split(" "), " "), {
  minLength: 1,
  maxLength: 2,
});
const path = fc
  .array(
    name.map((parts) => parts.join("")),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join("/"));
const text = fc
  .array(fc.constantFrom("a", "b", "é", "A", "É", " ", "\r", "\n", "\n", "\0", "ß", "İ", "K"), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));
const encode = fc.constantFrom(
  (written: string) => Buffer.from(written),
  (written: string) => Buffer.from(`\ufeff${written}`),
  (written: string) => Buffer.from(written, "latin1"),
  (written: string) => utf16(written),
  (written: string) => utf16(written).swap16(),
);
const query = fc
  .array(
    fc.constantFrom(
      ...String.raw`a b é A . [ab] \w \s ^ $ a+ ß İ k [^a] \b | [[:alpha:]] \pL \d*`.split(" "),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""));

test("both ways find the same in random trees", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(path, text, encode), { minLength: 1, maxLength: 8 }),
      fc.array(rule, { maxLength: 3 }),
      query,
      fc.boolean(),
      fc.array(fc.oneof(rule, fc.constantFrom("*.t", "a", "{a,b}")), { maxLength: 2 }),
      fc.array(rule, { maxLength: 1 }),
      async (files, rules, wanted, isCaseSensitive, include, exclude) => {
        const folders = makeFolders({ ".gitignore": rules.join("\n") });
        for (const [each, written, toBytes] of files) {
          try {
            mkdirSync(dirname(folders.at(each)), { recursive: true });
            writeFileSync(folders.at(each), toBytes(written), { flag: "wx" });
          } catch {
            // Another one is in its way.
          }
        }
        await search(folders, { query: wanted, isCaseSensitive, include, exclude });
      },
    ),
    { numRuns: cases(20) },
  );
});

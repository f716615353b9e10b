import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { estimateTokens } from "../../../src/turn/tokens.ts";

const root = join(import.meta.dirname, "../../..");
/** What is shorter weighs little, and one unusual word decides about it. */
const leastLength = 400;

const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:ts|liquid)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }))
  .filter(({ text }) => text.length > leastLength);

const prose = [
  "把光标放在要解释的函数上，然后发送“解释”指令。助手会先说明这段代码做了什么，再指出其中可能出现的问题，",
  "例如空指针、越界访问或者没有关闭的文件。如果需要修改，它会给出一个补丁，由你确认之后才会写入文件。\n",
  "知识库中的文档按照相关程度排序，得分最高的排在最前面。当提示词超出模型的容量时，系统会依次去掉依赖清单、",
  "得分较低的知识片段、较早的对话以及选区周围的代码，而选中的代码和问题本身始终保留。\n",
].join("");
const proseFiles = [
  ...files
    .filter(({ path }) => path.includes("/zh/"))
    .map(({ path, text }) => [path, text] as const),
  ["prose", prose.repeat(3)] as const,
];

function ratioOf(text: string): number {
  return estimateTokens(text) / encode(text).length;
}

/** Tables of very short words and of patterns, of whose letters nearly each is a token. */
const tables = ["src/turn/context/language.ts", "src/code/guess-language.ts"];

test("every file of ours is estimated at nine tenths to 1.5 times of its tokens", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(tables));
  const wrong = files
    .map(({ path, text }) => ({ path, ratio: ratioOf(text) }))
    .filter(({ path, ratio }) => ratio < (tables.includes(path) ? 0.8 : 0.9) || ratio > 1.5);
  expect(wrong).toEqual([]);
});

test.each(proseFiles)("%s in Chinese lies between its tokens and 1.5 times of them", (_, text) => {
  expect(text.length).toBeGreaterThan(leastLength);
  expect(ratioOf(text)).toBeGreaterThanOrEqual(1);
  expect(ratioOf(text)).toBeLessThanOrEqual(1.5);
});

test("an empty text costs nothing, and any other at least one token", () => {
  expect(estimateTokens("")).toBe(0);
  for (const text of ["a", "中", "\n", "😀", "\ud800"]) {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(1);
  }
});

test("a short text costs the same however it is looked at", () => {
  const text = "let a = 1; ".repeat(23);
  expect(text.length).toBeLessThan(256);
  const longer = estimateTokens(text.repeat(2));
  expect(Math.abs(longer - 2 * estimateTokens(text))).toBeLessThanOrEqual(1);
});

test.each([
  [
    "code",
    files
      .map(({ text }) => text)
      .join("")
      .slice(0, 200_000),
  ],
  ["Chinese prose", prose.repeat(500)],
  ["emoji", "😀 ok\n".repeat(30_000)],
])(
  "a long text of %s is estimated from samples within a tenth of what its parts cost",
  (_, text) => {
    expect(text.length).toBeGreaterThan(60_000);
    let parts = 0;
    for (let at = 0; at < text.length; at += 16_384) {
      parts += estimateTokens(text.slice(at, at + 16_384));
    }
    expect(estimateTokens(text) / parts).toBeGreaterThan(0.9);
    expect(estimateTokens(text) / parts).toBeLessThan(1.1);
  },
);

// A way that is not linear would not end within the time of a test.
test("ten megabytes are estimated", () => {
  const text = prose.repeat(Math.ceil(10_000_000 / prose.length));
  expect(estimateTokens(text)).toBeGreaterThan(1_000_000);
});

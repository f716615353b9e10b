import * as fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { CodeAnalysis, CodeSymbol } from "../../../src/code/code-analysis.ts";
import { findNames, matchFiles, matchNames } from "../../../src/flows/place/find-names.ts";
import { code as parser } from "../../helpers/code-parser.ts";

const file = `export class Cart {
  total(items) {
    return this.sum(items);
  }
  sum(items) {
    return items.length;
  }
}
export function names(carts) {
  return carts.map((cart) => cart.name);
}
export class Order {
  total() {
    return 0;
  }
}
export function item_count(order) {
  return 1;
}
export const HTTPServer = {};
export function item() {}
export function 合计() {
  return 0;
}
`;
let analysis: CodeAnalysis;
beforeAll(async () => {
  analysis = await parser.analyze(file, "javascript", "src/cart.js");
});

/** The places of the file that a question names, in words. */
function placesOf(question: string): string[] {
  return matchNames(findNames(question), analysis).map(
    ({ name = "lines", startLine, endLine }) => `${name} ${startLine}-${endLine}`,
  );
}

describe("a question names", () => {
  test.each<[string, string[]]>([
    ["`names()` is wrong", ["names 9-11"]],
    ["names() is wrong", ["names 9-11"]],
    ["why does `names` fail?", ["names 9-11"]],
    ["what does names(carts) return", ["names 9-11"]],
    ["why does Cart.total crash?", ["Cart.total 2-4"]],
    ["why does Order#total crash?", ["Order.total 13-15"]],
    ["why does cart.total() crash?", ["Cart.total 2-4"]],
    ["is this.sum() slow?", ["Cart.sum 5-7"]],
    ["`total` in `Cart` is wrong", ["Cart.total 2-4"]],
    ["total() is wrong", ["Cart.total 2-4", "Order.total 13-15"]],
    ["item_count is off by one", ["item_count 17-19"]],
    ["who starts HTTPServer", ["HTTPServer 20-20"]],
    ["does `Cart` keep its order?", ["Cart 1-8"]],
    ["does `Cart` use sum()?", ["Cart.sum 5-7"]],
    ["explain lines 10-12", ["lines 10-12"]],
    ["explain Lines 10 to 12, please", ["lines 10-12"]],
    ["what is line 3 for?", ["lines 3-3"]],
    ["lines 22-90 are odd", ["lines 22-24"]],
    ["解释第 10 到 12 行", ["lines 10-12"]],
    ["第10行有什么问题", ["lines 10-10"]],
    ["看看10-12行", ["lines 10-12"]],
    ["为什么names()会崩溃？", ["names 9-11"]],
    ["为什么names（）会崩溃？", ["names 9-11"]],
    ["调用Cart.total失败", ["Cart.total 2-4"]],
    ["`合计` 为什么是 0", ["合计 22-24"]],
    ["合计() 为什么是 0", ["合计 22-24"]],
    ["see total, lines 13-15", ["Order.total 13-15"]],
  ])("%s", (question, places) => {
    expect(placesOf(question)).toEqual(places);
  });

  test.each([
    "why does the total crash?",
    "Cart and Order have names",
    "the item(s) of an order",
    "console.total() is not ours",
    "keep lines 80 characters long",
    "print 10 lines",
    "lines 500-600",
    "names\n```\nnames()\nlines 3-9\n```",
    "_total_ and *names*",
    "the end.Start over, e.g. names",
    "`something()` else",
    "第三行",
  ])("nothing: %s", (question) => {
    expect(placesOf(question)).toEqual([]);
  });
});

const symbols = ["total", "names", "Cart", "Order", "item", "sum", "合计"];
const words = "why does the fail is it's a 12 not What API URLs 为什么 会 lines row".split(" ");
const ends = ["", "", "", "?", "!", ",", ":", ";", "。", "，", "？", "...", " -", " (really)", "'"];
const plainWord = fc
  .tuple(fc.constantFrom(...symbols, ...words), fc.constantFrom(...ends))
  .map(([word, end]) => `${word}${end}`);
const plain = fc
  .array(plainWord, { minLength: 1, maxLength: 12 })
  .map((all) => all.join(" "))
  // That is a mark.
  .filter((text) => !/lines? \d/.test(text));

test("a question without a mark of code never gets a place, though it holds names of symbols", () => {
  fc.assert(
    fc.property(plain, (question) => {
      expect(placesOf(question)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test("a symbol in backticks is always found, wherever it is in a plain question", () => {
  fc.assert(
    fc.property(
      plain,
      plain,
      fc.constantFrom("names", "item", "Cart.sum"),
      (before, after, name) => {
        expect(placesOf(`${before} \`${name}\` ${after}`)).toHaveLength(1);
      },
    ),
  );
});

test("any text is read in no time, and a hostile one, too", () => {
  for (const text of [
    "a.".repeat(50_000),
    "`".repeat(50_000),
    "lines ".repeat(20_000),
    "第".repeat(50_000),
    "(".repeat(50_000),
    "1-".repeat(50_000),
    "_".repeat(50_000),
  ])
    expect(placesOf(text)).toEqual([]);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(Array.isArray(placesOf(text))).toBe(true);
    }),
  );
});

describe("a question names a file", () => {
  const paths = [
    "src/app.ts",
    "package.json",
    "lib/Makefile",
    "guide/用法.md",
    "/home/ada/shop/src/cart.js",
  ];
  test.each<[string, string[]]>([
    ["look at @src/app.ts", ["src/app.ts @"]],
    ["app.ts fails", ["src/app.ts"]],
    ["看看app.ts的问题", ["src/app.ts"]],
    ["./src/app.ts:10-20", ["src/app.ts 10-20"]],
    ["at total (src/app.ts:10:5)", ["src/app.ts 10-10"]],
    ["`package.json`", ["package.json"]],
    ["@lib/Makefile", ["lib/Makefile @"]],
    ["`Makefile` is odd", ["lib/Makefile"]],
    ["src\\cart.js#L3-L4", ["/home/ada/shop/src/cart.js 3-4"]],
    ["@guide/用法.md", ["guide/用法.md @"]],
    ["@shop/src/cart.js.", ["/home/ada/shop/src/cart.js @"]],
    ["other/app.ts", []],
    ["my-app.ts and app.tsx", []],
    ["the Makefile is odd", []],
    ["app and cart", []],
    ["mail@example.com", []],
  ])("%s", (question, files) => {
    const found = matchFiles(findNames(question).text, paths).map(({ path, isMentioned, lines }) =>
      [
        path,
        ...(isMentioned ? ["@"] : []),
        ...(lines ? [`${lines.startLine}-${lines.endLine}`] : []),
      ].join(" "),
    );
    expect(found).toEqual(files);
  });
});

test("many names are looked for in many symbols without reading each for each", () => {
  let reads = 0;
  const all = Array.from({ length: 19_000 }, (_, nth): CodeSymbol => {
    const at = { startLine: nth + 1, startColumn: 1, endLine: nth + 1, endColumn: 2 };
    const parts = { kind: "method", range: at, nameRange: at, container: "cart" } as const;
    const more = { signature: "", children: [] };
    return {
      ...parts,
      ...more,
      get name() {
        reads += 1;
        return "Total";
      },
    };
  });
  const names = Array.from({ length: 32 }, (_, nth) => [`C${nth}`, "Total"]);
  matchNames(
    { names: [...names, ["Cart", "Total"]], lines: [] },
    { symbols: all, source: analysis.source },
  );
  expect(reads).toBeLessThan(3 * all.length);
});

test("a text that repeats the folders of many paths is compared with few of them", () => {
  const charAt = vi.spyOn(String.prototype, "charAt");
  try {
    const folders = "aab/".repeat(1_990);
    const paths = Array.from({ length: 60 }, (_, nth) => `${nth}/${folders.slice(0, 900)}aab`);
    expect(matchFiles(`x${folders}`, paths)).toEqual([]);
    expect(charAt.mock.calls.length).toBeLessThan(2_000_000);
  } finally {
    charAt.mockRestore();
  }
});

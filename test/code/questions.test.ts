import { expect, test } from "vitest";
import { findDefinitions, flattenSymbols, symbolAt } from "../../src/code/symbols.ts";
import { languageOf } from "../../src/code/language-of.ts";
import { analyzeFixture, parser } from "./read-fixture.ts";

test.each([
  [1, undefined],
  [9, "method equals"],
  [10, "method equals"],
  [8, "property price"],
  [30, "function parse"],
  [53, "property count"],
  [57, "method notify"],
  [67, "method add"],
  [68, "method add"],
  [70, "method add"],
  [87, "function of"],
])("in cart.ts, line %d lies in %s", async (line, expected) => {
  const symbol = symbolAt(await analyzeFixture("cart.ts"), line);
  expect(symbol && `${symbol.kind} ${symbol.name}`).toBe(expected);
});

test("a function inside of a function is the innermost one", async () => {
  const analysis = await analyzeFixture("cart.js");
  expect(symbolAt(analysis, 82)?.name).toBe("inner");
  expect(symbolAt(analysis, 84)?.name).toBe("default");
});

test("flattening keeps the order of the text", async () => {
  const { symbols } = await analyzeFixture("Cart.java");
  const starts = flattenSymbols(symbols).map(({ range }) => range.startLine);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

test("children lie inside of their parent", async () => {
  const { symbols } = await analyzeFixture("Cart.cs");
  for (const { range, children } of flattenSymbols(symbols))
    for (const child of children) {
      expect(child.range.startLine).toBeGreaterThanOrEqual(range.startLine);
      expect(child.range.endLine).toBeLessThanOrEqual(range.endLine);
    }
});

test("definitions come in the order of the names, then of the files, without local ones", async () => {
  const one = await parser.analyze("function a() { const b = () => 1; }\nconst c = 1;\n", "ts");
  const two = await parser.analyze("export class b { c() {} }\nexport function a() {}\n", "ts");
  const files = [
    { path: "one.ts", analysis: one },
    { path: "two.ts", analysis: two },
  ];
  const found = findDefinitions(["c", "b", "a", "c", "toString"], files);
  expect(found.map(({ file, symbol }) => `${file.path} ${symbol.kind} ${symbol.name}`)).toEqual([
    "one.ts variable c",
    "two.ts method c",
    "two.ts class b",
    "one.ts function a",
    "two.ts function a",
  ]);
});

test.each([
  ["typescript", undefined, "typescript"],
  ["typescriptreact", undefined, "tsx"],
  ["TypeScript JSX", undefined, "tsx"],
  ["javascriptreact", "a.jsx", "javascript"],
  ["ECMAScript 6", undefined, "javascript"],
  ["JAVA", undefined, "java"],
  ["C#", undefined, "csharp"],
  ["ObjectiveC", "a.h", "cpp"],
  ["", "src/a.RS", "rust"],
  [undefined, "C:\\a\\b.rb", "ruby"],
  ["plaintext", "a.go", "go"],
  [undefined, "a.h", "c"],
  ["kotlin", "a.kt", undefined],
  [undefined, "Makefile", undefined],
  [undefined, undefined, undefined],
])("language id %j with path %j is %j", (name, path, expected) => {
  expect(languageOf(name, path)).toBe(expected);
});

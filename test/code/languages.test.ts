import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { languages } from "../../src/code/languages.ts";
import { analyzeFixture, describe, find, parser, readText } from "./read-fixture.ts";

const folder = new URL("../../eval-cases/code/", import.meta.url);
const expected = new URL("../fixtures/code/expected/", import.meta.url);
const fixtures = readdirSync(folder).filter((name) => name.includes("."));

test.each(fixtures)("%s is read as its golden file says", async (name) => {
  const golden = readFileSync(new URL(`${name}.json`, expected), "utf8");
  expect(describe(await analyzeFixture(name))).toEqual(JSON.parse(golden));
});

test("every language has a fixture that its own grammar reads", async () => {
  const read = await Promise.all(fixtures.map((name) => analyzeFixture(name)));
  expect(new Set(read.map(({ language }) => language))).toEqual(
    new Set(languages.map(({ language }) => language)),
  );
});

test.each([
  ["cart.js", "prices.length === 0)", "prices.length === 0"],
  ["cart.ts", "export enum Unit {", "export enum Unit"],
  ["card.tsx", "<h1 onClick", "<h1 <onClick"],
  ["cart.py", "def retry(times):", "def retry(times:"],
  ["cart.go", "func Total(", "func Total(("],
  ["Cart.java", "while (sum > LIMIT", "while sum > LIMIT"],
  ["cart.rs", "pub struct Item {", "pub struct Item {{"],
  ["cart.c", "int sum = 0;", "int sum = ;"],
  ["cart.cpp", "enum class Unit {", "enum class Unit {{"],
  ["Cart.cs", "var sum = 0;", "var sum = ;"],
  ["cart.rb", "unless sum.zero?", "unless sum.zero?)"],
  ["cart.php", "$sum = 0;", "$sum = = 0;"],
])("%s has problems once its syntax is broken", async (name, good, bad) => {
  const text = readText(name);
  expect(text).toContain(good);
  const { language, problems } = await parser.analyze(text.replace(good, bad), undefined, name);
  expect(language).toBeDefined();
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.length).toBeLessThanOrEqual(20);
  const line = text.slice(0, text.indexOf(good)).split("\n").length;
  // A grammar may notice only where the block should have ended.
  expect(problems.some(({ range }) => range.endLine >= line)).toBe(true);
});

test("a problem says what is missing or unexpected, and where", async () => {
  const missing = await parser.analyze("const a = f(1;\n", "typescript");
  expect(missing.problems).toEqual([
    {
      range: { startLine: 1, startColumn: 14, endLine: 1, endColumn: 14 },
      kind: "missing",
      text: '")"',
    },
  ]);
  const unexpected = await parser.analyze("let a = 1;\nlet 5b = 2;\n", "typescript");
  expect(unexpected.problems[0]).toMatchObject({ kind: "unexpected", text: '"5"' });
  expect(unexpected.problems[0]?.range.startLine).toBe(2);
});

test("symbols around broken code are still found", async () => {
  const text = "function a() {}\nfunction b( {\n}\nexport class C {\n  m() {}\n}\n";
  const analysis = await parser.analyze(text, "javascript");
  expect(analysis.problems.length).toBeGreaterThan(0);
  expect(find(analysis, "a").kind).toBe("function");
  expect(find(analysis, "m").kind).toBe("method");
});

test("declarators that share a declaration have ranges of their own", async () => {
  const c = await parser.analyze("/* Two. */\nstatic int a, *b;\nstruct s { int x, y; };\n", "c");
  expect(find(c, "a")).toMatchObject({ range: { startColumn: 12 } });
  expect(find(c, "b")).toMatchObject({ nameRange: { startColumn: 16 } });
  expect(find(c, "y")).toMatchObject({ container: "s", kind: "property" });
  const ts = await parser.analyze("/** Two. */\nexport const a = 1, b = () => 2;\n", "typescript");
  expect(find(ts, "a")).toMatchObject({ docComment: { startLine: 1 } });
  expect(find(ts, "b")).toMatchObject({ kind: "function" });
  expect(find(ts, "b").docComment).toBeUndefined();
});

test("a comment behind the code above, or with a blank line below, documents nothing", async () => {
  const text = "let a = 1; /** Of a. */\nfunction b() {}\n\n/** Far. */\n\nfunction c() {}\n";
  const analysis = await parser.analyze(text, "typescript");
  expect(find(analysis, "b").docComment).toBeUndefined();
  expect(find(analysis, "c").docComment).toBeUndefined();
});

test("decorators and attributes belong to the range, and not to the signature", async () => {
  const python = find(await analyzeFixture("cart.py"), "load");
  expect(python.range.startLine).toBe(37);
  expect(python.signature).toBe("async def load(path: str)");
  const rust = find(await analyzeFixture("cart.rs"), "new");
  expect(rust).toMatchObject({
    range: { startLine: 38 },
    docComment: { startLine: 37, endLine: 37 },
  });
  const java = find(await analyzeFixture("Cart.java"), "total");
  expect(java.range.startLine).toBe(23);
  expect(java.signature).toMatch(/^public int total\(/);
});

test("a member belongs to its type also where it is written apart from it", async () => {
  expect(find(await analyzeFixture("cart.go"), "SetPrice").container).toBe("Item");
  expect(find(await analyzeFixture("cart.rs"), "save").container).toBe("Item");
  expect(find(await analyzeFixture("cart.cpp"), "bar").container).toBe("Foo");
});

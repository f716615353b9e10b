import { expect, test } from "vitest";
import { analyzePlain, readPlainly } from "../../src/code/plain/analyze-plain.ts";
import { flattenSymbols } from "../../src/code/symbols.ts";
import { everything } from "./read-fixture.ts";

function outline(text: string): string[] {
  return flattenSymbols(analyzePlain(text).symbols).map(
    ({ kind, name, container = "", range }) =>
      `${range.startLine}-${range.endLine} ${kind} ${container === "" ? "" : `${container}.`}${name}`,
  );
}

test("declarations are found by keyword and end with their indentation", () => {
  const kotlin = [
    "import kotlin.math.max",
    "",
    "// Keeps things.",
    "class Cart(val owner: String) : Base() {",
    "    private suspend fun load(path: String) {",
    '        if (path == "") return',
    "    }",
    "    fun total(): Int = 1",
    "}",
    "",
    "fun main() {",
    "}",
  ].join("\n");
  expect(outline(kotlin)).toEqual([
    "4-9 class Cart",
    "5-7 method Cart.load",
    "8-8 method Cart.total",
    "11-12 function main",
  ]);
  const { language, symbols, imports } = analyzePlain(kotlin);
  expect(language).toBeUndefined();
  expect(imports).toMatchObject([{ source: "kotlin.math.max", range: { startLine: 1 } }]);
  expect(symbols[0]).toMatchObject({
    docComment: { startLine: 3, endLine: 3 },
    nameRange: { startLine: 4, startColumn: 7, endColumn: 11 },
    signature: "class Cart(val owner: String) : Base()",
  });
});

test("functions without a keyword are found, statements and calls are not", () => {
  const text = [
    "int total(int a)",
    "{",
    "}",
    "static void run(char *a) {",
    "    if (a) {",
    "    }",
    "    while (b) {",
    "    }",
    "}",
    'test("x", () => {',
    "});",
    "} else if (c) {",
  ].join("\n");
  expect(outline(text)).toEqual(["4-9 function run"]);
});

test("a declaration goes on behind a head of several lines", () => {
  const text =
    "fun load<T>(\n  path: String,\n): T {\n  read(path)\n}\nclass Cart(\n  val a: Int\n)\nfun b() {}\n";
  expect(outline(text)).toEqual(["1-5 function load", "6-8 class Cart", "9-9 function b"]);
});

test("Lua and shell functions end with their last line", () => {
  expect(outline("local function a(b)\n  return b\nend\n\nrun() {\n  echo x\n}\n")).toEqual([
    "1-3 function a",
    "5-7 function run",
  ]);
});

test("what a case tests goes up to its sign, and comments of a language that nobody knows are no branches", () => {
  const { branchesIn } = readPlainly(
    "case A: {\n}\ndefault: {\n}\n/* if (a) {\nif (b) {\n*/\n-- if (c) {\nwhile x do\n",
    undefined,
  );
  expect(branchesIn(everything).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "case: A",
    "case: default",
    "loop: x",
  ]);
});

test("branches and identifiers are guessed from words", () => {
  const { branchesIn, identifiersIn } = readPlainly(
    'if (a > 1) {\n  throw Wrong("text b")\n} else {\n  for (x in xs) {\n  }\n}\n# y\nreturn z',
    undefined,
  );
  expect(branchesIn(everything).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "if: a > 1",
    'throw: Wrong("text b")',
    "else: ",
    "loop: x in xs",
    "return: z",
  ]);
  expect(identifiersIn(everything)).toEqual(["a", "Wrong", "x", "xs", "z"]);
});

import { expect, test } from "vitest";
import { applyUnits, parseAnswer } from "../../../src/edit.ts";
import { askBare, subjectOf } from "./ask-offline.ts";

/** The file after the answer was applied, or the answer. */
async function document(path: string, file: string, line?: number): Promise<string> {
  const place = line === undefined ? {} : { place: { startLine: line, endLine: line } };
  const answer = await askBare(subjectOf(path, file, { command: "docstring", ...place }));
  const units = parseAnswer(answer).files.flatMap((one) => one.units);
  const result = applyUnits(file, units);
  return result.ok ? result.text : answer;
}

test.each([
  [
    "a.ts",
    "export function f(a: number, { b }: C): number {\n}\n",
    "/**\n * TODO: say what f does.\n *\n * @param a TODO\n * @returns TODO\n */\n",
  ],
  [
    "a.php",
    "<?php\nfunction f($a): int {}\n",
    "/**\n * TODO: say what f does.\n *\n * @param $a TODO\n * @return TODO\n */\n",
  ],
  ["a.go", "package a\nfunc F() {}\n", "// F does TODO.\n"],
  ["a.rs", "fn f() {}\n", "/// TODO: say what f does.\n"],
  ["a.rb", "def f(a)\nend\n", "# TODO: say what f does.\n# @param a TODO\n"],
  ["a.lua", "function f(a)\nend\n", "--- TODO: say what f does.\n--- @param a TODO\n"],
  ["a.sh", "f() {\n}\n", "# TODO: say what f does.\n"],
  ["a.swift", "func f() {\n}\n", "/// TODO: say what f does.\n"],
  [
    "a.cs",
    "class A {\n  int F(int b) { return b; }\n}\n",
    "  /// <summary>\n  /// TODO: say what F does.\n  /// </summary>\n",
  ],
])("in %s, %j gets the comment of its language", async (path, file, comment) => {
  const after = await document(path, file);
  expect(after).toContain(comment);
  expect(after.replace(comment, "")).toBe(file);
});

test("a doc string stands at the begin of the body, below a head of several lines", async () => {
  expect(await document("a.py", "def f(\n    a,\n):\n    return a\n")).toBe(
    'def f(\n    a,\n):\n    """TODO: say what f does.\n\n    Args:\n        a: TODO\n    """\n    return a\n',
  );
});

test.each([
  ["a.py", "def f(a): return a\n", "There is no declaration at this place for which"],
  ["a.py", "def f(\n  a): return a\n", "There is no declaration at this place for which"],
  ["a.php", "<?php function f() {}\n", "There is no declaration at this place for which"],
  ["a.js", "/** F. */\nfunction f() {}\n", "There is a doc comment already."],
  ["a.js", "f();\n", "There is no declaration at this place"],
  ["a.nim", "function f() {\n}\n", "There is no declaration at this place for which"],
])("for %s with %j the answer says why there is none", async (path, file, reason) => {
  expect(await document(path, file)).toContain(reason);
});

test("a declaration that recurs gets its comment at its own place", async () => {
  const block = "class A {\n  f() {\n  }\n}\n";
  const file = `${block}${block}// end\n${block}`;
  const after = await document("a.js", file, 6);
  expect(after).toContain("  /**\n   * TODO: say what f does.\n   */\n  f() {\n  }\n}\n// end\n");
});

test("among too many alike declarations none is documented", async () => {
  expect(await document("a.js", "function f() {\n}\n".repeat(400), 401)).toContain(
    "There is no declaration at this place for which",
  );
});

test("of a whole file, what has no comment gets one", async () => {
  const after = await document("a.js", "/** F. */\nexport function a() {}\nfunction b() {}\n");
  expect(after).toContain("/**\n * TODO: say what b does.\n */\nfunction b() {}\n");
});

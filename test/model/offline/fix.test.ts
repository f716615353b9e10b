import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit.ts";
import { languageOf } from "../../../src/code/language-of.ts";
import { queryOf, repairsOf } from "../../../src/model/offline/repairs/repairs-of.ts";
import { loadGrammars } from "../../../src/setup/load-grammars.node.ts";
import { finish } from "../../../src/edit/steps.ts";
import { findMechanicalFixes } from "../../../src/model/offline/fix.ts";
import { createCodeParser } from "../../../src/setup/create-code-parser.ts";

const code = createCodeParser(loadGrammars());

async function fix(path: string, text: string) {
  const analysis = await search(text, path);
  const { faults, units, left } = finish(
    findMechanicalFixes({ startLine: 1, endLine: Infinity }, analysis),
  );
  const result = applyUnits(text, units);
  const after = units.length === 0 ? text : result.ok && result.text;
  const found = faults.map(({ line, change }) => ({ line, isLeft: left.has(change) }));
  return { faults: found, units, after };
}

function search(text: string, path: string) {
  const query = queryOf(repairsOf(languageOf(undefined, path)));
  return code.analyze(text, undefined, path, query === undefined ? {} : { query });
}

const java = (statement: string) =>
  `class A {\n  boolean f(String x, String y) {\n    ${statement}\n  }\n}\n`;
const script = (statement: string) => `function f(x, y) {\n  ${statement}\n}\n`;

test.each([
  ["a.js", "if (x == y && x != 1) f();", "if (x === y && x !== 1) f();"],
  ["a.ts", 'if (typeof x == "a == b") f();', 'if (typeof x === "a == b") f();'],
  ["a.tsx", "const a = <b title={x == y}>x == y</b>;", "const a = <b title={x === y}>x == y</b>;"],
  ["a.py", "if x==None and y != None: pass", "if x is None and y is not None: pass"],
  ["a.py", "z = 1 if (x == None) else 2", "z = 1 if (x is None) else 2"],
  ["a.py", "try:\n  f()\nexcept:\n  g()", "try:\n  f()\nexcept Exception:\n  g()"],
  ["A.java", java('return x == "a";'), java('return "a".equals(x);')],
  [
    "A.java",
    java('return (this.s != "a" && y == "b");'),
    java('return (!"a".equals(this.s) && "b".equals(y));'),
  ],
  ["A.java", java('int z = x == "a" ? 1 : 2;'), java('int z = "a".equals(x) ? 1 : 2;')],
  [
    "a.php",
    "<p>x == null</p><?php if ($x == null || $y != NULL) f();",
    "<p>x == null</p><?php if ($x === null || $y !== NULL) f();",
  ],
  ["a.js", script("x =+ y;"), script("x += y;")],
  [
    "a.c",
    "int f(int s, int x) {\n  s =- x * 2;\n  return s;\n}\n",
    "int f(int s, int x) {\n  s -= x * 2;\n  return s;\n}\n",
  ],
])("in %s, %j becomes %j", async (path, before, after) => {
  expect((await fix(path, before)).after).toBe(after);
});

test.each([
  ["a.js", 'const a = /x==y/, b = "x == y", c = `${x == y}`; // x == y'],
  ["a.js", "if (null == x || undefined != y || x == null || x == void 0) f();"],
  ["a.js", "const a = x ==\n  null;"],
  ["a.js", "f(() => { if (x) { var b = 1; } return b; });"],
  ["a.js", script("x =+y; y = + x; x =+ x; const z =+ y;")],
  ["a.ts", "class A {\n  total =+ 1;\n}\n"],
  ["a.py", "rows = df[df.a == None]"],
  ["a.py", "if df[(df.a == None) & (df.b > 1)].empty: pass"],
  ["a.py", "query = query.filter(User.name == None)"],
  ["a.py", "isMissing = df.a == None"],
  ["a.py", "if ((df.a == None) & (df.b > 1)).any(): pass"],
  ["a.py", "if (df.a == None).any(): pass"],
  ["a.py", "if any(x == None for x in y): pass"],
  ["a.py", "try:\n  f()\nexcept:\n  g()\n  raise"],
  ["A.java", java('int z = x == "a" + y ? 1 : 2;')],
  ["A.java", java('return x + y == "a";')],
  ["A.java", java('return x == "a".intern();')],
  ["A.java", java("return x.charAt(0) == 'a';")],
  ["a.kt", 'fun f(x: String) = x == "a"'],
  ["a.rb", "x == nil if /y == nil/"],
])("%s with %j is left as it is", async (path, text) => {
  expect(await fix(path, text)).toEqual({ faults: [], units: [], after: text });
});

test("faults and units for a long file of alike lines stay few, and come at once", async () => {
  const text = "if (a == b) x();\n".repeat(2000);
  const { faults, units, after } = await fix("a.js", text);
  expect(faults).toHaveLength(2000);
  expect(units).toHaveLength(1);
  expect(after).toBe(text.replaceAll("==", "==="));
});

test("a fault whose line cannot be told from others is named, and left", async () => {
  const text = "if (a == b) x();\n\n".repeat(300);
  const { faults, units } = await fix("a.js", text);
  expect(faults).toHaveLength(300);
  const left = faults.filter(({ isLeft }) => isLeft);
  expect(left.length).toBeGreaterThan(200);
  expect(units.length).toBeLessThanOrEqual(20);
});

test("repairs of repetitive files can be applied, whatever recurs", async () => {
  const line = fc.constantFrom(
    "if (a == b) x();",
    "if (a != b) x();",
    "",
    "x();",
    "{",
    "}",
    "x(/a==b/, 1 == 2);",
  );
  const check = fc.asyncProperty(fc.array(line, { maxLength: 50 }), async (lines) => {
    const { faults, units, after } = await fix("a.js", lines.join("\n"));
    const repaired = new Set(faults.filter(({ isLeft }) => !isLeft).map((one) => one.line));
    const strict = (text: string) => text.replace(/(?<= )([!=]=)(?= )/, "$1=");
    const wanted = lines.map((text, nth) => (repaired.has(nth + 1) ? strict(text) : text));
    expect(after).toBe(wanted.join("\n"));
    expect(units.length).toBeLessThanOrEqual(20);
  });
  await fc.assert(check, { numRuns: 150 });
});

test("only the lines that are meant are looked at", async () => {
  const text = "if (a == b) x();\nif (c == d) x();\n";
  const analysis = await search(text, "a.js");
  const { faults } = finish(findMechanicalFixes({ startLine: 2, endLine: 2 }, analysis));
  expect(faults.map(({ line }) => line)).toEqual([2]);
});

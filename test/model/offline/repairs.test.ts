import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit.ts";
import { languageOf } from "../../../src/code/language-of.ts";
import { finish } from "../../../src/edit/steps.ts";
import { findMechanicalFixes } from "../../../src/model/offline/fix.ts";
import { queryOf, repairsOf } from "../../../src/model/offline/repairs/repairs-of.ts";
import { code } from "./ask-offline.ts";

async function repair(path: string, text: string): Promise<string> {
  const query = queryOf(repairsOf(languageOf(undefined, path))) ?? "";
  const analysis = await code.analyze(text, undefined, path, { query });
  const all = { startLine: 1, endLine: Infinity };
  const { units } = finish(findMechanicalFixes(all, analysis));
  const result = applyUnits(text, units);
  if (units.length > 0) expect(result).toMatchObject({ ok: true });
  return result.ok ? result.text : text;
}

const java = (condition: string) => `class A {\n  void f() {\n    if (${condition}) g();\n  }\n}\n`;
const go = (condition: string) => `package a\n\nfunc f() bool {\n\treturn ${condition}\n}\n`;
const rust = (condition: string) => `fn f() -> bool {\n    ${condition}\n}\n`;
const c = (condition: string) => `void f() {\n  if (${condition}) g();\n}\n`;

test.each([
  ["a.js", "if (x === NaN) f();\n", "if (Number.isNaN(x)) f();\n"],
  ["a.ts", "const a = b + 1 != NaN;\n", "const a = !Number.isNaN(b + 1);\n"],
  [
    "a.tsx",
    "const a = NaN == f(x) || Number.NaN !== y;\n",
    "const a = Number.isNaN(f(x)) || !Number.isNaN(y);\n",
  ],
  [
    "a.js",
    "const a = (b\n  + c) === NaN; // same\n",
    "const a = Number.isNaN((b\n  + c)); // same\n",
  ],
  [
    "a.js",
    "if (x = 5) f(); else if (y = -1) g();\n",
    "if (x === 5) f(); else if (y === -1) g();\n",
  ],
  [
    "a.js",
    "if (!key in map || !a instanceof B) f();\n",
    "if (!(key in map) || !(a instanceof B)) f();\n",
  ],
  [
    "a.py",
    "if x is 5 or y is not 'a' or 'b' is z: pass\n",
    "if x == 5 or y != 'a' or 'b' == z: pass\n",
  ],
  ["a.py", "ok = x is -1 or x is ()\n", "ok = x == -1 or x == ()\n"],
  ["a.py", "def f():\n    raise NotImplemented\n", "def f():\n    raise NotImplementedError\n"],
  ["a.py", "raise NotImplemented('later')\n", "raise NotImplementedError('later')\n"],
  ["a.py", "assert (x > 0, 'positive')\n", "assert x > 0, 'positive'\n"],
  ["A.java", java("x == Double.NaN"), java("Double.isNaN(x)")],
  ["A.java", java("done = true"), java("done == true")],
  ["A.java", java('"a" != name'), java('!"a".equals(name)')],
  ["A.cs", java("x != double.NaN"), java("!double.IsNaN(x)")],
  ["a.go", go("x == math.NaN()"), go("math.IsNaN(x)")],
  ["a.rs", rust("x.y != f64::NAN"), rust("!x.y.is_nan()")],
  ["a.php", "<?php if ($x === NAN) f();\n", "<?php if (is_nan($x)) f();\n"],
  ["a.php", "<?php if ($x = 5) f();\n", "<?php if ($x == 5) f();\n"],
  ["a.c", c("x == NAN"), c("isnan(x)")],
  ["a.c", c("x = 5"), c("x == 5")],
  ["a.cpp", c("p = nullptr"), c("p == nullptr")],
  ["a.rb", "if x = 5\n  f\nelsif y = nil\nend\n", "if x == 5\n  f\nelsif y == nil\nend\n"],
])("in %s, %j becomes %j", async (path, before, after) => {
  expect(await repair(path, before)).toBe(after);
});

test.each([
  ["a.js", "const a = NaN === NaN, b = x === /* of all */ NaN, c = `${x === NaN}`;\n"],
  ["a.js", "// x === NaN\nconst a = 'x === NaN';\n"],
  ["a.js", "while ((m = next()) !== null) f(m);\nif ((x = 5)) f();\nif (x = y) f();\n"],
  ["a.js", "if (a == true) f();\nif (!(key in map)) f();\nif ((!a) in b) f();\n"],
  ["a.js", "if (x === NaN {\n"],
  ["a.py", "if x is None or x is True or x is ... or x is y: pass\n"],
  ["a.py", "assert (x, y)\nassert (x)\nraise NotImplementedError\n"],
  ["a.py", "try:\n    f()\nexcept:\n    sys.exit(1)\n"],
  ["a.c", c("(x = 5)")],
  ["a.cpp", c("x == NAN")],
  ["a.rs", rust("x + y == f64::NAN")],
])("%s with %j is left as it is", async (path, text) => {
  expect(await repair(path, text)).toBe(text);
});

test.each([
  [
    "def f(a, b=[]):\n    return b\n",
    "def f(a, b=None):\n    if b is None:\n        b = []\n    return b\n",
  ],
  [
    'class A:\n  async def f(self, *, b={}, c=set()):\n    """Does."""\n    # first\n    b[1] = c\n',
    'class A:\n  async def f(self, *, b=None, c=None):\n    """Does."""\n    if b is None:\n      b = {}\n    if c is None:\n      c = set()\n    # first\n    b[1] = c\n',
  ],
  [
    "def f(a: list[int] = []):\n\ta.append(1)\n",
    "def f(a: list[int] | None = None):\n\tif a is None:\n\t\ta = []\n\ta.append(1)\n",
  ],
  [
    "def f(\r\n    a=[],\r\n):\r\n    return a == None\r\n",
    "def f(\r\n    a=None,\r\n):\r\n    if a is None:\r\n        a = []\r\n    return a == None\r\n",
  ],
])("a mutable default %j is made at each call: %j", async (before, after) => {
  expect(await repair("a.py", before)).toBe(after);
});

test.each([
  "def f(a=[]): return a\n",
  "def f(n, cache={}, _seen=set()):\n    return cache\n",
  "def f(counts=[0, 0]):\n    counts[0] += 1\n",
  "def f(a: 'list[int]' = [], b: Optional[list] = []):\n    return a\n",
  "def f(a=(), b=None):\n    return a\n",
  "f = lambda a=[]: a\n",
])("the default of %j may be meant, or has no place to be made, and is left", async (text) => {
  expect(await repair("a.py", text)).toBe(text);
});

test("repairs inside of what another one writes wait for the next time", async () => {
  const once = await repair("a.js", "const a = (x == y) === NaN;\n");
  expect(once).toBe("const a = Number.isNaN((x == y));\n");
  expect(await repair("a.js", once)).toBe("const a = Number.isNaN((x === y));\n");
});

test("a default is repaired as a whole or not at all", async () => {
  const text = "def f(a=[]):\n    return a\n\n".repeat(300);
  expect(await repair("a.py", text)).toBe(text);
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits, parseAnswer } from "../../../src/edit.ts";
import { askBare, subjectOf } from "./ask-offline.ts";

/** The file after the answer was applied, and the faults that the answer lists. */
async function fix(path: string, text: string, line?: number) {
  const place = line === undefined ? {} : { place: { startLine: line, endLine: line } };
  const answer = await askBare(subjectOf(path, text, { command: "fix", ...place }));
  const units = parseAnswer(answer).files.flatMap((one) => one.units);
  const result = applyUnits(text, units);
  if (units.length > 0) expect(result).toMatchObject({ ok: true });
  const faults = Array.from(answer.matchAll(/^- Line (\d+): .*$/gm), ([said, number]) => ({
    line: Number(number),
    isLeft: said.includes("Not repaired"),
  }));
  return { faults, after: units.length > 0 && result.ok ? result.text : text };
}

const java = (statement: string) =>
  `class A {\n  boolean f(String x, String y) {\n    ${statement}\n  }\n}\n`;

test.each([
  ["a.js", "if (x == y && x != 1) f();", "if (x === y && x !== 1) f();"],
  ["a.ts", 'if (typeof x == "a == b") f();', 'if (typeof x === "a == b") f();'],
  ["a.tsx", "const a = <b title={x == y}>x == y</b>;", "const a = <b title={x === y}>x == y</b>;"],
  ["a.js", "if (x === NaN) f();\n", "if (Number.isNaN(x)) f();\n"],
  ["a.js", "sum =+ item.price;\nthis.n =- 1;\n", "sum += item.price;\nthis.n -= 1;\n"],
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
  ["a.py", "if x==None and y != None: pass", "if x is None and y is not None: pass"],
  ["a.py", "z = 1 if (x == None) else 2", "z = 1 if (x is None) else 2"],
  ["a.py", "try:\n  f()\nexcept:\n  g()", "try:\n  f()\nexcept Exception:\n  g()"],
  ["A.java", java('return x == "a";'), java('return "a".equals(x);')],
  [
    "A.java",
    java('return (this.s != "a" && y == "b");'),
    java('return (!"a".equals(this.s) && "b".equals(y));'),
  ],
  ["A.java", java('int z = "a" == x ? 1 : 2;'), java('int z = "a".equals(x) ? 1 : 2;')],
  [
    "a.php",
    "<p>x == null</p><?php if ($x == null || $y != NULL) f();",
    "<p>x == null</p><?php if ($x === null || $y !== NULL) f();",
  ],
])("in %s, %j becomes %j", async (path, before, after) => {
  expect((await fix(path, before)).after).toBe(after);
});

test.each([
  ["a.js", 'const a = /x==y/, b = "x == y"; // x == y'],
  ["a.js", "if (null == x || undefined != y || x == null || x == void 0) f();"],
  ["a.js", "const a = x ==\n  null;"],
  ["a.ts", "x = +y;\nx =+ x;\nx =+ /* the */ y;\nlet z =+ y;\n"],
  ["a.js", "const a = NaN === NaN, b = x === /* of all */ NaN;\n"],
  ["a.js", "if (a == true) f();\nif (x === NaN {\n"],
  ["a.py", "rows = df[df.a == None]"],
  ["a.py", "if df[(df.a == None) & (df.b > 1)].empty: pass"],
  ["a.py", "query = query.filter(User.name == None)"],
  ["a.py", "isMissing = df.a == None"],
  ["a.py", "if (df.a == None).any(): pass"],
  ["a.py", "if any(x == None for x in y): pass"],
  ["a.py", "try:\n  f()\nexcept:\n  g()\n  raise"],
  ["A.java", java('int z = x == "a" + y ? 1 : 2;')],
  ["A.java", java('return x == "a".intern();')],
  ["A.java", java("return x.charAt(0) == 'a';")],
  ["a.kt", 'fun f(x: String) = x == "a"'],
  ["a.go", "package a\n\nfunc f(x bool) bool { return x == true }\n"],
])("%s with %j is left as it is", async (path, text) => {
  expect(await fix(path, text)).toEqual({ faults: [], after: text });
});

test("of many faults the first twenty are repaired, and the others are named as left", async () => {
  const text = Array.from({ length: 30 }, (_, nth) => `if (a == ${nth}) x();\n`).join("");
  const { faults, after } = await fix("a.js", text);
  expect(faults.map(({ isLeft }) => isLeft)).toEqual(
    Array.from({ length: 30 }, (_, nth) => nth > 19),
  );
  expect(after.match(/===/g)).toHaveLength(20);
});

test("a fault whose lines look like others is named, and left", async () => {
  const text = "if (a == b) x();\n\n".repeat(300);
  const { faults, after } = await fix("a.js", text);
  expect(faults).toHaveLength(40);
  expect(faults.every(({ isLeft }) => isLeft)).toBe(true);
  expect(after).toBe(text);
});

test("repairs of repetitive files are made as they are told, whatever recurs and however lines end", async () => {
  const line = fc.constantFrom(
    "if (a == b) x();",
    "if (a != b) x();",
    "",
    "x();",
    "{",
    "}",
    "x(/a==b/, 1 == 2);  ",
  );
  const file = fc.record({
    lines: fc.array(line, { maxLength: 40 }),
    end: fc.constantFrom("\n", "\r\n"),
    mark: fc.constantFrom("", "\uFEFF"),
  });
  const check = fc.asyncProperty(file, async ({ lines, end, mark }) => {
    const { faults, after } = await fix("a.js", mark + lines.join(end));
    const repaired = new Set(faults.filter(({ isLeft }) => !isLeft).map((one) => one.line));
    const strict = (text: string) => text.replace(/(?<= )([!=]=)(?= )/, "$1=");
    const wanted = lines.map((text, nth) => (repaired.has(nth + 1) ? strict(text) : text));
    expect(after).toBe(mark + wanted.join(end));
  });
  await fc.assert(check, { numRuns: 150 });
});

test("only the lines that are meant are looked at", async () => {
  const { faults } = await fix("a.js", "if (a == b) x();\nif (c == d) x();\n", 2);
  expect(faults.map(({ line }) => line)).toEqual([2]);
});

test("of two repairs that overlap the outer one is made", async () => {
  const { after } = await fix("a.js", "const a = (x == y) === NaN;\n");
  expect(after).toBe("const a = Number.isNaN((x == y));\n");
});

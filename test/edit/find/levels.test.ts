import { describe, expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/apply-units.ts";
import type { EditLevel, EditUnit } from "../../../src/edit/edit-unit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const unit = (search: string, replace: string): EditUnit => ({ search, replace });

interface Found {
  level: EditLevel;
  what: string;
  before: string;
  search: string;
  replace: string;
  after: string;
  range: [number, number];
}

const found: Found[] = [
  {
    level: "exact",
    what: "what stands in the file byte by byte",
    before: lines("a", "  b", "c"),
    search: lines("  b"),
    replace: lines("  x", "  y"),
    after: lines("a", "  x", "  y", "c"),
    range: [2, 2],
  },
  {
    level: "line-ends",
    what: "other line ends",
    before: "a\r\nb\r\nc\r\n",
    search: lines("b", "c"),
    replace: lines("x", "c"),
    after: "a\r\nx\r\nc\r\n",
    range: [2, 3],
  },
  {
    level: "line-ends",
    what: "blanks at the ends of lines",
    before: lines("a", "b ", "c"),
    search: lines("b", "c\t"),
    replace: lines("b", "x"),
    after: lines("a", "b ", "x"),
    range: [2, 3],
  },
  {
    level: "indentation",
    what: "another indentation",
    before: lines("if (a) {", "    b();", "    c();", "}"),
    search: lines("b();", "c();"),
    replace: lines("b();", "if (d) {", "    c();", "}"),
    after: lines("if (a) {", "    b();", "    if (d) {", "        c();", "    }", "}"),
    range: [2, 3],
  },
  {
    level: "typography",
    what: "typographic quotes, dashes and blanks",
    before: lines("a", "“b” – it’s", "c\u00a0d", "e"),
    search: lines('"b" - it\'s', "c d", "e"),
    replace: lines('"b" - it\'s', "c d", "x"),
    after: lines("a", "“b” – it’s", "c\u00a0d", "x"),
    range: [2, 4],
  },
  {
    level: "typography",
    what: "other blanks inside a line",
    before: lines("int  a = 1;", "int long_name = 2;"),
    search: lines("int a = 1;", "int  long_name = 2;"),
    replace: lines("int a = 1;", "int long_name = 3;"),
    after: lines("int  a = 1;", "int long_name = 3;"),
    range: [1, 2],
  },
  {
    level: "blank-lines",
    what: "blank lines that SEARCH lacks",
    before: lines("a", "", "b", "", "", "c", "d"),
    search: lines("a", "b", "c"),
    replace: lines("a", "b", "x"),
    after: lines("a", "", "b", "", "", "x", "d"),
    range: [1, 6],
  },
  {
    level: "blank-lines",
    what: "blank lines that the file lacks",
    before: lines("a", "b", "c", "d"),
    search: lines("a", "", "b", "", "c"),
    replace: lines("a", "", "x", "", "c"),
    after: lines("a", "x", "c", "d"),
    range: [1, 3],
  },
  {
    level: "elision",
    what: "segments between marks of text left out",
    before: lines("function f() {", "  a();", "  b();", "  c();", "}", "g();"),
    search: lines("function f() {", "  // ... existing code ...", "  c();", "}"),
    replace: lines("function f(x) {", "  // ... existing code ...", "  d();", "}"),
    after: lines("function f(x) {", "  a();", "  b();", "  d();", "}", "g();"),
    range: [1, 5],
  },
  {
    level: "decoration",
    what: "a code fence around the lines",
    before: lines("a", "b", "c"),
    search: lines("```ts", "b", "c", "```"),
    replace: lines("```ts", "b", "x", "```"),
    after: lines("a", "b", "x"),
    range: [2, 3],
  },
  {
    level: "decoration",
    what: "line numbers before the lines",
    before: lines("a", "  b", "", "c", "d"),
    search: lines("2 |   b", "3 |", "4 | c"),
    replace: lines("2 |   b", "3 |", "4 | x"),
    after: lines("a", "  b", "", "x", "d"),
    range: [2, 4],
  },
  {
    level: "decoration",
    what: "HTML entities",
    before: lines("if (a < b && c) {", "}"),
    search: lines("if (a &lt; b &amp;&amp; c) {"),
    replace: lines("if (a &gt; b &amp;&amp; c) {"),
    after: lines("if (a > b && c) {", "}"),
    range: [1, 1],
  },
  {
    level: "partial-line",
    what: "a first line that is the end of a line",
    before: lines("const a = call(one, two);", "next();", "last();"),
    search: lines("two);", "next();"),
    replace: lines("two, three);", "next();"),
    after: lines("const a = call(one, two, three);", "next();", "last();"),
    range: [1, 2],
  },
  {
    level: "partial-line",
    what: "a last line that is the beginning of a line",
    before: lines("first();", "const a = call(one, two);", "last();"),
    search: lines("first();", "const a ="),
    replace: lines("first();", "const b ="),
    after: lines("first();", "const b = call(one, two);", "last();"),
    range: [1, 2],
  },
  {
    level: "partial-line",
    what: "a single line that stands inside a line",
    before: lines("first();", "const a = call(one, two);"),
    search: lines("call(one, two)"),
    replace: lines("call(one)"),
    after: lines("first();", "const a = call(one);"),
    range: [2, 2],
  },
  {
    level: "similar",
    what: "a line with a slip",
    before: lines("start();", "alpha = compute(1);", "beta = compute(2);", "gamma = 3;", "end();"),
    search: lines("alpha = compute(1);", "beta = computed(2);", "gamma = 3;", "end();"),
    replace: lines("alpha = compute(1);", "beta = computed(2);", "gamma = 4;", "end();"),
    after: lines("start();", "alpha = compute(1);", "beta = compute(2);", "gamma = 4;", "end();"),
    range: [2, 5],
  },
];

describe("found", () => {
  test.each(found)("$level: a SEARCH with $what is found", (one) => {
    const result = applyUnits(one.before, [unit(one.search, one.replace)]);
    const [startLine, endLine] = one.range;
    expect(result).toEqual({
      ok: true,
      text: one.after,
      units: [{ level: one.level, startLine, endLine }],
    });
  });

  test("new-file: an empty SEARCH fills a missing file", () => {
    expect(applyUnits(undefined, [unit("", lines("a", "b"))])).toEqual({
      ok: true,
      text: lines("a", "b"),
      units: [{ level: "new-file", startLine: 1, endLine: 0 }],
    });
  });

  test("new-file: an empty SEARCH fills an empty file", () => {
    expect(applyUnits("", [unit("", lines("a"))])).toEqual({
      ok: true,
      text: lines("a"),
      units: [{ level: "new-file", startLine: 1, endLine: 0 }],
    });
  });

  test("whole-file: an empty SEARCH replaces all lines of a file", () => {
    expect(applyUnits(lines("a", "b", "c"), [unit("", lines("x"))])).toEqual({
      ok: true,
      text: lines("x"),
      units: [{ level: "whole-file", startLine: 1, endLine: 3 }],
    });
  });
});

interface Rivals {
  level: EditLevel;
  other: string;
  before: string;
  search: string;
  replace: string;
  after: string;
}

/** The stricter place stands second: whoever takes the first place that fits is wrong. */
const rivals: Rivals[] = [
  {
    level: "exact",
    other: "line-ends",
    before: lines("a ", "-", "a"),
    search: lines("a"),
    replace: lines("x"),
    after: lines("a ", "-", "x"),
  },
  {
    level: "line-ends",
    other: "indentation",
    before: lines("  a", "-", "a "),
    search: lines("a\t"),
    replace: lines("x"),
    after: lines("  a", "-", "x"),
  },
  {
    level: "indentation",
    other: "typography",
    before: lines("it’s", "-", "  it's"),
    search: lines("it's"),
    replace: lines("x"),
    after: lines("it’s", "-", "  x"),
  },
  {
    level: "typography",
    other: "blank-lines",
    before: lines("it's", "", "b", "-", "it’s", "b"),
    search: lines("it's", "b"),
    replace: lines("it's", "x"),
    after: lines("it's", "", "b", "-", "it’s", "x"),
  },
  {
    level: "blank-lines",
    other: "similar",
    before: lines("one(1);", "two(2);", "thre(3);", "four(4);", "-", "one(1);").concat(
      lines("", "two(2);", "three(3);", "four(4);"),
    ),
    search: lines("one(1);", "two(2);", "three(3);", "four(4);"),
    replace: lines("one(1);", "two(2);", "three(3);", "x"),
    after: lines("one(1);", "two(2);", "thre(3);", "four(4);", "-", "one(1);").concat(
      lines("", "two(2);", "three(3);", "x"),
    ),
  },
  {
    level: "exact",
    other: "elision",
    before: lines("a", "b", "c", "-", "a", "...", "c"),
    search: lines("a", "...", "c"),
    replace: lines("a", "...", "x"),
    after: lines("a", "b", "c", "-", "a", "...", "x"),
  },
  {
    level: "exact",
    other: "decoration",
    before: lines("b", "-", "```", "b", "```"),
    search: lines("```", "b", "```"),
    replace: lines("```", "x", "```"),
    after: lines("b", "-", "```", "x", "```"),
  },
  {
    level: "exact",
    other: "partial-line",
    before: lines("const a = call();", "call();"),
    search: lines("call();"),
    replace: lines("x();"),
    after: lines("const a = call();", "x();"),
  },
];

describe("a stricter level wins", () => {
  test.each(rivals)("a place at level $level wins over one at level $other", (one) => {
    const result = applyUnits(one.before, [unit(one.search, one.replace)]);
    expect(result).toMatchObject({ ok: true, text: one.after, units: [{ level: one.level }] });
  });
});

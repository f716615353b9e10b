import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/apply-units.ts";
import type { EditLevel } from "../../../src/edit/edit-unit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

interface Tie {
  level: EditLevel;
  before: string;
  search: string;
  replace: string;
  ranges: [number, number][];
}

/** A third place, at a looser level, is no candidate; it must not become the answer either. */
const ties: Tie[] = [
  {
    level: "exact",
    before: lines("a", "b", "-", "  a", "  b", "-", "a", "b"),
    search: lines("a", "b"),
    replace: lines("a", "x"),
    ranges: [
      [1, 2],
      [7, 8],
    ],
  },
  {
    level: "line-ends",
    before: lines("a ", "b", "-", "  a", "  b", "-", "a", "b\t"),
    search: lines("a", "b"),
    replace: lines("a", "x"),
    ranges: [
      [1, 2],
      [7, 8],
    ],
  },
  {
    level: "indentation",
    before: lines("  it's", "  b", "-", "it’s", "b", "-", "    it's", "    b"),
    search: lines("it's", "b"),
    replace: lines("it's", "x"),
    ranges: [
      [1, 2],
      [7, 8],
    ],
  },
  {
    level: "typography",
    before: lines("it’s", "b", "-", "it's", "", "b", "-", "it‘s", "b"),
    search: lines("it's", "b"),
    replace: lines("it's", "x"),
    ranges: [
      [1, 2],
      [8, 9],
    ],
  },
  {
    level: "blank-lines",
    before: lines("a", "", "b", "-", "a", "", "b"),
    search: lines("a", "b"),
    replace: lines("a", "x"),
    ranges: [
      [1, 3],
      [5, 7],
    ],
  },
  {
    level: "elision",
    before: lines("begin", "a", "end", "-", "end"),
    search: lines("begin", "// ...", "end"),
    replace: lines("begin", "// ...", "x"),
    ranges: [
      [1, 3],
      [1, 5],
    ],
  },
  {
    level: "decoration",
    before: lines("b", "c", "-", "b", "c"),
    search: lines("```", "b", "c", "```"),
    replace: lines("```", "b", "x", "```"),
    ranges: [
      [1, 2],
      [4, 5],
    ],
  },
  {
    level: "partial-line",
    before: lines("let a = call(1);", "next();", "-", "let b = call(1);", "next();"),
    search: lines("call(1);", "next();"),
    replace: lines("call(2);", "next();"),
    ranges: [
      [1, 2],
      [4, 5],
    ],
  },
  {
    level: "similar",
    before: lines("one(1);", "twoo(2);", "three(3);", "four(4);", "-").concat(
      lines("one(1);", "twwo(2);", "three(3);", "four(4);"),
    ),
    search: lines("one(1);", "two(2);", "three(3);", "four(4);"),
    replace: lines("one(1);", "two(2);", "three(3);", "x"),
    ranges: [
      [1, 4],
      [6, 9],
    ],
  },
];

test.each(ties)("two places at level $level are ambiguous, whatever else there is", (one) => {
  const result = applyUnits(one.before, [{ search: one.search, replace: one.replace }]);
  expect(result).toMatchObject({
    ok: false,
    error: {
      code: "ambiguous",
      unit: 1,
      candidates: one.ranges.map(([startLine, endLine]) => ({ startLine, endLine })),
    },
  });
});

test.each(ties.filter(({ ranges: [one, other] }) => one?.[0] !== other?.[0]))(
  "of two places at level $level the one that was chosen is taken",
  ({ level, before, search, replace, ranges }) => {
    for (const [startLine, endLine] of ranges) {
      const places = new Map([[1, startLine]]);
      const result = applyUnits(before, [{ search, replace }], { places });
      expect(result).toMatchObject({ ok: true, units: [{ level, startLine, endLine }] });
    }
  },
);

test("two places of a single line inside other lines are ambiguous", () => {
  const before = lines("let a = call(1);", "let b = call(1);");
  const result = applyUnits(before, [{ search: lines("call(1)"), replace: lines("call(2)") }]);
  const candidates = [1, 2].map((line) => ({ startLine: line, endLine: line }));
  expect(result).toMatchObject({ ok: false, error: { code: "ambiguous", candidates } });
});

test("a line that stands twice within one line is ambiguous", () => {
  const result = applyUnits(lines("call(1) + call(1)"), [
    { search: lines("call(1)"), replace: lines("call(2)") },
  ]);
  expect(result).toMatchObject({ ok: false, error: { code: "ambiguous" } });
});

test("places that overlap each other are ambiguous", () => {
  const result = applyUnits(lines("a", "a", "a"), [
    { search: lines("a", "a"), replace: lines("x") },
  ]);
  const candidates = [
    { startLine: 1, endLine: 2 },
    { startLine: 2, endLine: 3 },
  ];
  expect(result).toMatchObject({ ok: false, error: { code: "ambiguous", candidates } });
});

test("a place that differs in one line less is not enough to be clearly the best", () => {
  const text = (third: string) => lines("one(1);", "two(2);", third, "four(4);");
  const before = text("threee(3);") + lines("-") + text("threeee(33);");
  const result = applyUnits(before, [{ search: text("three(3);"), replace: text("x(3);") }]);
  expect(result).toMatchObject({ ok: false, error: { code: "ambiguous" } });
});

test("a line that is not like any is no slip: no place is found", () => {
  const result = applyUnits(lines("one(1);", "two(2);", "three(3);", "four(4);"), [
    {
      search: lines("one(1);", "two(2);", "return undefined", "four(4);"),
      replace: lines("one(1);", "two(2);", "return undefined", "x"),
    },
  ]);
  expect(result).toMatchObject({ ok: false, error: { code: "no-match" } });
});

test("with three lines a slip leaves too little to tell the place", () => {
  const result = applyUnits(lines("one(1);", "two(2);", "three(3);"), [
    { search: lines("one(1);", "twoo(2);", "three(3);"), replace: lines("one(1);", "three(3);") },
  ]);
  expect(result).toMatchObject({ ok: false, error: { code: "no-match" } });
});

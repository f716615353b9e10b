import * as fc from "fast-check";
import { expect, test } from "vitest";
import { commonLines as compareInSteps, type CommonLine } from "../../../src/edit/compare-lines.ts";

const commonLines = (...texts: Parameters<typeof compareInSteps>): CommonLine[] =>
  compareInSteps(...texts);

const letters = (text: string) => text.split("");
const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 30 }).map(letters);

/** The length of the longest common run, by the definition. */
function longest(one: readonly string[], other: readonly string[]): number {
  let row = other.map(() => 0);
  for (const line of one) {
    const next: number[] = [];
    for (const [at, otherLine] of other.entries()) {
      const diagonal = at === 0 ? 0 : (row[at - 1] ?? 0);
      const side = Math.max(row[at] ?? 0, at === 0 ? 0 : (next[at - 1] ?? 0));
      next.push(line === otherLine ? diagonal + 1 : side);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function expectCommon(one: readonly string[], other: readonly string[], pairs: CommonLine[]): void {
  for (const [nth, [first, second]] of pairs.entries()) {
    const [before1, before2] = pairs[nth - 1] ?? [-1, -1];
    expect(first).toBeGreaterThan(before1);
    expect(second).toBeGreaterThan(before2);
    expect(one[first]).toBeDefined();
    expect(one[first]).toBe(other[second]);
  }
}

test("the common lines rise in both texts and are the same in both", () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expectCommon(one, other, commonLines(one, other));
    }),
  );
});

test("of small texts no longer run is in common", () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(commonLines(one, other)).toHaveLength(longest(one, other));
    }),
  );
});

test.each([
  ["", "", []],
  ["", "ab", []],
  ["ab", "", []],
  [
    "abc",
    "abc",
    [
      [0, 0],
      [1, 1],
      [2, 2],
    ],
  ],
  [
    "abc",
    "axc",
    [
      [0, 0],
      [2, 2],
    ],
  ],
  [
    "abc",
    "xabc",
    [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
  ],
  ["aba", "a", [[0, 0]]],
  ["ab", "ba", [[1, 0]]],
] satisfies [string, string, number[][]][])(
  "%j and %j have their lines in common",
  (one, other, pairs) => {
    expect(commonLines(letters(one), letters(other))).toEqual(pairs);
  },
);

test("of large texts the lines that stand once in each are in common", () => {
  const one = Array.from({ length: 2000 }, (_, nth) => `line ${nth}`);
  const other = one.map((line, nth) => (nth % 10 === 5 ? `other ${nth}` : line));
  const pairs = commonLines(one, other);
  expectCommon(one, other, pairs);
  expect(pairs).toHaveLength(1800);
});

test("of large texts lines that were moved do not cross", () => {
  const one = Array.from({ length: 2000 }, (_, nth) => `line ${nth}`);
  const other = [...one.slice(1500), ...one.slice(0, 1500), "last"];
  const pairs = commonLines(["first", ...one], other);
  expectCommon(["first", ...one], other, pairs);
  expect(pairs).toHaveLength(1500);
});

test("of large texts without a line that stands once in each, nothing but both ends is in common", () => {
  const one = ["head", ...Array.from({ length: 2000 }, (_, nth) => `${nth % 2}`), "tail"];
  const other = ["head", ...Array.from({ length: 2000 }, (_, nth) => `${(nth + 1) % 2}`), "tail"];
  const pairs = commonLines(one, other);
  expectCommon(one, other, pairs);
  expect(pairs).toEqual([
    [0, 0],
    [2001, 2001],
  ]);
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { distanceCost, editDistance } from "../../../src/edit/find/similar/edit-distance.ts";

/** By the whole table. */
function byTable(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const change = (row[column - 1] ?? 0) + (one[at] === other[column - 1] ? 0 : 1);
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

test("the distance of two texts is that of the whole table, whatever their lengths", () => {
  const word = fc
    .array(fc.constantFrom("a", "b", "c", "中"), { maxLength: 140 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(editDistance(one, other)).toBe(byTable(one, other));
    }),
    { numRuns: 2000 },
  );
});

test("what it costs grows by rows of 32", () => {
  expect(distanceCost("a".repeat(32), "b".repeat(10))).toBe(10);
  expect(distanceCost("a".repeat(33), "b".repeat(10))).toBe(20);
  expect(distanceCost("", "b")).toBe(0);
});

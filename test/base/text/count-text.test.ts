import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countText, hasText } from "../../../src/base/text/count-text.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é"), maxLength: 30 });
const part = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é"), minLength: 1, maxLength: 6 });

test("a part is counted as split does, and is there where includes finds it", () => {
  fc.assert(
    fc.property(text, part, fc.integer({ min: 1, max: 3 }), (whole, piece, most) => {
      const count = whole.split(piece).length - 1;
      expect(countText(whole, piece)).toBe(count);
      expect(countText(whole, piece, most)).toBe(Math.min(count, most));
      expect(hasText(whole, piece)).toBe(whole.includes(piece));
    }),
    { numRuns: 2000 },
  );
});

test("nothing is part of every text", () => {
  expect([hasText("", ""), hasText("a", "")]).toEqual([true, true]);
});

// `includes` takes minutes for it.
test("a million signs that repeat are looked through once", () => {
  const run = "a".repeat(250_000);
  expect(hasText(run.repeat(4), `${run}b${run}`)).toBe(false);
  expect(countText(`${run}b${run}`.repeat(2), `${run}b${run}`)).toBe(2);
});

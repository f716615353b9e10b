import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  TextLines,
  countLineEnds,
  countLineFeeds,
  countLines,
} from "../../../src/base/text/lines.ts";

const text = fc.string({
  unit: fc.constantFrom("a", "中", "\n", "\n", "\r", "\r\n"),
  maxLength: 400,
});

function linesOf(whole: string): string[] {
  const lines = whole.split(/\r\n|\r|\n/);
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

test("lines are cut out as a split would give them", () => {
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: -2, max: 300 }),
      fc.nat({ max: 300 }),
      (whole, first, more) => {
        const all = linesOf(whole);
        const lines = new TextLines(whole);
        expect(lines.count).toBe(all.length);
        expect(countLines(whole)).toBe(all.length);
        expect(lines.slice(1, all.length)).toEqual(all);
        const last = first + more;
        expect(lines.slice(first, last)).toEqual(
          all.slice(Math.max(first, 1) - 1, Math.max(last, 0)),
        );
      },
    ),
  );
});

test("line ends are counted up to an offset, also between the two signs of one", () => {
  fc.assert(
    fc.property(text, fc.nat({ max: 500 }), (whole, offset) => {
      const before = whole.slice(0, offset);
      expect(countLineEnds(whole, offset)).toBe(before.split(/\r\n|\r|\n/).length - 1);
      expect(countLineFeeds(whole)).toBe(whole.split("\n").length - 1);
    }),
  );
});

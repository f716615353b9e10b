import * as fc from "fast-check";
import { expect, test } from "vitest";
import { encloses, overlaps } from "../../src/edit/edit-unit.ts";

const range = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 4 }))
  .map(([startLine, more]) => ({ startLine, endLine: startLine + more }));
const linesOf = ({ startLine, endLine }: { startLine: number; endLine: number }) =>
  Array.from({ length: endLine - startLine + 1 }, (_, nth) => startLine + nth);

test("ranges overlap where they share a line, and one encloses another where it has all its lines", () => {
  fc.assert(
    fc.property(range, range, (one, other) => {
      const lines = linesOf(one);
      expect(overlaps(one, other)).toBe(linesOf(other).some((line) => lines.includes(line)));
      expect(encloses(one, other)).toBe(linesOf(other).every((line) => lines.includes(line)));
    }),
    { numRuns: 1000 },
  );
});

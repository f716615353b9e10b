import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyTextChanges, findTextChanges } from "../../../src/edit/unified-diff.ts";
import { cutToSelection } from "../../../src/doors/plugin/selected-code.ts";

const line = fc.constantFrom("", "a", "  a", "b", "    b", "}", "a b", "é");
const newline = fc.constantFrom("\n", "\r\n");
const body = fc
  .tuple(fc.array(line, { maxLength: 8 }), newline, fc.boolean())
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ""));

function changesOf(before: string, after: string) {
  return findTextChanges(before, after);
}

test("what replaces the selection, and what is told beside it, make the change together", () => {
  fc.assert(
    fc.property(body, body, fc.nat(60), fc.nat(60), (before, after, one, other) => {
      const [start, end] = [one, other].map((at) => at % (before.length + 1)).sort((a, b) => a - b);
      const span = { start: start ?? 0, end: end ?? 0 };
      const changes = changesOf(before, after);
      const { inside, outside } = cutToSelection(before, changes, span);
      expect(applyTextChanges(before, changes)).toBe(after);
      if (inside === undefined) expect(outside).toEqual(changes);
      if (inside !== undefined) {
        const selected = before.slice(0, span.start) + inside + before.slice(span.end);
        const kept = changes.filter((change) => !outside.includes(change));
        expect(selected).toBe(applyTextChanges(before, kept));
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a change of the selected text alone never lies outside", () => {
  fc.assert(
    fc.property(body, body, body, body, (above, selected, becomes, below) => {
      fc.pre(selected !== becomes);
      const [before, after] = [above + selected + below, above + becomes + below];
      const span = { start: above.length, end: above.length + selected.length };
      const changes = changesOf(before, after);
      const { inside, outside } = cutToSelection(before, changes, span);
      const isOneChange = changes.length === 1;
      // Lines that are alike may make a change that reads otherwise.
      if (isOneChange && inside !== undefined) expect(outside).toEqual([]);
      if (isOneChange && inside !== undefined) expect(above + inside + below).toBe(after);
    }),
    { numRuns: 2_000 },
  );
});

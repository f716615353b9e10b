// SEARCH with a mistake that REPLACE does not carry.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit.ts";
import { cases } from "../../helpers/cases.ts";

const lines = Array.from(
  { length: 12 },
  (_, nth) => `  step${nth}(value, "${"abcdef"[nth % 6]}");`,
);
const text = (own: readonly string[]): string => `${own.join("\n")}\n`;
const file = text(lines);

test("a line that SEARCH has otherwise, and REPLACE as the file, is that of the file", () => {
  fc.assert(
    fc.property(
      fc.nat(6),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom("  // Now the steps.", "  <!DOCTYPE step>", "  other(a, b) {"),
      (from, wrong, place, slip) => {
        const part = lines.slice(from, from + 5);
        const replace = part.toSpliced(place + 1, 0, "  added(1);");
        const search = part.with(wrong, slip);
        const result = applyUnits(file, [{ search: text(search), replace: text(replace) }]);
        const after = text(lines.toSpliced(from + place + 1, 0, "  added(1);"));
        // Beside the new line it may as well be one that goes.
        const isApart = Math.abs(wrong - place) > 1;
        if (isApart || result.ok) expect(result).toMatchObject({ ok: true, text: after });
      },
    ),
    { numRuns: cases(200) },
  );
});

test("a comment that only SEARCH has is left out; other code is not", () => {
  fc.assert(
    fc.property(fc.nat(7), fc.nat(4), (from, place) => {
      const part = lines.slice(from, from + 5);
      const replace = text(part.with(0, "  changed();"));
      const apply = (line: string) =>
        applyUnits(file, [{ search: text(part.toSpliced(place, 0, line)), replace }]);
      const after = text(lines.with(from, "  changed();"));
      expect(apply("  // Explains the steps.")).toMatchObject({ ok: true, text: after });
      expect(apply('  notify(value, "all of them");').ok).toBe(false);
    }),
    { numRuns: cases(100) },
  );
});

test("a line of the file that SEARCH quotes otherwise never stays behind its new version", () => {
  fc.assert(
    fc.property(fc.nat(6), fc.nat(4), (from, place) => {
      const part = lines.slice(from, from + 5);
      const search = part.with(place, '  notify(value, "other");');
      const replace = part.with(place, "  changed();");
      const result = applyUnits(file, [{ search: text(search), replace: text(replace) }]);
      const after = text(lines.with(from + place, "  changed();"));
      if (result.ok) expect(result.text).toBe(after);
    }),
    { numRuns: cases(100) },
  );
});

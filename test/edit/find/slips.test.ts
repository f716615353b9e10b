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

// Units that depend on each other: additions at one place, units that quote what others wrote, and twice the same.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits } from "../../src/edit/edit-session.ts";
import type { EditUnit } from "../../src/edit/edit-unit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const unit = (search: string, replace: string): EditUnit => ({ search, replace });

test("units that each quote the text as it is after those before give what they give one by one", () => {
  const word = fc.constantFrom("a", "b", "c", "d");
  const size = fc.integer({ min: 1, max: 3 });
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 8 }),
      fc.array(fc.tuple(fc.nat({ max: 7 }), size, fc.array(word, { maxLength: 2 })), {
        minLength: 2,
        maxLength: 4,
      }),
      (count, changes) => {
        const before = Array.from({ length: count }, (_, nth) => `line ${nth}`);
        let now = before;
        const units = changes.map(([at, length, added], nth) => {
          const start = at % Math.max(1, now.length);
          const search = now.slice(start, start + length);
          const replace = added.map((each) => `${each}${nth}`);
          now = now.toSpliced(start, length, ...replace);
          return unit(lines(...search), lines(...replace));
        });
        fc.pre(units.every(({ search }) => search.trim() !== ""));
        const result = applyUnits(lines(...before), units);
        if (result.ok) expect(result.text).toBe(lines(...now));
      },
    ),
    { numRuns: 2000 },
  );
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { finish } from "../../../src/edit/steps.ts";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import { printClick, readClick } from "../../../src/flows/click/click-prompt.ts";
import { textsFor } from "../../../src/flows/texts/texts.ts";

const line = fc.constantFrom(
  "a",
  "  b();",
  "",
  "=======",
  "------- SEARCH",
  "[whole file]",
  "[unit 1 at line 2, place 1 of 2]",
);
const text = fc.array(line, { minLength: 1, maxLength: 5 }).map((all) => `${all.join("\n")}\n`);
const units = fc.array(fc.record({ search: text, replace: text }), { minLength: 1, maxLength: 4 });
const count = fc.integer({ min: 1, max: 99_999 });
const places = fc
  .array(fc.tuple(count, fc.record({ startLine: count, nth: count, of: count })), { maxLength: 3 })
  .map((all) => new Map(all));
const head = fc.constantFrom(
  ...(["en", "zh"] as const).flatMap((locale) => [
    textsFor(locale).applyThere,
    textsFor(locale).showWhole.prompt,
  ]),
);

test("a click that was printed is read back: its units, its places and what it wants", () => {
  fc.assert(
    fc.property(head, units, places, fc.boolean(), (sentence, given, chosen, isWhole) => {
      fc.pre(isWhole || chosen.size > 0);
      const click = finish(
        readClick(
          printClick(sentence, printUnits(given), chosen, isWhole ? "whole file" : undefined),
        ),
      );
      expect(click?.places).toEqual(chosen);
      expect(click?.isWholeFile).toBe(isWhole);
      expect(click?.file.error).toBeUndefined();
      expect(click?.file.units.map(({ search, replace }) => ({ search, replace }))).toEqual(given);
    }),
    { numRuns: 500 },
  );
});

test("what a person writes is no click", () => {
  for (const prompt of [undefined, "", "Fix this.", `Fix.\n\n${printUnits([])}\n[whole file]`])
    expect(finish(readClick(prompt))).toBeUndefined();
});

// What a click on proposed changes sends comes back as it was, whatever the files hold.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/apply-units.ts";
import { finish } from "../../../src/edit/steps.ts";
import { printChangesClick, readChangesClick } from "../../../src/flows/loop/changes-click.ts";
import type { FileChange } from "../../../src/workspace/workspace.ts";

// A fence as the first or last line of a change is refused by the engine, here as everywhere.
const line = fc.constantFrom(
  "====",
  "=======",
  "------- SEARCH",
  "+++++++ REPLACE",
  "</file-edit>",
  "file -",
  'new "x"',
  "a = 1",
  "  b = 2",
  "",
  "汉字",
);
const text = fc
  .array(line, { minLength: 1, maxLength: 12 })
  .map((lines) => lines.map((one) => `${one}\n`).join(""));
const hash = "0123456789abcdef".repeat(4);
const path = fc.constantFrom("a.js", "src/b c.ts", '名字/"x".py');

const change: fc.Arbitrary<FileChange> = fc.oneof(
  fc.record({ path, before: fc.constant(undefined), after: text }),
  fc.record({
    path,
    before: text.map((was) => ({ text: was, hash })),
    after: fc.constant(undefined),
  }),
  fc
    .record({ path, before: text.map((was) => ({ text: was, hash })), after: text })
    .filter(({ before, after }) => before.text !== after),
);

test.each(["en", "zh"] as const)("a click in %s brings its changes along", (locale) => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const prompt = finish(printChangesClick(changes, locale));
      const read = finish(readChangesClick(prompt)) ?? [];
      expect(read.map((one) => one.path)).toEqual(changes.map((one) => one.path));
      for (const [nth, { before, after }] of changes.entries()) {
        const { kind, fileHash, units = [], places } = read[nth] ?? {};
        if (before === undefined) {
          expect(kind).toBe("new");
          expect(units[0]?.replace).toBe(after);
        } else if (after === undefined) expect(kind).toBe("delete");
        else {
          expect(hash.startsWith(fileHash ?? "?")).toBe(true);
          const lines = new Map(
            [...(places ?? [])].map(([unit, { startLine }]) => [unit, startLine]),
          );
          expect(applyUnits(before.text, units, { places: lines })).toMatchObject({ text: after });
        }
      }
    }),
  );
});

test("other prompts are no click", () => {
  for (const prompt of ["Apply the changes of a.js", "Let it be 42.", undefined])
    expect(finish(readChangesClick(prompt))).toBeUndefined();
});

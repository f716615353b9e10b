import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyCodeEdit } from "../../../src/edit.ts";
import { applyUnits } from "../../../src/edit/edit-session.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

/** How a listing shows the number of a line. */
const form = fc.constantFrom(
  (number: number) => `${String(number).padStart(3)} | `,
  (number: number) => `> ${String(number).padStart(3)} | `,
  (number: number) => `${number}: `,
  (number: number) => `${number}\t`,
  (number: number) => `${String(number).padStart(4)}→`,
);

test("whatever lines are listed with numbers, the edit means the lines without them", () => {
  const content = fc.constantFrom('  200: "OK",', "1 | a", "x", "  y()", "}", "3: 4", "> z");
  fc.assert(
    fc.property(
      fc.array(content, { minLength: 2, maxLength: 9 }),
      fc.nat({ max: 8 }),
      fc.integer({ min: 2, max: 5 }),
      content,
      fc.nat({ max: 4 }),
      fc.boolean(),
      form,
      (words, from, size, added, at, isNumbered, toNumber) => {
        const all = words.map((word, nth) => `${word} //${nth}`);
        const start = from % (all.length - 1);
        const quoted = all.slice(start, start + size);
        fc.pre(quoted.length > 1);
        const list = (texts: string[]) =>
          texts.map((text, nth) => toNumber(start + nth + 1) + text);
        const place = at % quoted.length;
        const replaced = quoted.toSpliced(place, 1, `${added} new`);
        const replace = isNumbered ? list(replaced) : replaced;
        const result = applyUnits(lines(...all), [
          { search: lines(...list(quoted)), replace: lines(...replace) },
        ]);
        if (!result.ok) return;
        expect(result.text).toBe(lines(...all.toSpliced(start + place, 1, `${added} new`)));
      },
    ),
    { numRuns: 3000 },
  );
});

test("code that is a listing means the code without the numbers, and data with numbers is what it is", () => {
  const body = (count: number, value: number) =>
    Array.from({ length: count }, (_, nth) => `  step_${nth}(${nth === 2 ? value : nth});`);
  const unit = (name: string, count: number, value: number) => [
    `function ${name}() {`,
    ...body(count, value),
    "}",
  ];
  const before = lines(...unit("a", 6, 0), "", ...unit("b", 5, 0), "", ...unit("c", 7, 0));
  const codes = [
    unit("b", 5, 9),
    unit("c", 7, 9),
    ["// ... existing code ...", ...unit("a", 6, 9), "// ... existing code ..."],
    [...unit("a", 6, 9), "", ...unit("c", 7, 8)],
    [...unit("b", 6, 9)],
    body(4, 9).slice(1),
    body(3, 9).map((line) => line.trim()),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...codes), fc.nat({ max: 900 }), form, (code, start, toNumber) => {
      const list = (all: readonly string[]) =>
        lines(...all.map((text, nth) => toNumber(start + nth) + text));
      expect(applyCodeEdit(before, list(code))).toEqual(applyCodeEdit(before, lines(...code)));
      // The numbers are the data of a table, a map or a list.
      const data = list(["Ada", "Bob", "Eve"]);
      for (const file of [undefined, "", "name\n"]) {
        const result = applyCodeEdit(file, data);
        if (result.ok) expect(result.text).toContain(data);
      }
    }),
  );
});

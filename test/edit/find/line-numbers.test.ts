import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/apply-units.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

function apply(before: string, search: string, replace: string): string {
  const result = applyUnits(before, [{ search, replace }]);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

const file = lines("const status = {", '  200: "OK",', '  404: "Not Found",', "};", "use(status);");

test("whatever lines are listed with numbers, the edit means the lines without them", () => {
  const form = fc.constantFrom(
    (number: number) => `${String(number).padStart(3)} | `,
    (number: number) => `> ${String(number).padStart(3)} | `,
    (number: number) => `${number}: `,
    (number: number) => `${number}\t`,
    (number: number) => `${String(number).padStart(4)}→`,
  );
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

describe("numbers at the start of lines of REPLACE", () => {
  const search = lines("1 | const status = {", '2 |   200: "OK",', '3 |   404: "Not Found",');

  test("are text where they are written otherwise than those of SEARCH", () => {
    const replace = lines("const status = {", '  200: "Fine",', '  404: "Not Found",');
    expect(apply(file, search, replace)).toBe(file.replace("OK", "Fine"));
  });

  test("are text where SEARCH has colons as well, but other columns", () => {
    const listed = lines("1: const status = {", '2:   200: "OK",');
    expect(apply(file, listed, lines("const status = {", '  200: "Fine",'))).toBe(
      file.replace("OK", "Fine"),
    );
    expect(apply(file, listed, lines('  201: "Created",'))).toBe(
      file.replace('const status = {\n  200: "OK",', '  201: "Created",'),
    );
  });

  test("are taken off lines that are kept, and new lines come without", () => {
    const replace = lines(
      "1 | const status = {",
      '  201: "Created",',
      '2 |   200: "OK",',
      '3 |   404: "Not Found",',
    );
    expect(apply(file, search, replace)).toBe(
      file.replace('  200: "OK"', '  201: "Created",\n  200: "OK"'),
    );
  });

  test("that do not rise refuse the unit", () => {
    expect(apply(file, search, lines("3 | a", '2 |   200: "OK",', "1 | b"))).toBe(
      "refused: no-match",
    );
  });
});

describe("a listing with the mark of the line that is meant", () => {
  test("is read as one without", () => {
    const search = lines("  1 | const status = {", '> 2 |   200: "OK",');
    const replace = lines("  1 | const status = {", '> 2 |   200: "Fine",');
    expect(apply(file, search, replace)).toBe(file.replace("OK", "Fine"));
    expect(apply(file, search, lines("const status = {", '  200: "Fine",'))).toBe(
      file.replace("OK", "Fine"),
    );
  });
});

test("one line that begins with a number of its own is not found as the line without it", () => {
  const before = lines("a {", '"OK",', "b", '201: "OK",', "}");
  expect(apply(before, lines('200: "OK",'), lines('200: "Fine",'))).toBe("refused: no-match");
  expect(apply(before, lines('2: "OK",'), lines('2: "Fine",'))).toBe(
    before.replace('"OK"', '"Fine"'),
  );
});

// A line alone, in a block of code: it takes the place of the line that it is a new version of, or of none.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nearestLines } from "../../../../src/flows/edit/forms/nearest-lines.ts";
import { fenced, play } from "./play.ts";

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const statements = fc.uniqueArray(
  fc.tuple(word, word, word, word).map(([a, b, c, d]) => `${a}.${b}(${c}, ${d});`),
  { minLength: 4, maxLength: 12, selector: (line) => line.split(".")[0] },
);

test("the nearest line is the one of which a word was changed, or none", () => {
  fc.assert(
    fc.property(
      statements,
      fc.nat(),
      word,
      fc.constantFrom("", "Use this:", "Line by line"),
      (lines, nth, now, above) => {
        const at = nth % lines.length;
        const code = `${(lines[at] ?? "").replace(/\w+\);$/, `${now});`)}\n`;
        const text = lines.map((line) => `  ${line}\n`).join("");
        const near = nearestLines(text, code, above, undefined);
        expect([undefined, at + 1]).toContain(near?.startLine);
        const twice = nearestLines(text + text, code, above, undefined);
        expect(twice).toBeUndefined();
        const named = { startLine: at + 1, endLine: at + 1 };
        expect(nearestLines(text + text, code, above, named)).toEqual(named);
        expect(nearestLines(text, code, "Add this line:", undefined)).toBeUndefined();
      },
    ),
  );
});

const file =
  "class Cart {\n  total() {\n    return this.sum(0);\n  }\n\n  tax() {\n    return this.sum(0);\n  }\n}\n";

test.each([
  ["a number", "Change line 7 to:"],
  ["a symbol", "`tax` starts at the wrong place:"],
  ["a symbol with its class", "In `Cart.tax()`:"],
])("%s says which of two lines is meant", async (_, above) => {
  const played = await play("a.js", file, `${above}\n\n${fenced("return this.sum(1);\n")}`);
  expect(played.after).toBe(file.replace(/sum\(0\)(?![^]*sum)/, "sum(1)"));
});

test("without one, and where both are named, nothing is changed", async () => {
  for (const above of ["It should be:", "`total` and `tax` start at the wrong place:"]) {
    const played = await play("a.js", file, `${above}\n\n${fenced("return this.sum(1);\n")}`);
    expect(played.after).toBeUndefined();
  }
});

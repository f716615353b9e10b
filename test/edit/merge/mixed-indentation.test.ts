// Lines that the model did not change keep their bytes; new ones take the style of their neighbours.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/edit-session.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

/** Tabs shown as blanks. */
const expand = (line: string, width: number) =>
  line.replace(/^[ \t]*/, (blanks) => blanks.replaceAll("\t", " ".repeat(width)));

describe("whatever mixture of tabs and blanks a file has", () => {
  const indent = fc.constantFrom("", "\t", "    ", "\t\t", "        ", "\t    ", "    \t", "  ");
  const file = fc
    .array(indent, { minLength: 3, maxLength: 12 })
    .map((all) => all.map((blanks, nth) => `${blanks}call${nth}();`));

  test("lines that SEARCH and REPLACE share keep their bytes, though quoted with blanks only", () => {
    fc.assert(
      fc.property(
        file,
        fc.nat({ max: 11 }),
        fc.integer({ min: 2, max: 8 }),
        fc.array(fc.nat({ max: 11 }), { maxLength: 3 }),
        fc.constantFrom(2, 4, 8),
        fc.constantFrom("", "  "),
        (all, from, size, changed, width, shift) => {
          const start = from % all.length;
          const quoted = all.slice(start, start + size);
          const search = quoted.map((line) => shift + expand(line, width));
          const replace = search.map((line, nth) =>
            changed.includes(nth) ? line.replace("call", "new") : line,
          );
          const result = applyUnits(lines(...all), [
            { search: lines(...search), replace: lines(...replace) },
          ]);
          if (!result.ok) return;
          const after = result.text.split("\n");
          for (const [nth, line] of all.entries()) {
            const isChanged = nth >= start && changed.includes(nth - start);
            if (!isChanged) expect(after[nth]).toBe(line);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});

test("a level of the file is never cut in half where only SEARCH has wider ones", () => {
  const before = "function one() {\n  return 1;\n}\n";
  const [search, replace] = [
    "function one() {\n    return 1;\n}\n",
    "function one() {\n  return 2;\n}\n",
  ];
  const result = applyUnits(before, [{ search, replace }]);
  expect(result.ok ? result.text : replace).toBe(replace);
});

test("only SEARCH is indented otherwise than the file: new lines that are as deep as lines of the file stay so", () => {
  const word = fc.stringMatching(/^[a-z]{3,6}$/);
  const step = fc.constantFrom(2, 3, 4, 8);
  fc.assert(
    fc.property(
      word,
      word,
      step,
      step,
      fc.integer({ min: 1, max: 3 }),
      (name, call, own, other, count) => {
        fc.pre(own !== other);
        const print = (what: string, by: number): string => {
          const body = Array.from(
            { length: count },
            (_, nth) => `${" ".repeat(by)}${what}(${nth});\n`,
          );
          return `function ${name}() {\n${body.join("")}}\n`;
        };
        const [before, search, replace] = [
          print(call, own),
          print(call, other),
          print(`${call}s`, own),
        ];
        const result = applyUnits(`start();\n${before}`, [{ search, replace }]);
        expect(result.ok ? result.text : result.error.message).toBe(`start();\n${replace}`);
      },
    ),
  );
});

// Lines that the model did not change keep their bytes; new ones take the style of their neighbours.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/apply-units.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

function apply(before: string, search: string, replace: string): string {
  const result = applyUnits(before, [{ search, replace }]);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

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

describe("a file of mixed tabs and blanks", () => {
  const file = lines("f {", "\tone();", "    two();", "\tthree();", "}");
  const quoted = lines("f {", "    one();", "    two();", "    three();", "}");

  test("keeps the bytes of every line that is only quoted", () => {
    expect(apply(file, quoted, quoted.replace("f {", "g {"))).toBe(file.replace("f {", "g {"));
  });

  test("keeps the blanks of a line that is changed", () => {
    expect(apply(file, quoted, quoted.replace("three", "3"))).toBe(file.replace("three", "3"));
    expect(apply(file, quoted, quoted.replace("two", "2"))).toBe(file.replace("two", "2"));
  });

  test("gives a new line the style of the nearest kept line", () => {
    const add = (above: string) => quoted.replace(`${above}();\n`, `${above}();\n    new();\n`);
    expect(apply(file, quoted, add("one"))).toBe(file.replace("one();\n", "one();\n\tnew();\n"));
    expect(apply(file, quoted, add("two"))).toBe(file.replace("two();\n", "two();\n    new();\n"));
  });

  test("gives deeper lines that style as well", () => {
    const replace = quoted.replace("one();\n", "one();\n    if (x) {\n        new();\n    }\n");
    expect(apply(file, quoted, replace)).toBe(
      file.replace("one();\n", "one();\n\tif (x) {\n\t\tnew();\n\t}\n"),
    );
  });

  test("refuses a new line where the quoted lines do not tell how deep they are", () => {
    const odd = lines("f {", "  one();", "   two();", "}");
    const search = lines("f {", "\tone();", "\t two();", "\t}");
    expect(apply(odd, search, search.replace("one();\n", "one();\n\t\tnew();\n"))).toBe(
      "refused: indentation",
    );
    expect(apply(odd, search, search.replace("f {", "g {"))).toBe(odd.replace("f {", "g {"));
  });

  test("keeps the bytes of lines that stand there twice", () => {
    const before = lines("a {", "\tx();", "    y();", "    x();", "}");
    const search = lines("a {", "    x();", "    y();", "    x();", "}");
    expect(apply(before, search, search.replace("a {", "b {"))).toBe(before.replace("a {", "b {"));
  });
});

describe("where SEARCH quotes one depth only", () => {
  const four = lines("class A {", "    f() {", "        one();", "    }", "}");
  const tabs = four.replaceAll("    ", "\t");

  test("new lines are as deep as the file's own unit has it", () => {
    expect(apply(four, lines("one();"), lines("if (x) {", "  one();", "}"))).toBe(
      four.replace("        one();", "        if (x) {\n            one();\n        }"),
    );
    expect(apply(four, lines("    one();"), lines("    if (x) {", "      one();", "    }"))).toBe(
      four.replace("        one();", "        if (x) {\n            one();\n        }"),
    );
  });

  test.each(["  ", "    ", "\t"])("a unit of %j in REPLACE becomes the file's tab", (unit) => {
    expect(
      apply(
        tabs,
        lines(`${unit}one();`),
        lines(`${unit}if (x) {`, `${unit}${unit}one();`, `${unit}}`),
      ),
    ).toBe(tabs.replace("\t\tone();", "\t\tif (x) {\n\t\t\tone();\n\t\t}"));
  });

  test("a tab in REPLACE becomes the file's blanks", () => {
    expect(apply(four, lines("\tone();"), lines("\tif (x) {", "\t\tone();", "\t}"))).toBe(
      four.replace("        one();", "        if (x) {\n            one();\n        }"),
    );
  });

  test("a shift by blanks that are no steps stays a shift", () => {
    const replace = lines("     if (x) {", "         one();", "     }");
    expect(apply(four, lines("     one();"), replace)).toBe(
      four.replace("        one();", "        if (x) {\n            one();\n        }"),
    );
  });

  test("the star of a comment stays one blank further in", () => {
    expect(apply(four, lines("one();"), lines("/**", " * Says one.", " */", "one();"))).toBe(
      four.replace(
        "        one();",
        "        /**\n         * Says one.\n         */\n        one();",
      ),
    );
  });
});

describe("a cut last line", () => {
  test("that is quoted at another depth is found, and new lines are as deep as the file's", () => {
    const before = lines("f {", "    a();", "    done(1);", "}");
    expect(apply(before, lines("  a();", "  done"), lines("  a();", "  b();", "  stop"))).toBe(
      lines("f {", "    a();", "    b();", "    stop(1);", "}"),
    );
  });

  test("in a mixed file keeps what stands behind it", () => {
    const before = lines("f {", "\ta();", "    b();", "\tdone(1);", "}");
    expect(
      apply(
        before,
        lines("    a();", "    b();", "    done"),
        lines("    a();", "    b();", "    stop"),
      ),
    ).toBe(before.replace("done", "stop"));
  });
});

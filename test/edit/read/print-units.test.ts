import { describe, expect, test } from "vitest";
import { parseDiff } from "../../../src/edit/read/parse-diff.ts";
import { printUnits } from "../../../src/edit/read/print-units.ts";

/** What is read of what was printed. */
function readBack(search: string, replace: string) {
  const parsed = parseDiff(printUnits([{ search, replace }]));
  return parsed.ok ? parsed.units.map((unit) => [unit.search, unit.replace]) : parsed.error.code;
}

describe("units are printed", () => {
  test("exactly as specified", () => {
    expect(printUnits([{ search: "a\n", replace: "b\nc\n" }])).toBe(
      "------- SEARCH\na\n=======\nb\nc\n+++++++ REPLACE\n",
    );
  });

  test("with a blank line between them", () => {
    const printed = "------- SEARCH\n=======\n+++++++ REPLACE\n";
    const empty = { search: "", replace: "" };
    expect(printUnits([empty, empty])).toBe(`${printed}\n${printed}`);
    expect(printUnits([])).toBe("");
  });

  test.each([
    ["------- SEARCH\n", 8],
    ["a\n=========\n", 10],
    ["+++++++ REPLACE>\n", 8],
    ["<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<< SEARCH\n", 32],
  ])("with rules longer than those in their text, all equally long: %j", (text, least) => {
    for (const [search, replace] of [
      [text, ""],
      ["", text],
    ] as const) {
      const diff = printUnits([{ search, replace }]);
      const length = diff.indexOf(" ");
      expect(length).toBeGreaterThanOrEqual(least);
      const [dashes, equals, pluses] = ["-", "=", "+"].map((sign) => sign.repeat(length));
      expect(diff).toBe(`${dashes} SEARCH\n${search}${equals}\n${replace}${pluses} REPLACE\n`);
    }
  });

  test.each(["======\n", " ========\n", "// -------- SEARCH\n", "------ SEARCH\n", "--------\n"])(
    "with rules as specified if no line of their text is as long a rule: %j",
    (text) => {
      expect(printUnits([{ search: text, replace: "" }])).toBe(
        `------- SEARCH\n${text}=======\n+++++++ REPLACE\n`,
      );
    },
  );

  test("each with rules of its own length", () => {
    const units = [
      { search: "========\n", replace: "" },
      { search: "a\n", replace: "" },
    ];
    const lengths = printUnits(units).match(/^-+(?= SEARCH$)/gm) ?? [];
    expect(lengths.map(({ length }) => length > 8)).toEqual([true, false]);
    expect(lengths[1]).toBe("-------");
  });
});

describe("a printed unit is read back", () => {
  test.each([
    ["an example", "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n"],
    ["a REPLACE rule before text", "+++++++ REPLACE\na\n"],
    ["a REPLACE rule before a SEARCH rule", "+++++++ REPLACE\n------- SEARCH\n"],
    ["a REPLACE rule before a code fence", "+++++++ REPLACE\n\n```\n"],
    ["a REPLACE rule at its end", "a\n+++++++ REPLACE\n"],
    ["a SEARCH rule alone", "------- SEARCH\n"],
    [
      "an example that ends twice",
      "------- SEARCH\n=======\n+++++++ REPLACE\n+++++++ REPLACE\n```\n",
    ],
    ["two separators", "=======\n========\n"],
    ["short rules", "--- SEARCH\n===\n+++ REPLACE\n```\n--- SEARCH\n"],
    ["a tag", '<file-edit filePath="a">\n</file-edit>\n'],
  ])("with %s in SEARCH, in REPLACE and in both", (_, text) => {
    expect(readBack(text, "b\n")).toEqual([[text, "b\n"]]);
    expect(readBack("a\n", text)).toEqual([["a\n", text]]);
    expect(readBack(text, text)).toEqual([[text, text]]);
  });
});

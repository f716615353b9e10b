import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import { printClick, readClick } from "../../../src/flows/click/click-prompt.ts";
import { printBlockSentence } from "../../../src/flows/click/sentences.ts";

const line = fc.constantFrom(
  "a",
  "  b();",
  "",
  "=======",
  "------- SEARCH",
  "```",
  "file -",
  "Show the whole file with this change",
);
const text = fc.array(line, { minLength: 1, maxLength: 5 }).map((all) => `${all.join("\n")}\n`);
const units = fc.array(fc.record({ search: text, replace: text }), { minLength: 1, maxLength: 4 });
const count = fc.integer({ min: 1, max: 99_999 });
const places = fc
  .array(fc.tuple(count, fc.record({ startLine: count, nth: count, of: count })), { maxLength: 3 })
  .map((all) => new Map(all));
const kind = fc.constantFrom("whole-file" as const, "apply-at" as const, "apply-option" as const);
const locale = fc.constantFrom("en" as const, "zh" as const);
const fileHash = fc.option(
  fc.string({ unit: fc.constantFrom("0", "1", "9", "a", "f"), minLength: 64, maxLength: 64 }),
  { nil: undefined },
);

test("a click that was printed is read back: its units, its places, its file and what it wants", () => {
  fc.assert(
    fc.property(kind, locale, units, places, fileHash, (wish, language, given, chosen, hash) => {
      const sentence = printBlockSentence(wish, language, wish === "whole-file" ? "" : "line 3");
      const change = { printed: printUnits(given), places: chosen, fileHash: hash };
      const prompt = printClick(sentence, change);
      const click = readClick(prompt);
      expect(prompt.split("\n", 1)).toEqual([sentence]);
      expect(click?.places).toEqual(chosen);
      expect(click?.isWholeFile).toBe(wish === "whole-file");
      expect(click?.fileHash).toBe(hash?.slice(0, 16));
      expect(click?.file.error).toBeUndefined();
      expect(click?.file.units.map(({ search, replace }) => ({ search, replace }))).toEqual(given);
    }),
    { numRuns: 500 },
  );
});

const shown = printClick("Show the whole file with this change", {
  printed: printUnits([{ search: "a\n", replace: "b\n" }]),
  places: new Map(),
  fileHash: undefined,
});

test.each([
  ["nothing", undefined],
  ["an empty text", ""],
  ["a wish", "Fix this."],
  ["the sentence alone", "Show the whole file with this change"],
  ["another sentence above a change", shown.replace("Show", "Please show")],
  ["a change with words below it", `${shown}\n\nIs this right?`],
  ["a change with words above it", `Is this right?\n\n${shown}`],
  ["a change without the line about its file", shown.replace("file -\n", "")],
  ["a change with a line that was altered", shown.replace("file -", "file x")],
  ["a block that does not end", shown.slice(0, -3)],
  ["two blocks", `${shown}\n${shown.slice(shown.indexOf("```"))}`],
])("%s is no click", (_, prompt) => {
  expect(readClick(prompt)).toBeUndefined();
});

test("a click with the line ends of another system is the same click", () => {
  expect(readClick(shown.replaceAll("\n", "\r\n"))).toEqual(readClick(shown));
});

test("a click whose text holds shorter rules of backticks is read whole", () => {
  const run = fc.integer({ min: 0, max: 9 }).map((length) => "`".repeat(length));
  const lines = fc.array(fc.tuple(fc.constantFrom("", " ", "a"), run, fc.constantFrom("", "b")), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(lines, (all) => {
      const replace = `x\n${all.map((parts) => `${parts.join("")}\n`).join("")}y\n`;
      const printed = printUnits([{ search: "old\n", replace }]);
      const change = { printed, places: new Map(), fileHash: undefined };
      const prompt = printClick(printBlockSentence("whole-file", "en"), change);
      expect(readClick(prompt)?.file.units).toMatchObject([{ search: "old\n", replace }]);
    }),
  );
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Locale } from "../../../src/base/errors/locale.ts";
import {
  printCases,
  printKnownCases,
  readCases,
  testTexts,
} from "../../../src/flows/test/case-prompt.ts";
import { joinClicks, readPrompt } from "../../../src/flows/click/sentences.ts";

test("cases of a list as it was shown lose number and category in each language", () => {
  for (const locale of Locale.options)
    for (const category of ["happy path", "edge case"]) {
      const shown = testTexts[locale].testCase({ category, description: "adds two" });
      for (const line of [shown, `1. ${shown}`])
        expect(readCases(line)).toEqual({
          cases: [{ line, description: "adds two" }],
          others: "",
        });
    }
});

test("many blank lines in a prompt are read at once, and are no cases", () => {
  expect(readCases(" \n".repeat(200_000))).toEqual({ cases: [], others: "" });
});

const place = { startLine: 3, endLine: 9, name: "total" };
const blockOf = (prompt: string): string => readPrompt(prompt)?.block ?? "";
const sentence = fc
  .array(
    fc.constantFrom("adds", "no items", "1.", "2)", "happy path:", "两个价格", "```", "lines 1-2"),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((words) => words.join(" "));
const ours = fc.constantFrom("happy path", "edge case");

test("cases that were printed are read back, and nothing but the sentence with their place is left", () => {
  const cases = fc.array(fc.record({ description: sentence, category: ours }), { minLength: 1 });
  fc.assert(
    fc.property(cases, fc.constantFrom("en" as const, "zh" as const), (given, locale) => {
      const prompt = printCases(given, place, locale);
      const { cases: read, others } = readCases(blockOf(prompt));
      expect(read.map(({ description }) => description)).toEqual(
        given.map(({ description }) => description),
      );
      expect(others).toBe("");
      expect(readPrompt(prompt)?.sentence).toEqual({ kind: "tests", place });
    }),
  );
});

test("a case of a category that is none of ours is read back as a case, too", () => {
  for (const category of ["performance", "安全"]) {
    const printed = printCases([{ description: "adds", category }], place, "en");
    const { cases, others } = readCases(blockOf(printed));
    expect(cases).toEqual([{ line: `1. ${category}: adds`, description: `${category}: adds` }]);
    expect(others).toBe("");
  }
});

test("known cases that were printed are read back from the request for more of them", () => {
  const listed = fc.array(fc.record({ description: sentence, category: ours }), { minLength: 1 });
  fc.assert(
    fc.property(listed, (given) => {
      const { cases } = readCases(blockOf(printCases(given, place, "en")));
      const prompt = printKnownCases(cases, place, "en");
      expect(prompt.split("\n")[0]).toBe("Recommend more test cases for total, lines 3-9");
      expect(readCases(blockOf(prompt)).cases).toEqual(cases);
    }),
  );
});

test("lines of a fenced block are no cases, and a fence that nothing closes begins none", () => {
  const block = "```python\n1. x = 2\n````text\nedge case: y\n```";
  expect(readCases(`1. happy path: adds\n${block}`)).toEqual({
    cases: [{ line: "1. happy path: adds", description: "adds" }],
    others: block,
  });
  expect(readCases("~~~\n1. edge case: no items").cases).toHaveLength(1);
  expect(readCases("```\n".repeat(200_001)).cases).toEqual([]);
});

test("prompts of several clicks below each other are their cases, and what a person has added", () => {
  const words = fc.constantFrom("Use pytest.", "```python", "```", "", "1. a", "lines 1-2");
  const added = fc.array(words, { maxLength: 6 }).map((lines) => lines.join("\n").trim());
  const cases = fc.array(fc.record({ description: sentence, category: ours }), { minLength: 1 });
  fc.assert(
    fc.property(cases, added, (given, text) => {
      const clicks = given.map((one) => printCases([one], place, "en"));
      const { line = "", block, rest = "" } = readPrompt([...clicks, text].join("\n\n")) ?? {};
      const lines = given.map(({ category, description }) => `${category}: ${description}`);
      const read = block?.trimEnd() ?? joinClicks(rest, line);
      expect(read).toBe([...lines, ...(text === "" ? [] : ["", text])].join("\n"));
    }),
  );
});

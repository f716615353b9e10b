import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases as generated } from "../../helpers/cases.ts";
import { readTestCases } from "../../../src/doors/plugin/test-tasks.ts";

describe("test_cases_str", () => {
  test.each([
    ["- one\n* two\n", "1. one\n2. two"],
    ["1、正常路径：甲\n2、边界情况：乙", "1. 正常路径：甲\n2. 边界情况：乙"],
    ['["one","two"]', "1. one\n2. two"],
    ['```json\n["one"]\n```', "1. one"],
    [
      '{"test_cases":[{"description":"adds\\ntwo","category":"happy path"},{"description":"b","category":"边界情况"}]}',
      "1. happy path: adds two\n2. edge case: b",
    ],
    ['[{"id":7,"name":"adds","input":"1, 2","expected":"3"}]', "1. adds (1, 2 → 3)"],
  ])("%j is read as a list", (text, lines) => {
    expect(readTestCases(text)).toBe(lines);
  });

  test.each([
    "1. happy path: adds\n2) edge case: none",
    "Use pytest.\n- negative numbers\nAnd mock the clock.",
    "Use these:\n```json\n[1]\n```\nand mock the clock",
    '{"test_cases":["a"]} and then b',
    '[{"description":"adds","input":"1, 2","expected":"3"}]',
    '[{"description":"adds","priority":"high"}]',
    '[{"description":"adds","steps":["call it"]}]',
    "| case | what |\n|--|--|\n| 1 | adds |",
    "- a\n  - with b",
    "[x] negative\n[ ] zero",
    "[".repeat(5_000),
    "",
  ])("%j stays as it is", (text) => {
    expect(readTestCases(text)).toBe(text);
  });
});

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const line = fc
  .tuple(fc.constantFrom("", "- ", "* ", "1. ", "2、", "# ", "  - ", "| "), fc.array(word))
  .map(([mark, words]) => mark + words.join(" "));

test("no word of a text is lost", () => {
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join("\n");
      const left = readTestCases(text);
      for (const [one] of text.matchAll(/[a-z]+/g)) expect(left).toContain(one);
    }),
    { numRuns: generated(250) },
  );
});

test("no text of JSON is lost, whatever its fields are", () => {
  const name = fc.oneof(
    word,
    fc.constantFrom("description", "name", "input", "expected", "category", "steps", "cases"),
  );
  const value = fc.oneof(word, fc.array(word), fc.dictionary(name, word));
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.dictionary(name, value))), (cases) => {
      const text = JSON.stringify({ test_cases: cases });
      const left = readTestCases(text);
      const words = JSON.stringify(cases, (_, inner: unknown) => inner).matchAll(
        /[:,[]"([a-z]+)"(?!:)/g,
      );
      for (const [, one = ""] of words) expect(left).toContain(one);
    }),
    { numRuns: generated(250) },
  );
});

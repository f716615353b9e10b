import { describe, expect, test } from "vitest";
import { applyCodeEdit } from "../../../src/edit/apply-code-edit.ts";
import { applyDiff } from "../../../src/edit/read/parse-diff.ts";
import { applyLineEdits } from "../../../src/edit/apply-line-edits.ts";
import { applyUnits } from "../../../src/edit/apply-units.ts";
import type { EditError, EditErrorCode, EditResult } from "../../../src/edit/edit-unit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const file = lines("alpha(1);", "beta(2);", "gamma(3);", "beta(2);");

interface Refused {
  code: EditErrorCode;
  when: string;
  result: () => EditResult;
  unit?: number;
  /** What a person reads. */
  message: string;
  /** What the model reads is the message and, somewhere behind it, this. */
  advice: string;
}

const other = { search: lines("alpha(1);"), replace: lines("x") };

const refused: Refused[] = [
  {
    code: "malformed",
    when: "the diff holds text outside of units",
    result: () => applyDiff(file, "Here it is:\n"),
    message: 'Line 1 of the diff belongs to no unit: "Here it is:".',
    advice: "no other text between units",
  },
  {
    code: "malformed",
    when: "there is no unit at all",
    result: () => applyUnits(file, []),
    message: "The edit holds no unit.",
    advice: "Write every unit as",
  },
  {
    code: "malformed",
    when: "there is no line edit at all",
    result: () => applyLineEdits(file, []),
    message: "The edit holds no line edit.",
    advice: "Nothing was changed.",
  },
  {
    code: "truncated",
    when: "the diff ends inside a unit",
    result: () => applyDiff(file, "------- SEARCH\nalpha(1);\n=======\nx\n"),
    unit: 1,
    message: "The unit that begins on line 1 is cut off: its REPLACE rule is missing.",
    advice: "Send the whole edit again",
  },
  {
    code: "no-match",
    when: "SEARCH stands nowhere",
    result: () => applyUnits(file, [other, { search: lines("delta"), replace: lines("x") }]),
    unit: 2,
    message: "Unit 2: SEARCH was not found in the file.",
    advice: "Read the file again and copy the lines to change from it.",
  },
  {
    code: "ambiguous",
    when: "SEARCH stands in two places",
    result: () => applyUnits(file, [other, { search: lines("beta(2);"), replace: lines("x") }]),
    unit: 2,
    message: "Unit 2: its SEARCH fits 2 places equally well: line 2; line 4.",
    advice: "Send this unit again with more lines before or after",
  },
  {
    code: "overlap",
    when: "two units change the same line",
    result: () =>
      applyUnits(file, [
        { search: lines("gamma(3);"), replace: lines("x") },
        { search: lines("alpha(1);", "beta(2);", "gamma(3);"), replace: lines("y") },
      ]),
    unit: 2,
    message: "Units 1 and 2 both change line 3.",
    advice: "Send these changes as one unit.",
  },
  {
    code: "unquoted",
    when: "a comment that SEARCH leaves out would be deleted",
    result: () =>
      applyUnits(lines("one(1);", "two(2);", "// why", "three(3);", "four(4);"), [
        {
          search: lines("one(1);", "two(2);", "three(3);", "four(4);"),
          replace: lines("one(1);", "four(4);"),
        },
      ]),
    unit: 1,
    message: 'Unit 1 would delete line 3 of the file, "// why", which its SEARCH does not quote.',
    advice: "quote every line that is to go",
  },
  {
    code: "indentation",
    when: "no rule tells how a new line is indented",
    result: () =>
      applyUnits(lines("{", "   a", " b", "}"), [
        { search: lines("  a", "    b"), replace: lines("  a", "      new", "    b") },
      ]),
    unit: 1,
    message:
      'Unit 1 fits lines 2 to 3, but it is not clear how to indent its new line "      new".',
    advice: "with the spaces at the start of every line as they are in the file",
  },
  {
    code: "elision",
    when: "a mark in REPLACE stands for text that cannot be told",
    result: () =>
      applyUnits(file, [
        { search: lines("alpha(1);"), replace: lines("x", "// ... existing code ...", "y") },
      ]),
    unit: 1,
    message: 'Unit 1 leaves out text ("..."), and it is not clear which.',
    advice: "Put the same marks into SEARCH and REPLACE",
  },
  {
    code: "whole-file",
    when: "an empty SEARCH stands beside other units",
    result: () => applyUnits(file, [other, { search: "", replace: lines("x") }]),
    message: "The edit would replace the whole file, but it has other units as well.",
    advice: "Quote the lines to change, or send the whole file as the only unit",
  },
  {
    code: "whole-file",
    when: "an empty SEARCH is not written as specified",
    result: () => applyDiff(file, "<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n"),
    message: "The edit would replace the whole file, but it is not written exactly as specified.",
    advice: "a line `------- SEARCH`, the lines to find, a line `=======`",
  },
  {
    code: "no-change",
    when: "REPLACE is what stands there",
    result: () => applyUnits(file, [{ search: lines("alpha(1);"), replace: lines("alpha(1);") }]),
    message: "The edit would change nothing: the file already contains it.",
    advice: "send units whose REPLACE differs from their SEARCH; otherwise go on",
  },
  {
    code: "missing-file",
    when: "there is no file to search",
    result: () => applyUnits(undefined, [other]),
    message: "There is no such file.",
    advice: "To create it, send one unit with an empty SEARCH.",
  },
  {
    code: "line-range",
    when: "a line number is outside of the file",
    result: () =>
      applyLineEdits(file, [
        { start_line: 1, end_line: 1, replacement: "x" },
        { start_line: 3, end_line: 9, replacement: "y" },
      ]),
    unit: 2,
    message: "Line edit 2: line 9 does not exist; the file has 4 lines.",
    advice: "Lines count from 1, both ends included; to append, use 5 for both.",
  },
];

function errorOf(result: EditResult): EditError {
  if (result.ok) throw new Error("applied");
  return result.error;
}

describe("each code", () => {
  test.each(refused)("$code: the edit is refused when $when", ({ code, result, ...wanted }) => {
    const error = errorOf(result());
    expect(error.code).toBe(code);
    expect(error.unit).toBe(wanted.unit);
    expect(error.message).toBe(wanted.message);
    expect(error.forModel.startsWith(wanted.message)).toBe(true);
    expect(error.forModel.slice(wanted.message.length)).toContain(wanted.advice);
  });

  test.each(refused)("$code: a refusal carries no text when $when", ({ result }) => {
    expect(Object.keys(result())).toEqual(["ok", "error"]);
    expect(result().ok).toBe(false);
  });

  const silent: EditErrorCode[] = ["no-change", "missing-file"];
  test.each(refused.filter(({ code }) => !silent.includes(code)))(
    "$code: the model is told that nothing was changed when $when",
    ({ result }) => {
      expect(errorOf(result()).forModel).toContain("Nothing was changed.");
    },
  );
});

describe("candidates", () => {
  test("all places that fit come back with their lines", () => {
    const error = errorOf(applyUnits(file, [{ search: lines("beta(2);"), replace: "" }]));
    expect(error.candidates).toEqual([
      { startLine: 2, endLine: 2 },
      { startLine: 4, endLine: 4 },
    ]);
    expect(error.nearest).toBeUndefined();
  });

  test.each([
    ["nine", 9, 9, "fits 9 places"],
    ["eleven", 11, 10, "fits at least 10 places"],
  ])("of %s places ten come back at most, and the message does not say less", (...row) => {
    const [, count, given, said] = row;
    const before = lines("head").concat(lines("same").repeat(count));
    const error = errorOf(applyUnits(before, [{ search: lines("same"), replace: "" }]));
    expect(error.candidates).toHaveLength(given);
    expect(error.candidates?.at(-1)).toEqual({ startLine: given + 1, endLine: given + 1 });
    expect(error.message).toContain(said);
    expect(error.forModel).toContain(said);
  });

  test("a segment of a code edit that fits twice names both places", () => {
    const error = errorOf(applyCodeEdit(file, "// ... existing code ...\nbeta(2);\nx\n// ...\n"));
    expect(error).toMatchObject({
      code: "ambiguous",
      unit: 2,
      message:
        'Segment 2, which begins with "beta(2);", fits several places equally well: line 2; line 4.',
    });
    expect(error.candidates?.map(({ startLine }) => startLine)).toEqual([2, 4]);
  });
});

describe("several faults", () => {
  test("the faults of further units come back with the first", () => {
    const error = errorOf(
      applyUnits(file, [
        { search: lines("delta"), replace: lines("x") },
        other,
        { search: lines("beta(2);"), replace: lines("x") },
      ]),
    );
    expect(error).toMatchObject({ code: "no-match", unit: 1 });
    expect(error.others?.map(({ code, unit }) => [code, unit])).toEqual([["ambiguous", 3]]);
  });

  test("a single fault has no others", () => {
    const error = errorOf(applyUnits(file, [{ search: lines("delta"), replace: lines("x") }]));
    expect("others" in error).toBe(false);
  });

  test("ten faults are told at most", () => {
    const units = Array.from({ length: 30 }, () => ({ search: lines("delta"), replace: "" }));
    expect(errorOf(applyUnits(file, units)).others?.map(({ unit }) => unit)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });
});

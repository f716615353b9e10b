// A megabyte of blanks at the end of a line: a pattern that goes back over them would not finish in the time of a test.
import { describe, expect, test } from "vitest";
import { mayBeLong, mayBecomeMark } from "../../../src/edit/read/answer-scanner.ts";
import { parseDiff } from "../../../src/edit/read/parse-diff.ts";
import { fullRule, readRule } from "../../../src/edit/read/rule-line.ts";
import { isCodeFence } from "../../../src/base/text/fence.ts";

const blanks = " \t".repeat(524_288);

describe("a line keeps its meaning with a megabyte of blanks at its end, and loses it with a word behind them", () => {
  test.each([
    ["------- SEARCH", "search"],
    ["=======", "separator"],
    ["+++++++ REPLACE >", "replace"],
  ])("the rule %s", (rule, kind) => {
    expect(readRule(rule + blanks, fullRule)).toMatchObject({ kind, strict: false });
    expect(readRule(`${rule}${blanks}x`, fullRule)).toBeUndefined();
  });

  test.each(["```", "  ~~~~ts"])("the fence %s", (fence) => {
    expect(isCodeFence(fence + blanks)).toBe(true);
    expect(isCodeFence(`${fence}${blanks}x`)).toBe(false);
  });

  test("the mark of a list", () => {
    expect(mayBecomeMark(` > 12.${blanks}`)).toBe(true);
    expect(mayBecomeMark(` > 12.${blanks}x`)).toBe(false);
  });

  test("the bracket that begins JSON", () => {
    expect(mayBeLong(`{${blanks}`)).toBe(true);
    expect(mayBeLong(`[x${blanks}`)).toBe(false);
  });

  test("the signs that end a unit without their word", () => {
    const diff = (end: string) => `<<<<<<< SEARCH\na\n=======\nb\n${end}\n`;
    expect(parseDiff(diff(`>>>>>>>${blanks}`))).toMatchObject({
      ok: true,
      units: [{ search: "a\n", replace: "b\n" }],
    });
    expect(parseDiff(diff(`>>>>>>>${blanks}=`)).ok).toBe(false);
  });
});

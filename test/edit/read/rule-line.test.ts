import { describe, expect, test } from "vitest";
import { fullRule, leastRule, readRule, shortestRule } from "../../../src/edit/read/rule-line.ts";

describe("a line", () => {
  test.each([
    ["------- SEARCH", "search", 7],
    ["-------------- SEARCH", "search", 14],
    ["=======", "separator", 7],
    ["============", "separator", 12],
    ["+++++++ REPLACE", "replace", 7],
    ["++++++++++ REPLACE", "replace", 10],
  ])("%j is a strict rule", (line, kind, length) => {
    expect(readRule(line, fullRule)).toEqual({ kind, length, strict: true });
  });

  test.each([
    ["<<<<<<< SEARCH", "search", 7],
    ["<<<<<<<<< SEARCH", "search", 9],
    ["------- SEARCH>", "search", 7],
    ["------- SEARCH >", "search", 7],
    ["<<<<<<< SEARCH>", "search", 7],
    ["-------SEARCH", "search", 7],
    ["------- SEARCH \t", "search", 7],
    ["======= ", "separator", 7],
    [">>>>>>> REPLACE", "replace", 7],
    ["+++++++ REPLACE>", "replace", 7],
    [">>>>>>> REPLACE>", "replace", 7],
    ["+++++++REPLACE", "replace", 7],
    ["+++++++ REPLACE\t", "replace", 7],
  ])("%j is a rule, but not a strict one", (line, kind, length) => {
    expect(readRule(line, fullRule)).toEqual({ kind, length, strict: false });
  });

  test.each([
    ["--- SEARCH", 3],
    ["<<<< SEARCH", 4],
    ["=====", 5],
    ["++++++ REPLACE", 6],
    [">>> REPLACE", 3],
  ])("%j is a rule only where short rules count", (line, length) => {
    expect(readRule(line, shortestRule)).toMatchObject({ length, strict: false });
    expect(readRule(line, fullRule)).toBeUndefined();
  });

  test.each([
    "",
    "-- SEARCH",
    "==",
    "++ REPLACE",
    "-------",
    "+++++++",
    "------- search",
    "------- SEARCHING",
    "-------  SEARCH",
    "------- REPLACE",
    "+++++++ SEARCH",
    "<<<<<<< REPLACE",
    "-------< SEARCH",
    "-<-<-<- SEARCH",
    "======= x",
    "=======>",
    " ------- SEARCH",
    "\t=======",
    "------- SEARCH>>",
    "------- SEARCH\r",
    "// ------- SEARCH",
  ])("%j is no rule", (line) => {
    expect(readRule(line, 0)).toBeUndefined();
  });

  // Where time grows with the square of the blanks, a million would take minutes.
  test.each(["------- SEARCH", "+++++++ REPLACE", "=======", "------- SEARCH>"])(
    "that begins with %j may end with a million blanks",
    (rule) => {
      expect(readRule(`${rule}${" ".repeat(1_000_000)}x`, 0)).toBeUndefined();
      expect(readRule(`${rule}${" ".repeat(1_000_000)}`, 0)).toMatchObject({ length: 7 });
    },
  );
});

describe("the shortest rule that counts", () => {
  test.each([
    ["a full SEARCH rule", ["------- SEARCH", "---", "+++ REPLACE"]],
    ["a full REPLACE rule", ["--- SEARCH", "===", "+++++++ REPLACE"]],
    ["full rules in the older style", ["<<<<<<< SEARCH", "===", ">>> REPLACE"]],
  ])("is a full one in a text with %s", (_, lines) => {
    expect(leastRule(lines)).toBe(7);
  });

  test.each([
    ["rules of six characters", ["------ SEARCH", "======", "++++++ REPLACE"]],
    ["a heading that is underlined", ["--- SEARCH", "Title", "=========", "===", "+++ REPLACE"]],
    ["no rule at all", ["a", ""]],
    ["no line", []],
  ])("is one of three characters in a text with %s", (_, lines) => {
    expect(leastRule(lines)).toBe(3);
  });
});

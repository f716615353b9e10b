import { expect, test } from "vitest";
import { findIndentRule } from "../../../src/edit/find/indentation.ts";
import { indentOf } from "../../../src/base/text/lines.ts";

const read = (text: string): string => text.replaceAll(".", " ").replaceAll("-", "\t");
const print = (text: string): string => text.replaceAll(" ", ".").replaceAll("\t", "-");

function ruleOf(pairs: string) {
  return findIndentRule(
    pairs
      .split(" ")
      .filter((pair) => pair !== "")
      .map((pair) => {
        const [search = "", file = ""] = read(pair).split(">");
        return { search, file };
      }),
  );
}

test("the indentation of a line is its spaces and tabs, and nothing else", () => {
  const lines = [" \t a b", "\u00a0a", "  ", ""];
  expect(lines.map(indentOf)).toEqual([" \t ", "", "  ", ""]);
});

test.each(["..>.. ....>....", ""])("the pairs %j need no change", (pairs) => {
  expect(ruleOf(pairs)?.isIdentity).toBe(true);
  expect(ruleOf(pairs)?.map("\t\t\t", false)).toBe("\t\t\t");
});

// Pairs are written as "search>file", spaces as ".", tabs as "-"; "1st" is the first line of REPLACE.
test.each([
  ["spaces that the file has more are added", ">.... ..>......", "..", "......"],
  ["also before deeper lines", ">.... ..>......", "......", ".........."],
  ["spaces that the file has less are taken off", "....> ......>..", "........", "...."],
  ["down to none", "....> ......>..", "....", ""],
  ["less than nothing is not known", "....> ......>..", "..", undefined],
  ["tabs are added before tabs", ">- ->--", "--", "---"],
  ["one pair is enough", "..>....", "....", "......"],
  [
    "spaces become tabs of the width that explains all",
    "> ....>- ........>--",
    "............",
    "---",
  ],
  ["and what is no whole tab stays", "> ....>- ........>--", "......", "-.."],
  ["two spaces are a tab as well", "..>- ....>--", "......", "---"],
  ["tabs become spaces", "->.. -->....", "---", "......"],
  ["of any width", "->........", "--", "................"],
  ["a shift by whole tabs is explained", ">- ....>--", "........", "---"],
  ["and for a line less deep", ">- ....>--", "....", "--"],
  ["where no pair tells the width, a tab is added", ">-", "", "-"],
  ["two columns become four", "> ..>.... ....>........", "......", "............"],
  ["four columns become two", "> ....>.. ........>....", "............", "......"],
  ["a width between two levels is not known", "> ....>.. ........>....", "...", undefined],
  ["a first line that lost its spaces", ">.... ......>...... ....>....", "1st", "...."],
  ["leaves the others as they are", ">.... ......>...... ....>....", "......", "......"],
  ["also one without indentation", ">.... ......>...... ....>....", "", ""],
  ["the others may follow a rule of their own", ">.... ..>...... ...>.......", "....", "........"],
  ["a first line that has spaces", ">.... ......>...... ....>....", "1st......", "......"],
])("%s: %s turns %j into %j", (_, pairs, indent, wanted) => {
  const rule = ruleOf(pairs);
  expect(rule?.isIdentity).toBe(false);
  const mapped = rule?.map(read(indent.replace("1st", "")), indent.startsWith("1st"));
  expect(mapped === undefined ? undefined : print(mapped)).toBe(wanted);
});

test("where no pair tells the width of a tab, spaces become none", () => {
  expect(ruleOf(">-")?.map("    ", false)).not.toBe("\t\t");
});

test.each([
  "..>.... ....>.....",
  "..>. ..>...",
  "> ..>- ....>-",
  "> ....>- ......>--",
  "> ..>.... ....>......",
  "....>.... >...... ....>....",
  "..>...... ........>........ ....>....",
])("the pairs %s have no rule", (pairs) => {
  expect(ruleOf(pairs)).toBeUndefined();
});

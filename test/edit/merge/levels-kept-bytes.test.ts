import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/apply-units.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

function apply(before: string, search: string, replace: string): string {
  const result = applyUnits(before, [{ search, replace }]);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

test("typographic quotes and dashes of a kept line stay", () => {
  const before = lines("say(“hello” – ‘you’…)", "b");
  const search = lines("say(\"hello\" - 'you'…)", "b");
  expect(apply(before, search, search.replace("b\n", "x\n"))).toBe(before.replace("b\n", "x\n"));
});

test("a no-break blank of a kept line stays", () => {
  expect(apply(lines("a\u00a0b", "c"), lines("a b", "c"), lines("a b", "x"))).toBe(
    lines("a\u00a0b", "x"),
  );
});

test("blanks at the end of a kept line stay, and those of SEARCH come from nowhere", () => {
  expect(apply(lines("a  ", "b", "c"), lines("a", "b ", "c"), lines("a", "b ", "x"))).toBe(
    lines("a  ", "b", "x"),
  );
});

test("blanks on a kept blank line stay", () => {
  expect(apply(lines("a", "    ", "b"), lines("a", "", "b"), lines("a", "", "x"))).toBe(
    lines("a", "    ", "x"),
  );
});

test("line ends of kept lines stay, each as it is", () => {
  expect(apply("a\r\nb\nc\r\nd\r\n", lines("a", "b", "c"), lines("a", "b", "x"))).toBe(
    "a\r\nb\nx\r\nd\r\n",
  );
});

test("tabs inside a kept line stay where SEARCH has blanks", () => {
  expect(apply(lines("a\t= 1", "b"), lines("a = 1", "b"), lines("a = 1", "x"))).toBe(
    lines("a\t= 1", "x"),
  );
});

test("tabs before a kept line stay where SEARCH has blanks, and new lines get tabs", () => {
  expect(
    apply(
      lines("if a {", "\tb()", "\tc()", "}"),
      lines("if a {", "    b()", "    c()", "}"),
      lines("if a {", "    b()", "    if d {", "        c()", "    }", "}"),
    ),
  ).toBe(lines("if a {", "\tb()", "\tif d {", "\t\tc()", "\t}", "}"));
});

test("a misquoted line that stays keeps the file's words", () => {
  const before = lines("open(file);", "read(buffer, 128);", "parse(buffer);", "close(file);");
  const quoted = before.replace("128", "256");
  const wanted = quoted.replace("parse(buffer);", "parse(buffer, options);");
  expect(apply(before, quoted, wanted)).toBe(
    before.replace("parse(buffer);", "parse(buffer, options);"),
  );
});

test("a line that SEARCH and REPLACE hold byte by byte stays where other lines move around it", () => {
  expect(
    apply(lines("  “a”", "  b", "  c"), lines('"a"', "b", "c"), lines("new", '"a"', "b", "more")),
  ).toBe(lines("  new", "  “a”", "  b", "  more"));
});

test("blanks at the end of a line are removed if REPLACE alone lacks them", () => {
  expect(apply(lines("a  ", "b"), lines("a  ", "b"), lines("a", "b"))).toBe(lines("a", "b"));
});

test("blanks at the end of a line are removed in a file with carriage returns, too", () => {
  expect(apply("a  \r\nb\r\n", lines("a  ", "b"), lines("a", "b"))).toBe("a\r\nb\r\n");
});

test("the bytes around a place stay, whatever they are", () => {
  const around = "\u0000\v\f\u0085\u2028 “x”\t \r\n\r\r\n";
  expect(apply(`${around}target\n${around}`, lines("target"), lines("changed"))).toContain(
    "changed",
  );
  const after = apply(`${around}target\n${around}`, lines("target"), lines("changed"));
  expect(after.replace(/changed\r?\n/, "target\n")).toBe(`${around}target\n${around}`);
});

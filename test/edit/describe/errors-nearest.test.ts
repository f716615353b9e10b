import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/apply-units.ts";
import type { EditError } from "../../../src/edit/edit-unit.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const file = lines(
  "import { read } from 'fs';",
  "",
  "export function load(path) {",
  "  const text = read(path);",
  "  return parse(text);",
  "}",
);

function refuse(search: string, replace = lines("wanted();"), before = file): EditError {
  const result = applyUnits(before, [{ search, replace }]);
  if (result.ok) throw new Error("applied");
  return result.error;
}

test("the nearest place shows what stands in SEARCH only and what in the file only", () => {
  const search = lines("  const text = read(path);", "  const data = JSON.stringify(text);", "}");
  expect(refuse(search).nearest).toEqual({
    startLine: 4,
    endLine: 6,
    diff: [
      "    const text = read(path);",
      "-   const data = JSON.stringify(text);",
      "+   return parse(text);",
      "  }",
    ].join("\n"),
  });
});

test("the message names the nearest place, and the model gets the diff", () => {
  const error = refuse(lines("export function load(path) {", "  return undefined;"));
  expect(error.message).toBe(
    "Unit 1: SEARCH was not found in the file. The nearest place is lines 3 to 4.",
  );
  expect(error.forModel).toBe(
    [
      `${error.message} Nothing was changed. There, lines with "-" are only in your SEARCH, lines with "+" only in the file:`,
      "  export function load(path) {",
      "-   return undefined;",
      "+   const text = read(path);",
      "Send this unit again with SEARCH copied from the file, spaces included.",
    ].join("\n"),
  );
});

test("without a line in common the place with the same words is the nearest", () => {
  const error = refuse(lines("  const text = await read(path, 'utf8');"));
  expect(error.nearest).toEqual({
    startLine: 4,
    endLine: 4,
    diff: "-   const text = await read(path, 'utf8');\n+   const text = read(path);",
  });
});

test("a SEARCH that nothing in the file is like has no nearest place", () => {
  const error = refuse(lines("something completely different"));
  expect("nearest" in error).toBe(false);
  expect(error.forModel).toContain("No line of it is like any line of the file.");
});

test("the nearest place of a SEARCH that begins above the file starts with its first line", () => {
  const search = lines("// header", "// more", "// and more", "import { read } from 'fs';");
  expect(refuse(search).nearest).toMatchObject({ startLine: 1 });
});

test("the nearest place of a SEARCH that goes on below the file ends with its last line", () => {
  const search = lines("  return parse(text);", "}", "", "nothing();", "like();", "this();");
  expect(refuse(search).nearest).toMatchObject({ endLine: 6 });
});

test("where most lines of SEARCH agree is nearest", () => {
  const before = lines("a", "b", "x", "-", "a", "b", "c", "y", "-", "a", "z");
  expect(refuse(lines("a", "b", "c", "qqqq"), lines("n"), before).nearest).toMatchObject({
    startLine: 5,
    endLine: 8,
  });
});

test("long lines are cut in the diff", () => {
  const long = Array.from({ length: 100 }, (_, nth) => `word${nth} `).join("");
  const error = refuse(lines(`${long}one`), lines("x"), lines(`${long}two`));
  expect(error.nearest?.diff).toBe(`- ${long.slice(0, 200)}…\n+ ${long.slice(0, 200)}…`);
});

test("of a long SEARCH sixty lines are shown", () => {
  const many = Array.from({ length: 200 }, (_, nth) => `line ${nth}`);
  const quoted = many.map((line, nth) => (nth % 2 === 0 ? line : `nothing ${nth * 7} like it`));
  const error = refuse(lines(...quoted), lines("x"), lines(...many));
  expect(error.nearest).toMatchObject({ startLine: 1, endLine: 60 });
  expect(error.nearest?.diff.split("\n")).toHaveLength(90);
});

test("if the text of REPLACE stands in the file, the model is told so", () => {
  const error = refuse(lines("  return text;"), lines("  return parse(text);"));
  expect(error.forModel).toContain("perhaps nothing is left to do");
  expect(error.message).toContain("The file already contains the text of REPLACE");
});

test("a REPLACE that stands inside a longer line does not stand in the file", () => {
  expect(refuse(lines("no such line"), lines("par")).forModel).not.toContain("already holds");
});

test("if REPLACE is empty, nobody is told that it stands in the file", () => {
  expect(refuse(lines("no such line"), "").forModel).not.toContain("already holds");
});

import { printUnits } from "../../../src/edit.ts";
import { type BenchEdit, createEdit, toText, toUnit } from "./bench-edit.ts";
import { createManyUnits } from "./match-edits.ts";
import { createSource } from "./source-text.ts";

export interface GrowingEdit {
  name: string;
  /** The edit for a file of so many lines, or of about as many characters as 100 times that. */
  create(lineCount: number): BenchEdit;
}

const same = "x = 1;";

/** Inputs that cost a careless engine the square of their size. */
export const growingEdits: readonly GrowingEdit[] = [
  {
    name: "a miss in source code",
    create: (count) => {
      const lines = createSource(count, 1);
      const quoted = lines.slice(count / 2, count / 2 + 12);
      return createEdit(lines, toUnit(quoted.map((line, nth) => `${line} // ${nth}`)));
    },
  },
  {
    name: "equal lines, one of them searched",
    create: (count) => createEdit(repeat(same, count), toUnit([same])),
  },
  {
    name: "equal lines, half as many searched",
    create: (count) => createEdit(repeat(same, count), toUnit(repeat(same, count / 2))),
  },
  {
    name: "equal lines, half as many searched, indented",
    create: (count) => createEdit(repeat(same, count), toUnit(repeat(`  ${same}`, count / 2))),
  },
  {
    name: "equal lines, half as many searched, one mistyped",
    create: (count) =>
      createEdit(repeat(same, count), toUnit(["x = 2;", ...repeat(same, count / 2)])),
  },
  {
    name: "two lines in turn, a third as many searched",
    create: (count) => {
      const pairs = repeat("a {\nb }", count / 2).flatMap((pair) => pair.split("\n"));
      return createEdit(pairs, toUnit([...pairs.slice(0, Math.floor(count / 3)), "c"]));
    },
  },
  {
    name: "one long line, half of it searched",
    create: (count) =>
      createEdit(["a".repeat(count * 100)], toUnit([`${"a".repeat(count * 50)}b`])),
  },
  {
    name: "a unit for every twenty lines",
    create: (count) => createManyUnits(count, count / 20, ""),
  },
  {
    name: "a unit for every twenty lines, indented",
    create: (count) => createManyUnits(count, count / 20, "  "),
  },
  {
    name: "a unit of `=======` lines",
    create: (count) => createSeparators(count, []),
  },
  {
    name: "a unit of `=======` lines and lines of the file",
    create: (count) => createSeparators(count, createSource(count, 1).slice(0, count / 10)),
  },
  {
    name: "source code, all of it searched, one line mistyped",
    create: (count) => {
      const lines = createSource(count, 1);
      return createEdit(lines, toUnit(lines.map((line, nth) => (nth === 1 ? `${line}x` : line))));
    },
  },
  {
    name: "source code, indented, every other line replaced",
    create: (count) => {
      const lines = createSource(count, 1).slice(0, count / 2);
      const search = toText(lines.map((line) => (line === "" ? line : `  ${line}`)));
      const replace = toText(lines.map((line, nth) => (nth % 2 === 0 ? `  ${line}` : `  ${nth}`)));
      return { before: toText(lines), diff: printUnits([{ search, replace }]) };
    },
  },
  {
    name: "source code, marks in REPLACE only",
    create: (count) => {
      const lines = createSource(count, 1).map((line, nth) => `${line} // ${nth}`);
      const replace = lines.flatMap((line, nth) => {
        if (nth % 4 === 1) return ["// ... existing code ..."];
        return nth % 4 === 2 ? [] : [line];
      });
      const unit = { search: toText(lines), replace: toText([...replace, "countEdits();"]) };
      return createEdit(lines, unit);
    },
  },
  {
    name: "two blocks of equal lines, units at their border",
    create: (count) => {
      const lines = [...repeat("a", count / 2), ...repeat("b", count / 2)];
      const units = Array.from({ length: count / 20 }, () => toUnit(["a", "b"]));
      return createEdit(lines, ...units);
    },
  },
  {
    name: "source code, a mark between any two lines",
    create: (count) => {
      const lines = createSource(count, 1);
      const search = toText(lines.slice(0, count / 10).flatMap((line) => [line, "// ..."]));
      return createEdit(lines, { search, replace: `${search}end();\n` });
    },
  },
];

function repeat(line: string, count: number): string[] {
  return Array.from({ length: count }, () => line);
}

/** One unit whose separator could be any of a tenth as many lines. */
function createSeparators(count: number, between: readonly string[]): BenchEdit {
  const inner = repeat("=======", count / 10).flatMap((rule, nth) => [
    rule,
    ...between.slice(nth, nth + 1),
  ]);
  const [first] = printUnits([{ search: "", replace: "" }]).split("\n");
  const diff = toText([first ?? "", ...inner, "+++++++ REPLACE"]);
  return { before: toText(createSource(count, 1)), diff };
}

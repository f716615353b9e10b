// The edits that are timed: files of made-up lines, and diffs for them.
import { type EditUnit, applyDiff, printUnits } from "../../../src/edit.ts";
import { createSource } from "./source-text.ts";

/** A file, and a diff for it. */
export interface BenchEdit {
  before: string;
  diff: string;
}

export interface NamedEdit extends BenchEdit {
  name: string;
  /** The level, or the code of the refusal, that the edit is about. */
  due: string;
}

/** The edit for a file of so many lines, or of about as many characters as 100 times that. */
export type GrowingEdit = readonly [name: string, create: (lineCount: number) => BenchEdit];

/** The text after the edit; undefined if it was refused. */
export function applyEdit({ before, diff }: BenchEdit): string | undefined {
  const result = applyDiff(before, diff);
  return result.ok ? result.text : undefined;
}

/** The levels of the units, each once, or the code of the refusal. */
export function outcomeOf({ before, diff }: BenchEdit): string {
  const result = applyDiff(before, diff);
  if (!result.ok) return result.error.code;
  return [...new Set(result.units.map(({ level }) => level))].join(", ");
}

/** One unit for a file of so many lines, which is found, or not found, in another way. The first is exact. */
export function createEdits(lineCount: number, unitLines: number): NamedEdit[] {
  const lines = createSource(lineCount, 1);
  const start = lines.findIndex((line, at) => at > lineCount * 0.6 && line === "") + 1;
  const quoted = lines.slice(start, start + unitLines);
  const change = (name: string, due: string, from: (line: string, nth: number) => string) => ({
    name,
    due,
    ...createEdit(lines, toUnit(quoted.map(from))),
  });
  const strange = createSource(200, 2).map((line) => `${line} ~`);
  const missing = { search: toText(strange.slice(20, 20 + unitLines)), replace: "gone();\n" };
  return [
    change("exact", "exact", (line) => line),
    change("spaces at line ends", "line-ends", (line, nth) => (nth % 3 === 0 ? `${line}  ` : line)),
    change("indentation", "indentation", (line) => (line === "" ? line : `    ${line}`)),
    change("typography", "typography", (line) =>
      line.replaceAll(/"([^"]*)"/g, "“$1”").replaceAll(" = ", "\u00a0= "),
    ),
    change("one line mistyped", "similar", (line, nth) =>
      nth === 1 ? line.replace("export", "exprot") : line,
    ),
    change("a miss, half of it is there", "no-match", (line, nth) =>
      nth % 2 === 0 ? line : `${line} // other ${nth}`,
    ),
    { name: "a miss, no line is there", due: "no-match", ...createEdit(lines, missing) },
    { name: "ambiguous", due: "ambiguous", ...createEdit(lines, toUnit(["}", ""])) },
  ];
}

/** Units for the first two lines of functions all over one file, as they are there or indented more. */
export function createManyUnits(lineCount: number, unitCount: number, indent = ""): BenchEdit {
  const lines = createSource(lineCount, 3);
  const heads = [...lines.keys()].filter((at) => lines[at]?.startsWith("export") === true);
  const units = Array.from({ length: unitCount }, (_, nth) => {
    const at = heads[Math.floor((nth * heads.length) / unitCount)] ?? 0;
    return toUnit(lines.slice(at - 1, at + 1).map((line) => indent + line));
  });
  return createEdit(lines, ...units);
}

/** What lines look like that a reader of any language may take for comments. */
const commentLikes: readonly (readonly [string, (nth: number) => string])[] = [
  ["#include", (nth) => `#include <sys/header_${nth % 97}_${(nth * 7919) % 5000}.h>`],
  ["* item", (nth) => `* item number ${(nth * 7919) % 5000} of the list`],
  ["-- x", (nth) => `-- x ${(nth * 7919) % 5000}`],
];

/** Ten units of fifty misquoted lines each, for a file of lines that look like comments: the worst case. */
export function createWorstEdits(lineCount: number): NamedEdit[] {
  return commentLikes.map(([name, toLine]) => {
    const lines = Array.from({ length: lineCount }, (_, nth) => toLine(nth));
    const units = Array.from({ length: 10 }, (_, unit) => {
      const start = Math.floor((unit * lineCount) / 10) + 5;
      const misquote = (line: string, nth: number): string =>
        nth % 3 === 0 ? line : `${line.replace("e", "3")} z`;
      return toUnit(lines.slice(start, start + 50).map(misquote));
    });
    return { name: `10 units, ${name}`, due: "no-match", ...createEdit(lines, ...units) };
  });
}

const same = "x = 1;";
const repeat = (line: string, count: number): string[] => Array.from({ length: count }, () => line);
/** Of equal lines, what is searched. */
const inEqual = (name: string, search: (count: number) => string[]): GrowingEdit => [
  `equal lines, ${name}`,
  (count) => createEdit(repeat(same, count), toUnit(search(count))),
];
/** Of source code, what the unit is. */
const inSource = (name: string, unit: (lines: string[]) => EditUnit): GrowingEdit => [
  `source code, ${name}`,
  (count) => {
    const lines = createSource(count, 1);
    return createEdit(lines, unit(lines));
  },
];
/** One unit whose separator could be any of a tenth as many lines, with these between them. */
function createSeparators(count: number, between: readonly string[] = []): BenchEdit {
  const inner = repeat("=======", count / 10).flatMap((rule, nth) => [
    rule,
    ...between.slice(nth, nth + 1),
  ]);
  const diff = toText(["------- SEARCH", ...inner, "+++++++ REPLACE"]);
  return { before: toText(createSource(count, 1)), diff };
}

/** Inputs that cost a careless engine the square of their size. */
export const growingEdits: readonly GrowingEdit[] = [
  inSource("a miss", (lines) => {
    const quoted = lines.slice(lines.length / 2, lines.length / 2 + 12);
    return toUnit(quoted.map((line, nth) => `${line} // ${nth}`));
  }),
  inEqual("one of them searched", () => [same]),
  inEqual("half as many searched", (count) => repeat(same, count / 2)),
  inEqual("half as many searched, indented", (count) => repeat(`  ${same}`, count / 2)),
  inEqual("half as many searched, one mistyped", (count) => ["x = 2;", ...repeat(same, count / 2)]),
  [
    "two lines in turn, a third as many searched",
    (count) => {
      const pairs = repeat("a {\nb }", count / 2).flatMap((pair) => pair.split("\n"));
      return createEdit(pairs, toUnit([...pairs.slice(0, Math.floor(count / 3)), "c"]));
    },
  ],
  [
    "one long line, half of it searched",
    (count) => createEdit(["a".repeat(count * 100)], toUnit([`${"a".repeat(count * 50)}b`])),
  ],
  ["a unit for every twenty lines", (count) => createManyUnits(count, count / 20)],
  ["a unit for every twenty lines, indented", (count) => createManyUnits(count, count / 20, "  ")],
  ["a unit of `=======` lines", (count) => createSeparators(count)],
  [
    "a unit of `=======` lines and lines of the file",
    (count) => createSeparators(count, createSource(count, 1).slice(0, count / 10)),
  ],
  inSource("all of it searched, one line mistyped", (lines) =>
    toUnit(lines.map((line, nth) => (nth === 1 ? `${line}x` : line))),
  ),
  inSource("indented, every other line replaced", (all) => {
    const lines = all.slice(0, all.length / 2);
    const indented = lines.map((line) => (line === "" ? line : `  ${line}`));
    const replaced = lines.map((line, nth) => (nth % 2 === 0 ? `  ${line}` : `  ${nth}`));
    return { search: toText(indented), replace: toText(replaced) };
  }),
  [
    "source code, marks in REPLACE only",
    (count) => {
      const lines = createSource(count, 1).map((line, nth) => `${line} // ${nth}`);
      const marks = (line: string, nth: number): string[] =>
        nth % 4 === 1 ? ["// ... existing code ..."] : nth % 4 === 2 ? [] : [line];
      const replace = toText([...lines.flatMap(marks), "countEdits();"]);
      return createEdit(lines, { search: toText(lines), replace });
    },
  ],
  [
    "two blocks of equal lines, units at their border",
    (count) => {
      const lines = [...repeat("a", count / 2), ...repeat("b", count / 2)];
      return createEdit(lines, ...Array.from({ length: count / 20 }, () => toUnit(["a", "b"])));
    },
  ],
  inSource("a mark between any two lines", (lines) => {
    const quoted = lines.slice(0, lines.length / 10).flatMap((line) => [line, "// ..."]);
    return { search: toText(quoted), replace: `${toText(quoted)}end();\n` };
  }),
];

/** Lines that are searched for, and the same with two lines added in their middle. */
function toUnit(lines: readonly string[]): EditUnit {
  const middle = lines.length >> 1;
  const added = ["  // Added by the benchmark.", "  countEdits();"];
  const replace = toText([...lines.slice(0, middle), ...added, ...lines.slice(middle)]);
  return { search: toText(lines), replace };
}

function createEdit(lines: readonly string[], ...units: EditUnit[]): BenchEdit {
  return { before: toText(lines), diff: printUnits(units) };
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

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

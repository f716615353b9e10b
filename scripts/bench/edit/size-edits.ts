import { type BenchEdit, createEdit, toUnit } from "./bench-edit.ts";
import type { MatchEdit } from "./match-edits.ts";
import { createSource } from "./source-text.ts";

/** In lines. */
const unitLines = 10;

/** One unit of ten lines for a file of so many: as it is, indented, with a typo, and not there at all. */
export function createSizeEdits(lineCount: number): MatchEdit[] {
  const lines = createSource(lineCount, 5);
  const start = lines.findIndex((line, at) => at > lineCount * 0.6 && line === "") + 1;
  const quoted = lines.slice(start, start + unitLines);
  const create = (name: string, due: string, search: readonly string[]): MatchEdit => ({
    name,
    due,
    ...createEdit(lines, toUnit(search)),
  });
  return [
    create("hit", "exact", quoted),
    create(
      "lenient",
      "indentation",
      quoted.map((line) => (line === "" ? line : `    ${line}`)),
    ),
    create(
      "typo",
      "similar",
      quoted.map((line, nth) => (nth === 1 ? line.replace("export", "exprot") : line)),
    ),
    create(
      "miss",
      "no-match",
      createSource(400, 6)
        .map((line) => `${line} ~`)
        .slice(20, 20 + unitLines),
    ),
  ];
}

/** What lines look like that a reader of any language may take for comments. */
const commentLikes: readonly (readonly [string, (nth: number) => string])[] = [
  ["#include", (nth) => `#include <sys/header_${nth % 97}_${(nth * 7919) % 5000}.h>`],
  ["* item", (nth) => `* item number ${(nth * 7919) % 5000} of the list`],
  ["-- x", (nth) => `-- x ${(nth * 7919) % 5000}`],
];

/** Ten units of fifty misquoted lines each, for a file of lines that look like comments: the worst case. */
export function createWorstEdits(lineCount: number): MatchEdit[] {
  return commentLikes.map(([name, toLine]) => {
    const lines = Array.from({ length: lineCount }, (_, nth) => toLine(nth));
    const units = Array.from({ length: 10 }, (_, unit) => {
      const start = Math.floor((unit * lineCount) / 10) + 5;
      const quoted = lines.slice(start, start + 50);
      return toUnit(
        quoted.map((line, nth) => (nth % 3 === 0 ? line : `${line.replace("e", "3")} z`)),
      );
    });
    const edit: BenchEdit = createEdit(lines, ...units);
    return { name: `10 units, ${name}`, due: "no-match", ...edit };
  });
}

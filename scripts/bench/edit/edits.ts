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

/** Code for a file. */
export interface NamedCode {
  name: string;
  before: string;
  code: string;
}

const mark = "// ... existing code ...";

/** Code of so many lines for a large file, in the ways in which it is usually written. */
export function createCodes(lineCount: number, codeLines: number): NamedCode[] {
  const lines = createSource(lineCount, 3);
  const heads = [...lines.keys()].filter((at) => lines[at]?.startsWith("export") === true);
  const added = "  countEdits();";
  const partAt = (share: number, count: number): string[] => {
    const at = heads[Math.floor(heads.length * share)] ?? 0;
    return lines.slice(at, at + count - 1).toSpliced(count >> 1, 0, added);
  };
  const quarter = codeLines >> 2;
  const parts = [0.1, 0.3, 0.5, 0.8].flatMap((share) => [...partAt(share, quarter - 1), mark]);
  const [from = 0] = heads.slice(heads.length >> 1);
  const end = lines.findIndex((line, at) => at > from + codeLines - 15 && line === "}");
  const functions = lines.slice(from, end + 1).toSpliced(2, 0, added);
  return Object.entries({
    "one place, with marks": [mark, ...partAt(0.6, codeLines), mark],
    "four places, with marks": [mark, ...parts],
    "statements without marks": partAt(0.6, codeLines),
    "whole functions": functions,
  }).map(([name, code]) => ({ name, before: toText(lines), code: toText(code) }));
}

/** Lines of files in which nothing tells places apart, or much has to be looked at, and the lines of code for them. */
const hostiles: Readonly<
  Record<string, readonly [(nth: number) => string, (nth: number) => string]>
> = {
  "one line": [() => "  x = 1;", () => "  x = 1;"],
  "two lines": [(nth) => (nth % 2 ? " a();" : " b();"), (nth) => (nth % 3 ? " a();" : " b();")],
  "97 lines": [(nth) => `f${nth % 97}(a, b);`, (nth) => `f${(nth * 7) % 97}(a, b);`],
  "like lines": [(nth) => `f${nth}(alpha, beta);`, (nth) => `g${nth}(alpha, beta);`],
  "like lines between two of the file": [
    (nth) => `f${nth}(alpha, beta);`,
    (nth) => (nth % 39 === 0 ? `f${nth * 200}(alpha, beta);` : `g${nth}(alpha, beta);`),
  ],
  "many like lines": [
    (nth) => `f${nth % 33}(a${nth % 300}, c${nth});`,
    (nth) => `f${nth % 33}(a${nth % 300}, d${nth});`,
  ],
  records: [
    (nth) => ["{", `"k": ${nth % 13},`, `"m": ${nth % 7}`, "},"][nth % 4] ?? "",
    (nth) => ["{", `"k": ${nth % 17},`, `"m": ${nth % 7}`, "},"][nth % 4] ?? "",
  ],
  "functions of one name": [
    (nth) => (nth % 200 ? `    x${nth % 200} = a` : "def f(a):"),
    (nth) => (nth ? `    x${nth} = a + 1` : "def f(a):"),
  ],
  "short functions of one name": [
    (nth) => (nth % 4 ? `    x${nth % 4} = a` : "def f(a):"),
    (nth) => (nth % 4 ? `    x${nth % 4} = a + 1` : "def f(a):"),
  ],
  "lines of 180 characters": [
    (nth) => Array.from({ length: 31 }, (_, at) => `w${(nth * 31 + at) % 5000}`).join(" "),
    (nth) => Array.from({ length: 31 }, (_, at) => `w${(nth * 31 + at) % 4000}`).join(" "),
  ],
};

/** Code of so many lines for each kind of hostile file: without marks, between two, and in five parts. */
export function createHostileCodes(lineCount: number, codeLines: number): NamedCode[] {
  return Object.entries(hostiles).flatMap(([name, [toLine, toCode]]) => {
    const before = toText(Array.from({ length: lineCount }, (_, nth) => toLine(nth)));
    const code = Array.from({ length: codeLines }, (_, nth) => toCode(nth));
    const parts = code.flatMap((line, nth) => (nth % 8 === 0 ? [mark, line] : [line]));
    return [
      { name, before, code: toText(code) },
      { name: `${name}, marks around`, before, code: toText([mark, ...code, mark]) },
      { name: `${name}, in parts`, before, code: toText([...parts, mark]) },
    ];
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

import type { EditUnit } from "../../../src/edit.ts";
import { type BenchEdit, createEdit, toText, toUnit } from "./bench-edit.ts";
import { createSource } from "./source-text.ts";

export interface MatchEdit extends BenchEdit {
  name: string;
  /** The level, or the code of the refusal, that the edit is about. */
  due: string;
}

const unitLines = 12;

/** Edits of one large file, each of which is found, or not found, in another way. The first is exact. */
export function createMatchEdits(lineCount: number): MatchEdit[] {
  const lines = createSource(lineCount, 1);
  const start = lines.findIndex((line, at) => at > lineCount * 0.6 && line === "") + 1;
  const quoted = lines.slice(start, start + unitLines);
  const create = (name: string, due: string, unit: EditUnit): MatchEdit => ({
    name,
    due,
    ...createEdit(lines, unit),
  });
  const change = (from: (line: string, nth: number) => string) => toUnit(quoted.map(from));
  const closing = ["}", ""];
  return [
    create("exact", "exact", toUnit(quoted)),
    create(
      "blanks at line ends",
      "line-ends",
      change((line, nth) => (nth % 3 === 0 ? `${line}  ` : line)),
    ),
    create(
      "indentation",
      "indentation",
      change((line) => (line === "" ? line : `    ${line}`)),
    ),
    create(
      "typography",
      "typography",
      change((line) => line.replaceAll(/"([^"]*)"/g, "“$1”").replaceAll(" = ", "\u00a0= ")),
    ),
    create(
      "one line mistyped",
      "similar",
      change((line, nth) => (nth === 1 ? line.replace("export", "exprot") : line)),
    ),
    create(
      "a miss, half of it stands there",
      "no-match",
      change((line, nth) => (nth % 2 === 0 ? line : `${line} // other ${nth}`)),
    ),
    create("a miss, no line stands there", "no-match", {
      search: toText(
        createSource(200, 2)
          .map((line) => `${line} ~`)
          .slice(20, 20 + unitLines),
      ),
      replace: "gone();\n",
    }),
    create("ambiguous", "ambiguous", toUnit(closing)),
  ];
}

/** Units for the first two lines of functions all over one file, as they stand there or indented more. */
export function createManyUnits(lineCount: number, unitCount: number, indent: string): BenchEdit {
  const lines = createSource(lineCount, 3);
  const heads = [...lines.keys()].filter((at) => lines[at]?.startsWith("export") === true);
  const units = Array.from({ length: unitCount }, (_, nth) => {
    const at = heads[Math.floor((nth * heads.length) / unitCount)] ?? 0;
    return toUnit(lines.slice(at - 1, at + 1).map((line) => indent + line));
  });
  return createEdit(lines, ...units);
}

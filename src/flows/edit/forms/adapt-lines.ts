// New code in the indentation of the file.
import { commonLines } from "../../../edit/describe/compare-lines.ts";
import type { Steps } from "../../../edit/steps.ts";

/** How code is indented: what its outermost lines begin with, and what each level adds. */
interface Style {
  base: string;
  unit: string;
}

/**
 * The lines of an answer as the file would have them: at the depth of the lines that they take the place of, with the
 * file's own unit of indentation. A line that the file has keeps its bytes.
 *
 * @param fixed lines (0-based) inside of strings, whose blanks are text
 * @returns undefined if such a line would have to be indented anew
 */
export function* adaptLines(
  lines: readonly string[],
  original: readonly string[],
  fileLines: readonly string[],
  fixed: ReadonlySet<number>,
): Steps<string[] | undefined> {
  const from = styleOf(lines, lines);
  const to = styleOf(original, fileLines);
  const trimmed = (line: string): string => line.trim();
  const pairs = yield* commonLines(original.map(trimmed), lines.map(trimmed));
  const kept = new Map(pairs.map(([old, now]) => [now, original[old] ?? ""]));
  const isSame = from.base === to.base && (from.unit === to.unit || from.unit === "");
  const adapted: string[] = [];
  for (const [nth, line] of lines.entries()) {
    const old = kept.get(nth);
    if (fixed.has(nth)) {
      if (old === undefined && !isSame) return undefined;
      adapted.push(old ?? line);
      continue;
    }
    const mapped = line.trim() === "" ? "" : mapIndent(line, from, to, isSame);
    const isKept =
      old !== undefined && (line.trim() === "" || depthOf(old, to) === depthOf(mapped, to));
    adapted.push(isKept ? old : mapped.trimEnd());
  }
  return adapted;
}

function mapIndent(line: string, from: Style, to: Style, isSame: boolean): string {
  if (isSame) return line;
  const indent = indentOf(line);
  const text = line.slice(indent.length);
  const inner = indent.startsWith(from.base) ? indent.slice(from.base.length) : "";
  if (from.unit === to.unit || from.unit === "" || to.unit === "") return to.base + inner + text;
  const levels = Math.floor(inner.length / from.unit.length);
  const isWhole = inner.startsWith(from.unit.repeat(levels));
  const rest = isWhole ? inner.slice(levels * from.unit.length) : inner;
  return to.base + (isWhole ? to.unit.repeat(levels) : "") + rest + text;
}

/** @param around where the unit is looked for if the lines themselves show none */
function styleOf(lines: readonly string[], around: readonly string[]): Style {
  const solid = lines.filter((line) => line.trim() !== "");
  const base = indentOf(solid[0] ?? "");
  return { base, unit: unitOf(solid, base) || unitOf(around, "") };
}

/** The smallest step by which lines are indented deeper than the one before. */
function unitOf(lines: readonly string[], base: string): string {
  let unit = "";
  let before = base;
  for (const line of lines) {
    if (line.trim() === "" || /^\s*\*/.test(line)) continue;
    const indent = indentOf(line);
    if (indent.length > before.length && indent.startsWith(before)) {
      const step = indent.slice(before.length);
      if (step === "\t") return step;
      if (unit === "" || step.length < unit.length) unit = step;
    }
    before = indent;
  }
  return unit;
}

/** Whole levels: lines of one depth may be indented in several ways. */
function depthOf(line: string, { unit }: Style): number {
  const width = unit.startsWith("\t") || unit === "" ? 4 : unit.length;
  const columns = Array.from(indentOf(line)).reduce(
    (sum, sign) => sum + (sign === "\t" ? width : 1),
    0,
  );
  return columns / width;
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

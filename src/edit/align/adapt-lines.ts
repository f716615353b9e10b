// New code in the indentation of the file.
import { commonLines } from "../compare-lines.ts";
import { indentOf } from "../../base/text/lines.ts";

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
 * @returns undefined if it is not clear how the lines are indented, or one of a string would have to be
 */
export function adaptLines(
  lines: readonly string[],
  original: readonly string[],
  fileUnit: string,
  fixed: ReadonlySet<number>,
): string[] | undefined {
  const from = styleOf(lines, "");
  const to = styleOf(original, fileUnit);
  const trimmed = (line: string): string => line.trim();
  const pairs = commonLines(original.map(trimmed), lines.map(trimmed));
  const kept = new Map(pairs.map(([old, now]) => [now, original[old] ?? ""]));
  const map = chooseMap(lines, kept, from, to);
  if (map === undefined) return undefined;
  const adapted: string[] = [];
  for (const [nth, line] of lines.entries()) {
    const old = kept.get(nth);
    if (fixed.has(nth)) {
      const isMoved = map(indentOf(line)) !== indentOf(line);
      if (old === undefined && isMoved) return undefined;
      adapted.push(old ?? line);
      continue;
    }
    const mapped = line.trim() === "" ? "" : map(indentOf(line)) + line.trim();
    const isKept =
      old !== undefined && (line.trim() === "" || depthOf(old, to) === depthOf(mapped, to));
    adapted.push(isKept ? old : mapped);
  }
  return adapted;
}

type MapIndent = (indent: string) => string;

/**
 * Blanks as they are below the file's base, or level by level: whichever brings back more of the lines that both have;
 * of equals level by level, if all lines are indented by whole levels. Undefined if neither brings back any.
 */
function chooseMap(
  lines: readonly string[],
  kept: ReadonlyMap<number, string>,
  from: Style,
  to: Style,
): MapIndent | undefined {
  const solid = [...kept].filter(([nth]) => (lines[nth] ?? "").trim() !== "");
  const plain: MapIndent = (indent) => to.base + below(indent, from);
  const levels: MapIndent = (indent) => to.base + inLevels(below(indent, from), from.unit, to.unit);
  const hitsOf = (map: MapIndent): number =>
    solid.filter(([nth, old]) => map(indentOf(lines[nth] ?? "")) === indentOf(old)).length;
  const [plainHits, levelHits] = [hitsOf(plain), hitsOf(levels)];
  if (solid.length > 1 && plainHits + levelHits === 0) return undefined;
  const isWhole = (line: string): boolean =>
    line.trim() === "" || below(indentOf(line), from).length % Math.max(1, from.unit.length) === 0;
  if (levelHits === plainHits) return lines.every(isWhole) ? levels : plain;
  return levelHits > plainHits ? levels : plain;
}

function below(indent: string, { base }: Style): string {
  return indent.startsWith(base) ? indent.slice(base.length) : "";
}

function inLevels(inner: string, from: string, to: string): string {
  if (from === "" || to === "") return inner;
  const levels = Math.floor(inner.length / from.length);
  if (!inner.startsWith(from.repeat(levels))) return inner;
  return to.repeat(levels) + inner.slice(levels * from.length);
}

/** @param usual the unit if the lines themselves show none */
function styleOf(lines: readonly string[], usual: string): Style {
  const solid = lines.filter((line) => line.trim() !== "");
  const base = indentOf(solid[0] ?? "");
  return { base, unit: unitOf(solid, base) || usual };
}

/** The step by which lines are mostly indented deeper than the one before. */
export function unitOf(lines: readonly string[], base = ""): string {
  const steps = new Map<string, number>();
  let before = base;
  for (const line of lines) {
    if (line.trim() === "" || /^\s*\*/.test(line)) continue;
    const indent = indentOf(line);
    if (indent.length > before.length && indent.startsWith(before)) {
      const step = indent.slice(before.length);
      steps.set(step, (steps.get(step) ?? 0) + 1);
    }
    before = indent;
  }
  const [most] = [...steps].toSorted(([a, one], [b, two]) => two - one || a.length - b.length);
  return most?.[0] ?? "";
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

// Changes of lines, as units that find their place again.
import { encloses } from "../../edit/line-range.ts";
import type { EditUnit, LineRange } from "../../edit/edit-unit.ts";
import { findExact } from "../../edit/find/find-exact.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import type { Steps } from "../../edit/steps.ts";

/** New lines in place of some; 1-based and inclusive. */
export interface LineChange extends LineRange {
  lines: readonly string[];
}

export interface ChangedLines {
  units: EditUnit[];
  /** What is in no unit: its lines look like others, or there are too many. */
  left: LineChange[];
}

/** Units of an answer. */
const maxUnits = 20;
/** Lines of context above a change, and as many below. */
const contexts = [0, 1, 2, 4, 10];

/** Lines as the edit engine counts them: without a byte-order mark, and without their ends. */
export function linesOfFile(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * One unit for each stretch of changed lines, with as much context as makes it the only place of the text
 * that looks like that; in time linear in the text, and with at most 20 units.
 *
 * @param changes in the order of the text; they do not overlap
 */
export function* toUnits(text: string, changes: readonly LineChange[]): Steps<ChangedLines> {
  // Analyses count a carriage return alone as the end of a line, the edit engine does not.
  if (/\r(?!\n)/.test(text)) return { units: [], left: [...changes] };
  const lines = linesOfFile(text);
  // Lines that differ in spaces at their ends only count as the same, as the engine counts them.
  const plain = lines.map((line) => line.trimEnd());
  const whole = toText(plain);
  const found: LineRange[] = [];
  for (const range of join(changes, 1).slice(0, 2 * maxUnits)) {
    yield;
    const grown = contexts
      .map((context) => grow(range, context, lines.length))
      .find((one) => findExact(whole, toText(part(plain, one)), 2).offsets.length === 1);
    if (grown !== undefined) found.push(grown);
  }
  const ranges = join(found, 0).slice(0, maxUnits);
  const units = ranges.map((range) => toUnit(lines, range, changes));
  return { units, left: changes.filter((change) => !ranges.some(around(change))) };
}

/** As a model would write it. */
export function printFileEdit(path: string, units: readonly EditUnit[]): string {
  const escaped = path.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<file-edit filePath="${escaped}">\n${printUnits(units)}</file-edit>\n`;
}

/** @param gap 0 joins ranges that share a line, 1 also those that touch */
function join(ranges: readonly LineRange[], gap: number): LineRange[] {
  const joined: LineRange[] = [];
  for (const { startLine, endLine } of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && startLine <= last.endLine + gap)
      last.endLine = Math.max(last.endLine, endLine);
    else joined.push({ startLine, endLine });
  }
  return joined;
}

function grow({ startLine, endLine }: LineRange, context: number, count: number): LineRange {
  return {
    startLine: Math.max(1, startLine - context),
    endLine: Math.min(count, endLine + context),
  };
}

function toUnit(lines: string[], range: LineRange, changes: readonly LineChange[]): EditUnit {
  const { endLine } = range;
  const parts: (readonly string[])[] = [];
  let next = range.startLine;
  for (const change of changes) {
    if (change.startLine < next || change.endLine > endLine) continue;
    parts.push(lines.slice(next - 1, change.startLine - 1), change.lines);
    next = change.endLine + 1;
  }
  parts.push(lines.slice(next - 1, endLine));
  return { search: toText(part(lines, range)), replace: toText(parts.flat()) };
}

function part<Line>(lines: readonly Line[], { startLine, endLine }: LineRange): Line[] {
  return lines.slice(startLine - 1, endLine);
}

function around(lines: LineRange): (range: LineRange) => boolean {
  return (range) => encloses(range, lines);
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

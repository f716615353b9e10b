// Changes of lines, as units that find their place again.
import type { EditUnit, LineRange } from "../../edit/edit-unit.ts";
import type { Steps } from "../../edit/steps.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import { findRuns } from "./runs.ts";

/** New lines in place of some; 1-based and inclusive. */
export interface LineChange extends LineRange {
  lines: readonly string[];
}

export interface ChangedLines {
  units: EditUnit[];
  /** What stands in no unit: its place cannot be told from others, or there are too many. */
  left: LineChange[];
}

/** Units of an answer. */
const maxUnits = 20;
/** Lines of context above a change, and as many below. */
const maxContext = 10;
/** Ranges that are tried; each costs a look at the whole text. */
const maxAttempts = 40;

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
  const ids = numberLines(lines);
  const found: LineRange[] = [];
  for (const range of join(changes, 1).slice(0, maxAttempts)) {
    yield;
    const grown = growUntilUnique(ids, range);
    if (grown !== undefined) found.push(grown);
    if (found.length > 2 * maxUnits) break;
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

/** Lines that differ in blanks at their ends only count as the same, as the engine counts them. */
function numberLines(lines: readonly string[]): number[] {
  const numbers = new Map<string, number>();
  return lines.map((line) => {
    const text = line.trimEnd();
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
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

/** Takes a line above and a line below in turn, and drops the other places that these do not fit. */
function growUntilUnique(ids: readonly number[], range: LineRange): LineRange | undefined {
  const start = range.startLine - 1;
  let [from, to] = [start, range.endLine];
  let others = findRuns(ids, ids.slice(from, to)).filter((place) => place !== start);
  const keep = (line: number): void => {
    const id = ids[line];
    others = others.filter((place) => ids[place + line - start] === id);
  };
  for (let context = 0; others.length > 0; context += 1) {
    if (context === maxContext) return undefined;
    if (from > 0) keep((from -= 1));
    if (to < ids.length) keep((to += 1) - 1);
  }
  return { startLine: from + 1, endLine: to };
}

function toUnit(
  lines: readonly string[],
  { startLine, endLine }: LineRange,
  changes: readonly LineChange[],
): EditUnit {
  const parts: (readonly string[])[] = [];
  let next = startLine;
  for (const change of changes) {
    if (change.startLine < next || change.endLine > endLine) continue;
    parts.push(lines.slice(next - 1, change.startLine - 1), change.lines);
    next = change.endLine + 1;
  }
  parts.push(lines.slice(next - 1, endLine));
  return { search: toText(lines.slice(startLine - 1, endLine)), replace: toText(parts.flat()) };
}

function around({ startLine, endLine }: LineRange): (range: LineRange) => boolean {
  return (range) => range.startLine <= startLine && range.endLine >= endLine;
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

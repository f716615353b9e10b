// Three-way merge of one place: SEARCH is what the model saw, the file is what there is, REPLACE is
// what the model wants. Lines that SEARCH and REPLACE share keep the file's bytes.
import { gapsBetween } from "../compare-lines.ts";
import type { FileIndex } from "./file-index.ts";
import { indentLikeFile, type Replacement } from "./indent-like-file.ts";
import { looseText } from "./loose-text.ts";
import { isBlankLine } from "./place.ts";
import {
  inlinePlaceholders,
  isSurePlaceholder,
  mayHoldPlaceholder,
  placeholderOf,
} from "../placeholder.ts";
import { indentOf, isSolid, usualLineEnd } from "../../base/text/lines.ts";

/** Lines [start, end) of the file, numbered from 0, become these lines (without line ends). */
export interface Change {
  start: number;
  end: number;
  lines: string[];
}

export type Merge =
  | { ok: true; changes: Change[] }
  | { ok: false; code: "unquoted"; line: number }
  | { ok: false; code: "indentation"; line: string }
  /** A new line stands for code left out. */
  | { ok: false; code: "elision" };

/** Finds the smallest changes of the file that turn SEARCH into REPLACE. */
export function mergeReplace(edit: Replacement, index: FileIndex): Merge {
  const wanted = indentLikeFile(edit, index);
  const [known, keys] = toKeys(edit, wanted, index);
  const changes: Change[] = [];
  for (const { old, now } of gapsBetween(known, keys)) {
    const inserted = wanted.slice(...now);
    const unknown = inserted.indexOf(undefined);
    if (unknown !== -1)
      return { ok: false, code: "indentation", line: edit.replace[now[0] + unknown] ?? "" };
    const lines = inserted.map((line) => line ?? "");
    const isLost = edit.search.slice(...old).some(isSolid);
    if (lines.some((line) => leavesOut(line, edit, index, isLost)))
      return { ok: false, code: "elision" };
    const change = toChange(edit, index, old, lines);
    if ("code" in change) return change;
    if (change.start < change.end || change.lines.length > 0) changes.push(change);
  }
  return { ok: true, changes };
}

/** A new line stands for code left out, unless SEARCH or, where nothing is lost, the file has the same. */
function leavesOut(line: string, edit: Replacement, index: FileIndex, isLost: boolean): boolean {
  if (!mayHoldPlaceholder(line)) return false;
  const isQuoted = (part: string) => edit.search.some((quoted) => quoted.includes(part));
  if (isLost && inlinePlaceholders(line).some((part) => !isQuoted(part))) return true;
  if (!isSurePlaceholder(placeholderOf(line)) || isQuoted(line.trim())) return false;
  return isLost || index.formOf(line) === -1;
}

/**
 * SEARCH and REPLACE in the form in which they are compared: with the file's indentation. Blanks at the
 * end of a line count where SEARCH is in the file as it is.
 */
function toKeys(
  { search, at, isExact }: Replacement,
  wanted: readonly (string | undefined)[],
  index: FileIndex,
): [string[], string[]] {
  const toKey = (line: string) => (isExact || line.trim() === "" ? line : line.trimEnd());
  const known = search.map((line, number) => {
    const fileLine = at[number] ?? -1;
    const isQuoted = fileLine !== -1 && line.trim() !== "";
    return toKey(isQuoted ? indentOf(index.line(fileLine)) + line.trimStart() : line);
  });
  return [known, wanted.map((line) => (line === undefined ? impossible : toKey(line)))];
}

/** Stands for a line whose indentation is not known: no line of a file holds a line feed. */
const impossible = "\n";

/** Lines [from, to) of SEARCH become `lines`. */
function toChange(
  { at }: Replacement,
  index: FileIndex,
  [from, to]: readonly [number, number],
  lines: readonly string[],
): Change | Extract<Merge, { ok: false }> {
  const deleted = at.slice(from, to).filter((line) => line !== -1);
  const [above, below] = [lineBeside(at, from - 1, -1), lineBeside(at, to, 1)];
  let start = deleted[0] ?? (above === undefined ? (below ?? 0) : above + 1);
  let end = (deleted.at(-1) ?? start - 1) + 1;
  for (let line = start, nth = 0; line < end; line += 1) {
    if (deleted[nth] === line) nth += 1;
    else if (!isBlankLine(index, line)) return { ok: false, code: "unquoted", line };
  }
  // Blank lines that SEARCH lacks stand for those that REPLACE puts in their place.
  let freeAbove = countBlank(
    (line) => line > (above ?? line) && isBlankLine(index, line),
    start - 1,
    -1,
  );
  let freeBelow = countBlank((line) => line < (below ?? line) && isBlankLine(index, line), end, 1);
  const isBlank = (nth: number): boolean => nth in lines && looseText(lines[nth] ?? "") === "";
  const leading = countBlank(isBlank, 0, 1);
  const trailing = leading === lines.length ? 0 : countBlank(isBlank, lines.length - 1, -1);
  if (deleted.length === 0) {
    const passed = Math.min(leading, freeBelow);
    start = end = start + passed;
    [freeAbove, freeBelow] = [freeAbove + passed, freeBelow - passed];
  }
  const kept = lines.slice(
    Math.min(leading, freeAbove),
    lines.length - Math.min(trailing, freeBelow),
  );
  return { start, end, lines: kept };
}

/** The line of the file for a line of SEARCH, or for the next one that the file has. */
function lineBeside(at: readonly number[], number: number, step: 1 | -1): number | undefined {
  let near = number;
  while (at[near] === -1) near += step;
  return at[near];
}

/** How many are blank in a row. */
function countBlank(isBlank: (nth: number) => boolean, from: number, step: 1 | -1): number {
  let to = from;
  while (isBlank(to)) to += step;
  return Math.abs(to - from);
}

/**
 * Writes changes (in order, without overlap) into the text. New lines get the line end that most lines of
 * the file have; whether the last line has a line end stays as it is.
 */
export function splice(index: FileIndex, changes: readonly Change[]): string {
  const { text, lineCount } = index;
  const lineEnd = index.hasReturns ? usualLineEnd(text) : "\n";
  const lastLacksEnd = lineCount > 0 && index.lineEnd(lineCount - 1) === "";
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, lines } of changes) {
    let kept = text.slice(from, index.starts[start] ?? text.length);
    let written = lines.map((line) => line + lineEnd).join("");
    if (end === lineCount && lastLacksEnd && (start < end || lines.length > 0)) {
      // What was the last line without a line end is now followed by lines, or gone.
      if (lines.length > 0) written = written.slice(0, -lineEnd.length);
      else kept = kept.replace(/\r?\n$/, "");
      if (start === end) kept += lineEnd;
    }
    parts.push(kept, written);
    from = index.starts[end] ?? text.length;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

// Three-way merge of one place: SEARCH is what the model saw, the file is what there is, REPLACE is
// what the model wants. Lines that SEARCH and REPLACE share keep the file's bytes.
import { type CommonLine, commonLines } from "../compare-lines.ts";
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
import { indentOf, usualLineEnd } from "../../base/text/lines.ts";

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
  const neighbours = findNeighbours(edit.at);
  const changes: Change[] = [];
  let [nextSearch, nextReplace] = [0, 0];
  const ends: CommonLine = [known.length, keys.length];
  const common = commonLines(known, keys);
  for (const [search, replace] of [...common, ends]) {
    const inserted = wanted.slice(nextReplace, replace);
    if (search > nextSearch || inserted.length > 0) {
      const unknown = inserted.indexOf(undefined);
      if (unknown !== -1) {
        return { ok: false, code: "indentation", line: edit.replace[nextReplace + unknown] ?? "" };
      }
      const lines = inserted.map((line) => line ?? "");
      const isLost = edit.search.slice(nextSearch, search).some((line) => line.trim() !== "");
      if (lines.some((line) => leavesOut(line, edit, index, isLost)))
        return { ok: false, code: "elision" };
      const result = toChange(edit, index, neighbours, [nextSearch, search], lines);
      if (!result.ok) return result;
      if (result.change !== undefined) changes.push(result.change);
    }
    [nextSearch, nextReplace] = [search + 1, replace + 1];
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
  const toKey = (line: string) => (isExact ? line : line.trimEnd());
  const known = search.map((line, number) => {
    const fileLine = at[number] ?? -1;
    const isQuoted = fileLine !== -1 && line.trim() !== "";
    return toKey(isQuoted ? indentOf(index.line(fileLine)) + line.trimStart() : line);
  });
  return [known, wanted.map((line) => (line === undefined ? impossible : toKey(line)))];
}

/** Stands for a line whose indentation is not known: no line of a file holds a line feed. */
const impossible = "\n";

type ChangeResult = { ok: true; change: Change | undefined } | Extract<Merge, { ok: false }>;

/** For each line of SEARCH, and for its end, the lines of the file that the lines before and after it stand for. */
interface Neighbours {
  above: (number | undefined)[];
  below: (number | undefined)[];
}

function findNeighbours(at: readonly number[]): Neighbours {
  const above: (number | undefined)[] = [undefined];
  for (const line of at) above.push(line === -1 ? above.at(-1) : line);
  const below: (number | undefined)[] = Array.from({ length: at.length + 1 }, () => undefined);
  for (let number = at.length - 1; number >= 0; number -= 1) {
    const line = at[number] ?? -1;
    below[number] = line === -1 ? below[number + 1] : line;
  }
  return { above, below };
}

/** Lines [from, to) of SEARCH become `lines`. */
function toChange(
  edit: Replacement,
  index: FileIndex,
  neighbours: Neighbours,
  [from, to]: readonly [number, number],
  lines: readonly string[],
): ChangeResult {
  const deleted = edit.at.slice(from, to).filter((line) => line !== -1);
  const above = neighbours.above[from];
  const below = neighbours.below[to];
  const [first, last] = [deleted[0], deleted.at(-1)];
  let start = first ?? (above === undefined ? (below ?? 0) : above + 1);
  const end = last === undefined ? start : last + 1;
  for (let line = start, nth = 0; line < end; line += 1) {
    if (deleted[nth] === line) nth += 1;
    else if (!isBlankLine(index, line)) return { ok: false, code: "unquoted", line };
  }
  if (first === undefined) {
    const free =
      above === undefined || below === undefined ? 0 : countFileBlank(index, start, below);
    return { ok: true, change: addLines(start, free, lines) };
  }
  // Blank lines that SEARCH lacks stand for those that REPLACE puts in their place.
  const freeAbove = above === undefined ? 0 : countFileBlankAbove(index, start, above);
  const freeBelow = below === undefined ? 0 : countFileBlank(index, end, below);
  const leading = countBlank(lines);
  const trailing = leading === lines.length ? 0 : countBlank(lines.toReversed());
  if (lines.length === 0 && edit.search[from - 1]?.trim() !== "") {
    // What goes stood between two blank lines of which SEARCH quotes the lower one only.
    start -= Math.min(countBlank(edit.search, to), freeAbove);
  }
  const kept = lines.slice(
    Math.min(leading, freeAbove),
    lines.length - Math.min(trailing, freeBelow),
  );
  return { ok: true, change: { start, end, lines: kept } };
}

/** Lines that come between two lines, where the file has `free` blank lines that SEARCH lacks. */
function addLines(start: number, free: number, lines: readonly string[]): Change | undefined {
  const leading = Math.min(countBlank(lines), free);
  const trailing = Math.min(countBlank(lines.slice(leading).toReversed()), free - leading);
  const rest = lines.slice(leading, lines.length - trailing);
  const at = start + leading;
  return rest.length > 0 ? { start: at, end: at, lines: rest } : undefined;
}

function countBlank(lines: readonly string[], from = 0): number {
  let to = from;
  while (to < lines.length && looseText(lines[to] ?? "") === "") to += 1;
  return to - from;
}

function countFileBlank(index: FileIndex, from: number, to: number): number {
  let line = from;
  while (line < to && isBlankLine(index, line)) line += 1;
  return line - from;
}

function countFileBlankAbove(index: FileIndex, line: number, above: number): number {
  let from = line;
  while (from - 1 > above && isBlankLine(index, from - 1)) from -= 1;
  return line - from;
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

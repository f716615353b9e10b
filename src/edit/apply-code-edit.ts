// Code with `// ... existing code ...` where nothing changes (seed: coding-agent, edit_file).
import { type CommonLine, commonLines } from "./compare-lines.ts";
import {
  describeElision,
  describeIndentation,
  describeNoChange,
  describeSegment,
  describeLeftOut,
  describeWholeFile,
} from "./describe-error.ts";
import type { AppliedUnit, EditError, EditResult } from "./edit-unit.ts";
import { foldPlaceholders, splitAtMarks } from "./find/elision.ts";
import { FileIndex } from "./find/file-index.ts";
import {
  type PlacedSegment,
  type ShownLine,
  placeAtEnd,
  placeSegment,
} from "./find/place-segment.ts";
import { findIndentRule, identityRule, type IndentPair } from "./find/indentation.ts";
import { linesOf, isSolid, indentOf, joinLines } from "../base/text/lines.ts";
import { type Change, mergeReplace, splice } from "./find/merge-replace.ts";
import {
  inlinePlaceholders,
  isPythonBody,
  mayHoldPlaceholder,
  placeholderOf,
} from "./placeholder.ts";
import { replaceFile } from "./find/replace-file.ts";

/**
 * Applies a code edit: segments of code between marks that stand for unchanged text. A segment is placed
 * by the unchanged lines that it begins or ends with; where it has new lines between two lines of the file,
 * these take the place of what the file has there. No other line goes. A mark before the first line and
 * after the last is not needed if that line is found; new lines there are put at the start and the end of
 * the file. An edit without any mark may also be the whole file, with every line of it.
 *
 * @param before the text of the file; undefined if there is no such file
 */
export function applyCodeEdit(before: string | undefined, codeEdit: string): EditResult {
  const index = new FileIndex(before ?? "");
  const lines = foldPlaceholders(linesOf(codeEdit));
  if (index.solidLines.length > 0 && lines.some((line) => isUnclear(line, index)))
    return { ok: false, error: describeElision(1) };
  const segments = splitSegments(lines, index);
  if (index.solidLines.length === 0) return replaceAll(before, segments.flat());
  if (segments.length > 1) return applySegments(index, segments);
  const shown = findAll(lines, index);
  if (shown !== undefined) return applyShown(lines, shown, index);
  const result = applySegments(index, segments);
  if (!result.ok) return { ok: false, error: describeWholeFile("does not show all of its lines") };
  const isWhole = result.units.every(
    ({ startLine, endLine }) => startLine === 1 && endLine === index.lineCount,
  );
  if (!isWhole) return result;
  return { ...result, units: result.units.map((unit) => ({ ...unit, level: "whole-file" })) };
}

function applySegments(index: FileIndex, segments: readonly string[][]): EditResult {
  const changes: Change[] = [];
  const applied: AppliedUnit[] = [];
  let from = 0;
  let [isKept, isShown] = [true, false];
  const shown: ShownLine[] = [];
  for (const [nth, segment] of segments.entries()) {
    if (segment.every((line) => line.trim() === "")) continue;
    const [isFirst, isLast] = [nth === 0, nth === segments.length - 1];
    const placed = placeSegment(segment, index, {
      from,
      isFirst,
      isLast,
      isIndented: isKept && isShown,
    });
    if ("code" in placed) {
      const candidates = placed.code === "ambiguous" ? placed.candidates : undefined;
      return { ok: false, error: describeSegment(nth + 1, segment, candidates) };
    }
    const isBelow = placed.start === placed.end && placed.start === index.lineCount;
    const end = isBelow ? placeAtEnd(segment, shown, index) : { placed };
    if (end === undefined)
      return { ok: false, error: describeSegment(nth + 1, segment, undefined) };
    const [lines, at] = withoutEdgeBlanks(segment, end.placed, index);
    const above = end.opener === undefined ? [] : [toPair(end.opener, index)];
    const change = toChanges(lines, { ...end.placed, at }, index, nth + 1, above);
    if (!Array.isArray(change)) return { ok: false, error: change };
    for (const one of change) changes.push(one);
    applied.push({ level: "elision", startLine: end.placed.start + 1, endLine: end.placed.end });
    from = placed.end;
    for (const [number, text] of segment.entries())
      if (text.trim() !== "") shown.push({ text, line: placed.at[number] ?? -1 });
    for (const { search, file } of pairIndents(segment, placed.at, index)) {
      isKept &&= search === file;
      isShown ||= search !== "";
    }
  }
  const text = splice(index, changes);
  if (text === index.text) return { ok: false, error: describeNoChange() };
  return { ok: true, text, units: applied };
}

/** Dots without words are a mark unless the file itself has such a line. */
function splitSegments(lines: readonly string[], index: FileIndex): string[][] {
  return splitAtMarks(lines, (line, at) => {
    const kind = placeholderOf(line);
    if (kind === undefined || kind === "words") return kind === "words";
    if (kind === "phrase" || index.formOf(line) !== -1) return false;
    return kind === "comment" || !isPythonBody(lines, at);
  });
}

/** A line that may be a mark or not, or holds one inside. */
function isUnclear(line: string, index: FileIndex): boolean {
  if (!mayHoldPlaceholder(line) || index.formOf(line) !== -1) return false;
  const kind = placeholderOf(line);
  return kind === "phrase" || (kind === undefined && inlinePlaceholders(line).length > 0);
}

/**
 * A segment without the blank lines that set it apart from its marks: those beside a line of the file, and those
 * beside new lines where the file has blank ones.
 */
function withoutEdgeBlanks(
  segment: readonly string[],
  { start, end, at }: PlacedSegment,
  index: FileIndex,
): [string[], number[]] {
  const [first, last] = [segment.findIndex(isSolid), segment.findLastIndex(isSolid)];
  const isOpen = (line: number) =>
    line < 0 || line >= index.lineCount || index.line(line).trim() === "";
  const from = at[first] !== -1 || isOpen(start - 1) ? first : 0;
  const to = at[last] !== -1 || isOpen(end) ? last + 1 : segment.length;
  return [segment.slice(from, to), at.slice(from, to)];
}

/** For each line its line of the file, or -1, if every line of the file is there, in order. */
function findAll(lines: readonly string[], index: FileIndex): number[] | undefined {
  let next = 0;
  const at = lines.map((line) => {
    const form = index.forms[next];
    if (form === undefined || index.formOf(line) !== form) return -1;
    next += 1;
    return index.solidLines[next - 1] ?? -1;
  });
  return next === index.solidLines.length ? at : undefined;
}

function applyShown(lines: readonly string[], at: number[], index: FileIndex): EditResult {
  const changes = toChanges(lines, { start: 0, end: index.lineCount, at }, index, 1);
  if (!Array.isArray(changes)) return { ok: false, error: changes };
  const text = splice(index, changes);
  if (text === index.text) return { ok: false, error: describeNoChange() };
  return {
    ok: true,
    text,
    units: [{ level: "whole-file", startLine: 1, endLine: index.lineCount }],
  };
}

function replaceAll(before: string | undefined, lines: readonly string[]): EditResult {
  const replace = joinLines(lines);
  return replaceFile(before, [{ search: "", replace }]) ?? { ok: false, error: describeNoChange() };
}

function toChanges(
  segment: readonly string[],
  { start, end, at }: PlacedSegment,
  index: FileIndex,
  number: number,
  above: readonly IndentPair[] = [],
): Change[] | EditError {
  const file = Array.from({ length: end - start }, (_, nth) => index.line(start + nth));
  const rule = findIndentRule([...above, ...pairIndents(segment, at, index)]);
  const wanted: string[] = [];
  for (const [nth, line] of segment.entries()) {
    const fileLine = at[nth] ?? -1;
    const blanks = line.trim() === "" ? "" : rule?.map(indentOf(line), nth === 0);
    if (fileLine !== -1) wanted.push(index.line(fileLine));
    else if (blanks === undefined) {
      return describeIndentation(number, { startLine: start + 1, endLine: end }, line);
    } else wanted.push(line.trim() === "" ? line : blanks + line.trimStart());
  }
  if (file.length === 0) return [{ start, end, lines: wanted }];
  const kept = keepBlankLines(file, wanted);
  if (typeof kept === "number") {
    return describeLeftOut(number, start + kept + 1, file[kept] ?? "");
  }
  const lines = file.map((_, nth) => start + nth);
  const edit = { search: file, replace: kept, at: lines, indent: identityRule, isExact: true };
  const merge = mergeReplace(edit, index);
  if (merge.ok) return merge.changes;
  return merge.code === "elision"
    ? describeElision(number)
    : describeIndentation(number, { startLine: start + 1, endLine: end }, wanted[0] ?? "");
}

function toPair({ text, line }: ShownLine, index: FileIndex): IndentPair {
  return { search: indentOf(text), file: indentOf(index.line(line)) };
}

function pairIndents(
  segment: readonly string[],
  at: readonly number[],
  index: FileIndex,
): IndentPair[] {
  return segment.flatMap((line, nth) => {
    const fileLine = at[nth] ?? -1;
    if (fileLine === -1 || line.trim() === "") return [];
    return [{ search: indentOf(line), file: indentOf(index.line(fileLine)) }];
  });
}

/**
 * What becomes of the lines of the file: where the segment writes nothing between two of them, blank lines
 * stay. Or the first solid line that would go there.
 */
function keepBlankLines(file: readonly string[], wanted: readonly string[]): string[] | number {
  const kept: string[] = [];
  let [nextFile, nextWanted] = [0, 0];
  const ends: CommonLine = [file.length, wanted.length];
  for (const [atFile, atWanted] of [...commonLines(file, wanted), ends]) {
    const written = wanted.slice(nextWanted, atWanted);
    const gone = file.slice(nextFile, atFile);
    const isNew = written.some((line) => line.trim() !== "");
    const lost = isNew ? -1 : gone.findIndex((line) => line.trim() !== "");
    if (lost !== -1) return nextFile + lost;
    for (const line of isNew || gone.length === 0 ? written : gone) kept.push(line);
    const shared = wanted[atWanted];
    if (shared !== undefined) kept.push(shared);
    [nextFile, nextWanted] = [atFile + 1, atWanted + 1];
  }
  return kept;
}

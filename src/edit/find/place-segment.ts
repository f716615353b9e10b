// Where a segment of a code edit belongs: by the unchanged lines at its beginning and at its end.
import { maxCandidates } from "../describe-error.ts";
import type { LineRange } from "../edit-unit.ts";
import type { FileIndex } from "./file-index.ts";
import { lineDistance } from "./loose-text.ts";
import { type Query, toQuery } from "./place.ts";
import { indentOf } from "../../base/text/lines.ts";

/** The lines [start, end) of the file that the segment shows, and its unchanged lines. */
export interface PlacedSegment {
  start: number;
  end: number;
  /** For each line of the segment its line of the file, or -1. */
  at: number[];
}

export type SegmentFault = { code: "no-match" } | { code: "ambiguous"; candidates: LineRange[] };

export interface SegmentBorders {
  /** Lines of the file above this one are taken. */
  from: number;
  /** No mark comes before the segment: where its first line is new, it shows the file from its start. */
  isFirst: boolean;
  /** No mark comes after it: where its last line is new, it shows the file to its end. */
  isLast: boolean;
  /** The segments before are indented as the file is: of several places one with the same indentation counts. */
  isIndented: boolean;
}

interface Run {
  /** How many solid lines. */
  length: number;
  /** The solid lines of the file at which such a run begins. */
  places: number[];
}

/** Comparisons after which looking for the longest run stops. */
const maxSteps = 400_000;

export function placeSegment(
  segment: readonly string[],
  index: FileIndex,
  borders: SegmentBorders,
): PlacedSegment | SegmentFault {
  const query = toQuery(segment, index);
  const size = query.solid.length;
  const firstSolid = index.solidBefore(borders.from);
  const lines = query.solid.map((number) => segment[number] ?? "");
  const chosen = (run: Run, own: readonly string[]): Run =>
    borders.isIndented && run.places.length > 1 ? withIndent(run, own, index) : run;
  const found = longestRun(index, query.forms, firstSolid);
  const head = chosen(found, lines);
  if (head.places.length > 1) return ambiguous(index, head);
  const [headPlace] = head.places;
  const headEnd = headPlace === undefined ? firstSolid : headPlace + head.length;
  const last = longestRun(index, query.forms.slice(head.length).toReversed(), headEnd, -1);
  const tail = chosen(last, lines.slice(size - last.length));
  const tailPlace = tail.places.length > 1 ? closingPlace(index, headPlace, tail) : tail.places[0];
  if (tail.places.length > 1 && tailPlace === undefined) return ambiguous(index, tail);
  const at: number[] = Array.from({ length: segment.length }, () => -1);
  const pair = (nth: number, place: number) => {
    at[query.solid[nth] ?? -1] = index.solidLines[place] ?? -1;
  };
  for (let nth = 0; nth < head.length; nth += 1) pair(nth, (headPlace ?? 0) + nth);
  for (let nth = 0; nth < tail.length; nth += 1) {
    pair(size - tail.length + nth, (tailPlace ?? 0) + nth);
  }
  const lineOf = (solid: number) => index.solidLines[solid] ?? index.lineCount;
  const [isTop, isBottom] = [borders.isFirst, borders.isLast];
  const tailEnd = tailPlace === undefined ? headEnd : tailPlace + tail.length;
  let start = headPlace === undefined ? undefined : lineOf(headPlace);
  let end = tailPlace === undefined && head.length < size ? undefined : lineOf(tailEnd - 1) + 1;
  if (start === undefined && tailPlace !== undefined) {
    // New lines above the first one that is found: below a mark they stand right there, else at the very top.
    if (
      isTop
        ? tailPlace > firstSolid
        : resembles(query, [0, size - tail.length], index, tailPlace - 1)
    )
      return noMatch;
    start = isTop ? 0 : lineOf(tailPlace);
  }
  if (end === undefined && headPlace !== undefined) {
    const isLower = headEnd < index.solidLines.length;
    if (isBottom ? isLower : resembles(query, [head.length, size], index, headEnd)) return noMatch;
    end = isBottom ? index.lineCount : lineOf(headEnd - 1) + 1;
  }
  if (start === undefined && end === undefined && isTop !== isBottom)
    start = end = isTop ? 0 : index.lineCount;
  return start === undefined || end === undefined ? noMatch : { start, end, at };
}

const noMatch: SegmentFault = { code: "no-match" };

/**
 * The longest beginning of `forms` that stands in the file below `from`; with direction -1 `forms` is
 * reversed, and so is the run: its places still are those of the topmost line.
 */
function longestRun(
  index: FileIndex,
  forms: readonly number[],
  from: number,
  direction: 1 | -1 = 1,
): Run {
  const [form = -1] = forms;
  let run: Run = { length: 0, places: [] };
  let steps = 0;
  for (const place of index.placesOf(form, index.counts[form] ?? 0)) {
    if (place < from || steps > maxSteps) continue;
    let length = 1;
    while (
      length < forms.length &&
      place + direction * length >= from &&
      index.forms[place + direction * length] === forms[length]
    ) {
      length += 1;
    }
    steps += length;
    const top = direction === 1 ? place : place - length + 1;
    if (length > run.length) run = { length, places: [top] };
    else if (length === run.length) run.places.push(top);
  }
  return run;
}

/** The only place of a run at which the file's lines are indented as these; the run as it is if there is none. */
function withIndent(run: Run, lines: readonly string[], index: FileIndex): Run {
  const indentAt = (solid: number) => indentOf(index.line(index.solidLines[solid] ?? 0));
  const places = run.places.filter((place) =>
    lines.slice(0, run.length).every((line, nth) => indentAt(place + nth) === indentOf(line)),
  );
  return places.length === 1 ? { ...run, places } : run;
}

/**
 * The end of the block that the head begins: the nearest of the places, if all between them is indented
 * deeper than the head. Undefined if the places cannot be told apart that way.
 */
function closingPlace(index: FileIndex, head: number | undefined, tail: Run): number | undefined {
  const [nearest] = tail.places;
  if (head === undefined || nearest === undefined) return undefined;
  const indentAt = (solid: number) => indentOf(index.line(index.solidLines[solid] ?? 0)).length;
  const outer = indentAt(head);
  if (indentAt(nearest + tail.length - 1) !== outer) return undefined;
  for (let solid = head + 1; solid < nearest; solid += 1) {
    if (indentAt(solid) <= outer) return undefined;
  }
  return nearest;
}

/** One of the new lines [from, to) is like the file's next line: whether it replaces that one is not said. */
function resembles(
  query: Query,
  [from, to]: readonly [number, number],
  index: FileIndex,
  solid: number,
): boolean {
  const line = index.solidLines[solid];
  if (line === undefined) return false;
  const file = index.line(line);
  return query.solid
    .slice(from, to)
    .some((number) => lineDistance(query.lines[number] ?? "", file) !== undefined);
}

function ambiguous(index: FileIndex, run: Run): SegmentFault {
  const candidates = run.places.slice(0, maxCandidates).map((place) => ({
    startLine: (index.solidLines[place] ?? 0) + 1,
    endLine: (index.solidLines[place + run.length - 1] ?? 0) + 1,
  }));
  return { code: "ambiguous", candidates };
}

// Where new lines go that follow the last mark of a code edit, and show no line of the file.

/** A solid line of a segment before, and its line of the file; -1 for a new one. */
export interface ShownLine {
  text: string;
  line: number;
}

/** After such a statement nothing else of its block runs. */
const jump = /^(?:return|raise|throw|break|continue|pass|exit|yield|\.\.\.)(?![\w$])/;

/**
 * Lines without indentation go to the end of the file. Others are part of a block: of the one that the edit shows above
 * them, at whose end they go if its end can be told by its indentation; without such a block, of the last one of the
 * file. Undefined where that is not clear, or where they may take the place of the block's last statement.
 *
 * @param before the lines of the segments above, in their order
 */
export function placeAtEnd(
  segment: readonly string[],
  before: readonly ShownLine[],
  index: FileIndex,
): { placed: PlacedSegment; opener?: ShownLine } | undefined {
  const at = segment.map(() => -1);
  const first = segment.find((line) => line.trim() !== "") ?? "";
  const depth = indentOf(first).length;
  const end = index.lineCount;
  if (depth === 0) return { placed: { start: end, end, at } };
  const opener = before.findLast(({ text }) => indentOf(text).length < depth);
  if (opener === undefined) {
    const isInside = isOpen(index, index.solidLines, depth, first);
    return isInside ? { placed: { start: end, end, at } } : undefined;
  }
  if (opener.line === -1 || !opener.text.trimEnd().endsWith(":")) return undefined;
  const block = blockBelow(opener.line, index);
  const own = indentOf(index.line(opener.line)).length;
  const shift = own - indentOf(opener.text).length;
  const last = block.at(-1);
  if (last === undefined || !isOpen(index, block, depth + shift, first)) return undefined;
  const isLast = last === index.solidLines.at(-1);
  const start = isLast ? end : last + 1;
  return { placed: { start, end: start, at }, opener };
}

/** The solid lines below this one that are indented deeper. */
function blockBelow(line: number, index: FileIndex): number[] {
  const own = indentOf(index.line(line)).length;
  const below = index.solidLines.filter((each) => each > line);
  const next = below.findIndex((each) => indentOf(index.line(each)).length <= own);
  return next === -1 ? below : below.slice(0, next);
}

/** Whether a statement at this depth can follow the last one of the lines, and does not look like another form of it. */
function isOpen(index: FileIndex, lines: readonly number[], depth: number, first: string): boolean {
  for (const each of lines.toReversed()) {
    const line = index.line(each);
    const indent = indentOf(line).length;
    if (indent < depth) return false;
    if (indent > depth) continue;
    return !jump.test(line.trim()) && !isLike(first, line);
  }
  return false;
}

/** Heads of blocks are like each other anyhow: with another name it is another one. */
function isLike(one: string, other: string): boolean {
  const isHead = [one, other].every((line) => line.trimEnd().endsWith(":"));
  if (isHead) return nameOf(one) === nameOf(other);
  return lineDistance(one, other) !== undefined;
}

function nameOf(head: string): string {
  const text = head.trim();
  const end = text.search(/[(:]/);
  return end === -1 ? text : text.slice(0, end);
}

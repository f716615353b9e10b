// Placeholders in SEARCH and REPLACE: they divide SEARCH into segments, and in REPLACE alone they stand for lines of SEARCH.
import { commonLines } from "../compare-lines.ts";
import {
  isPythonBody,
  isSurePlaceholder,
  mayHoldPlaceholder,
  placeholderOf,
} from "../placeholder.ts";
import type { Lines } from "./decoration.ts";
import type { FileIndex } from "./file-index.ts";
import { isSolid } from "../../base/text/lines.ts";

/** The lines between marks; one segment more than there are marks. */
export function splitAtMarks(
  lines: readonly string[],
  isMark: (line: string, at: number) => boolean,
): string[][] {
  const segments: string[][] = [[]];
  for (const [at, line] of lines.entries()) {
    if (isMark(line, at)) segments.push([]);
    else segments.at(-1)?.push(line);
  }
  return segments;
}

/**
 * Placeholders that only REPLACE holds become the lines of SEARCH that they stand for, or nothing where no
 * line of SEARCH would be lost. Undefined if it is not clear what one stands for.
 */
export function fillReplace(unit: Lines, index: FileIndex): Lines | undefined {
  if (!unit.replace.some(mayHoldPlaceholder)) return unit;
  const replace = withoutRest(unit.search, foldPlaceholders(unit.replace));
  const isOurs = (line: string) => placeholderOf(line) !== undefined && index.formOf(line) === -1;
  if (unit.search.some(isOurs)) return unit;
  const quoted = new Set(unit.search.map((line) => line.trim()));
  const candidates = new Set<number>();
  for (const [at, line] of replace.entries()) {
    const kind = quoted.has(line.trim()) ? undefined : placeholderOf(line);
    if (kind === undefined || (kind === "dots" && isPythonBody(replace, at))) continue;
    candidates.add(at);
  }
  if (candidates.size === 0) return { search: unit.search, replace };
  const marks = findMarks(unit.search, replace, candidates);
  if (marks.length === 0) return unit;
  const all = new Set(marks.map(({ at }) => at));
  const filled =
    fillMarks(unit.search, replace, all) ?? fillMarks(unit.search, ...withoutMarks(replace, marks));
  return filled && { search: unit.search, replace: filled };
}

/** Without a mark below the last line of SEARCH, and brackets that close behind it: there the file goes on. */
function withoutRest(search: readonly string[], replace: readonly string[]): readonly string[] {
  const last = search.findLast(isSolid)?.trim();
  const at = replace.findLastIndex((line) => line.trim() === last);
  const [mark = "", ...behind] = replace.slice(at + 1).filter(isSolid);
  const isRest =
    at !== -1 &&
    isSurePlaceholder(placeholderOf(mark)) &&
    behind.every((line) => /^(?:[)\]}]+[;,]?|end)$/.test(line.trim()));
  return isRest ? replace.slice(0, at + 1) : replace;
}

interface Mark {
  at: number;
  /** No line of SEARCH would be lost, and it is clear which line follows or comes before. */
  mayGo: boolean;
}

/** Those of the candidates that are placeholders: not so sure ones only where lines would be lost. */
function findMarks(
  search: readonly string[],
  replace: readonly string[],
  candidates: ReadonlySet<number>,
): Mark[] {
  const kept = replace.filter((_, at) => !candidates.has(at)).map((line) => line.trim());
  const common = commonLines(
    search.map((line) => line.trim()),
    kept,
  );
  const marks: Mark[] = [];
  let [nextCommon, passed] = [0, 0];
  for (const [at, line] of replace.entries()) {
    if (!candidates.has(at)) {
      passed += 1;
      continue;
    }
    while ((common[nextCommon]?.[1] ?? Infinity) < passed) nextCommon += 1;
    const [above, below] = [common[nextCommon - 1], common[nextCommon]];
    const isLost = search.slice((above?.[0] ?? -1) + 1, below?.[0]).some(isSolid);
    if (!isLost && !isSurePlaceholder(placeholderOf(line))) continue;
    const isClear =
      above === undefined
        ? !kept.slice(0, passed).some(isSolid)
        : below !== undefined || !kept.slice(passed).some(isSolid);
    marks.push({ at, mayGo: !isLost && isClear });
  }
  return marks;
}

/** REPLACE without the marks that may go and the blank lines that set them apart, and the marks left in it. */
function withoutMarks(
  replace: readonly string[],
  marks: readonly Mark[],
): [string[], ReadonlySet<number>] {
  const byLine = new Map(marks.map((mark) => [mark.at, mark.mayGo]));
  const lines: string[] = [];
  const left = new Set<number>();
  let isAfterMark = false;
  for (const [at, line] of replace.entries()) {
    const mayGo = byLine.get(at);
    if (mayGo === true) {
      isAfterMark = true;
      continue;
    }
    const isSeparate = !isSolid(line) && !isSolid(lines.at(-1) ?? "");
    if (isAfterMark && isSeparate) continue;
    isAfterMark = false;
    if (mayGo === false) left.add(lines.length);
    lines.push(line);
  }
  if (isAfterMark) while (lines.length > 0 && !isSolid(lines.at(-1) ?? "")) lines.pop();
  return [lines, left];
}

/**
 * Fills each mark with the lines of SEARCH between the line before the mark and the line after it.
 * Undefined if these do not tell.
 */
function fillMarks(
  search: readonly string[],
  replace: readonly string[],
  marks: ReadonlySet<number>,
): string[] | undefined {
  const filled: string[] = [];
  const places = Map.groupBy(search.keys(), (at) => (search[at] ?? "").trim());
  let from = 0;
  const segments = splitAtMarks(replace, (_, at) => marks.has(at));
  for (const [nth, segment] of segments.entries()) {
    if (nth > 0) {
      const before = segments[nth - 1]?.findLast(isSolid);
      const after = segment.find(isSolid);
      const isFirst = before === undefined && nth === 1;
      const isLast = after === undefined && nth === segments.length - 1;
      const above = isFirst ? -1 : placeOf(places, before ?? "", from);
      const start = (above ?? 0) + 1;
      const end = isLast ? search.length : placeOf(places, after ?? "", start);
      if (above === undefined || end === undefined) return undefined;
      const stoodFor = withoutEdgeBlanks(search.slice(start, end), filled, segment);
      for (const line of stoodFor) filled.push(line);
      from = end;
      if (!search.slice(start, end).some(isSolid)) {
        for (const line of closeGap(filled, segment, isLast)) filled.push(line);
        continue;
      }
    }
    for (const line of segment) filled.push(line);
  }
  return filled;
}

/** The lines below a mark that stood for nothing, without the blank lines that only set it apart. */
function closeGap(above: string[], below: readonly string[], isLast: boolean): readonly string[] {
  if (isLast) {
    while (above.length > 0 && !isSolid(above.at(-1) ?? "")) above.pop();
    return [];
  }
  const first = below.findIndex(isSolid);
  return isSolid(above.at(-1) ?? "") || first === -1 ? below : below.slice(first);
}

/** A comment over three lines that holds nothing but a placeholder becomes one line. */
export function foldPlaceholders(lines: readonly string[]): readonly string[] {
  const folded: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const whole = `${line} ${lines[at + 1]?.trim()} ${lines[at + 2]?.trim()}`;
    const isComment =
      /^(?:\/\*\*?|\{\/\*|<!--|\(\*)$/.test(line.trim()) &&
      /^(?:\*\/\}?|-->|\*\))$/.test((lines[at + 2] ?? "").trim()) &&
      isSurePlaceholder(placeholderOf(whole));
    folded.push(isComment ? whole : line);
    if (isComment) at += 2;
  }
  return folded.length === lines.length ? lines : folded;
}

/** Blank lines that REPLACE has beside the mark already are not filled in again. */
function withoutEdgeBlanks(
  lines: readonly string[],
  above: readonly string[],
  below: readonly string[],
): readonly string[] {
  const solidBelow = below.findIndex(isSolid);
  const blanksAbove = above.length - above.findLastIndex(isSolid) - 1;
  const blanksBelow = solidBelow === -1 ? below.length : solidBelow;
  const first = lines.findIndex(isSolid);
  const head = Math.min(blanksAbove, first === -1 ? lines.length : first);
  const tail = lines.length - 1 - lines.findLastIndex(isSolid);
  return lines.slice(head, Math.max(head, lines.length - Math.min(blanksBelow, tail)));
}

/** The only place of a line from `from` on, by the places of all lines. */
function placeOf(
  places: ReadonlyMap<string, readonly number[]>,
  line: string,
  from: number,
): number | undefined {
  const known = isSolid(line) ? (places.get(line.trim()) ?? []) : [];
  const after = known.slice(-2).filter((at) => at >= from);
  return after.length === 1 ? after[0] : undefined;
}

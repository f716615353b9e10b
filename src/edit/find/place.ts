// The places of the file that SEARCH could mean, by every line of it: from exact to blank lines.
import { type EditLevel, type LineRange, maxCandidates } from "../edit-unit.ts";
import { indentOf } from "../../base/text/lines.ts";
import type { Lines } from "./decoration.ts";
import { type FileIndex, findSequence } from "./file-index.ts";
import type { Replacement } from "./indent-like-file.ts";
import { findIndentRule, identityRule, type IndentPair, type IndentRule } from "./indentation.ts";
import { looseText } from "./loose-text.ts";

/** The lines of one SEARCH, prepared for looking them up. */
export interface Query {
  lines: readonly string[];
  /** The lines that are not blank, and their forms in the file. */
  solid: number[];
  forms: number[];
}

export interface Place {
  level: EditLevel;
  /** Lower is stricter; with the same level, a place may differ from SEARCH in less. */
  strictness: number;
  /** For each line of SEARCH its line of the file, or -1 for a blank line that the file lacks. */
  at: number[];
  /** Undefined if no rule explains the indentation: then no line can be added. */
  indent: IndentRule | undefined;
  /** The unit as it reads there, if a line of it was cut, or the part of it that belongs there. */
  lines?: Lines;
}

export function toQuery(lines: readonly string[], index: FileIndex): Query {
  const solid = [...lines.keys()].filter((number) => looseText(lines[number] ?? "") !== "");
  return { lines, solid, forms: solid.map((number) => index.formOf(lines[number] ?? "")) };
}

/** From strict to lenient. Carriage returns alone differ less than blanks at line ends. */
const levels: EditLevel[] = [
  "exact",
  "line-ends",
  "line-ends",
  "indentation",
  "typography",
  "blank-lines",
];
const carriageReturns = 1;
const trailingBlanks = 2;
const blankLines = 5;
/** A place whose indentation cannot be explained comes last. */
const irregular = 6;

/** Compares SEARCH, line by line, with the solid lines of the file from `first` on, which look like its own. */
export function comparePlace(query: Query, index: FileIndex, first: number): Place {
  let level = 0;
  const pairs: IndentPair[] = [];
  const at: number[] = Array.from({ length: query.lines.length }, () => -1);
  for (const [nth, number] of query.solid.entries()) {
    const fileLine = index.solidLines[first + nth] ?? 0;
    const search = query.lines[number] ?? "";
    const file = index.line(fileLine);
    const hasReturn = index.lineEnd(fileLine) === "\r\n";
    level = Math.max(level, compareLine(search, file), hasReturn ? carriageReturns : 0);
    pairs.push({ search: indentOf(search), file: indentOf(file) });
    at[number] = fileLine;
  }
  level = Math.max(level, alignBlankLines(query, index, at));
  const indent = findIndentRule(pairs);
  // No model sees carriage returns, so they tell no places apart.
  const seen = level === carriageReturns ? 0 : level;
  const strictness = indent === undefined ? irregular : seen;
  return { level: levels[level] ?? "blank-lines", strictness, at, indent };
}

/** The level of two lines that look alike. */
function compareLine(search: string, file: string): number {
  if (search === file) return 0;
  if (search.trimEnd() === file.trimEnd()) return trailingBlanks;
  return search.trim() === file.trim() ? 3 : 4;
}

/** Pairs the blank lines of SEARCH with those of the file. Returns the level that this takes. */
export function alignBlankLines(query: Query, index: FileIndex, at: number[]): number {
  const { lines, solid } = query;
  let level = 0;
  for (let gap = 0; gap <= solid.length; gap += 1) {
    const [above = -1, below = lines.length] = [solid[gap - 1], solid[gap]];
    const [isFirst, isLast] = [gap === 0, gap === solid.length];
    const wanted = below - above - 1;
    const start = isFirst ? (at[below] ?? 0) - wanted : (at[above] ?? 0) + 1;
    const end = isLast ? start + wanted : (at[below] ?? 0);
    const file = Array.from({ length: end - start }, (_, nth) => start + nth);
    const isOther = (line: number): boolean => !isBlankLine(index, line);
    // Before and behind the quoted lines those right beside them count.
    const found = isFirst
      ? file.slice(file.findLastIndex(isOther) + 1)
      : isLast
        ? file.slice(0, [...file, -1].findIndex(isOther))
        : file.filter((line) => !isOther(line)).slice(0, wanted);
    for (const [nth, line] of found.entries())
      at[isFirst ? below - found.length + nth : above + 1 + nth] = line;
    if (found.length < wanted || file.length > wanted) level = blankLines;
  }
  for (const [number, line] of at.entries()) {
    if (line === -1 || level >= trailingBlanks || looseText(query.lines[number] ?? "") !== "")
      continue;
    if (query.lines[number] !== index.line(line)) return trailingBlanks;
    if (index.lineEnd(line) === "\r\n") level = carriageReturns;
  }
  return level;
}

/** False outside of the file. */
export function isBlankLine(index: FileIndex, line: number): boolean {
  return line >= 0 && line < index.lineCount && looseText(index.line(line)) === "";
}

// Looking them up.

/** Lines of a SEARCH, or twice the file, after which comparing stops: what repeats that often is ambiguous. */
const maxComparedLines = 100_000;

/** The levels that compare every line: exact to blank lines. */
export function locateQuoted(
  unit: Lines,
  query: Query,
  index: FileIndex,
  startLine?: number,
): LocatedUnit | undefined {
  const places = quotedPlaces(query, index);
  return Array.isArray(places) ? choosePlace(unit, places, startLine) : places;
}

/** How many lines may still be compared. */
export function lookupBudget(index: FileIndex): { lines: number } {
  return { lines: Math.max(maxComparedLines, 2 * index.lineCount) };
}

/** All places at the strictest level at which there is one. */
export function quotedPlaces(
  query: Query,
  index: FileIndex,
  budget = lookupBudget(index),
): Place[] | LocatedUnit {
  if (query.solid.length === 0) return blankPlaces(query, index);
  // Another unit may quote the same lines.
  const key = query.lines.join("\n");
  const found = index.bestPlaces.get(key) ?? findSequence(index, query.forms);
  let best: { first: number; place: Place }[] = [];
  for (const first of found) {
    budget.lines -= query.lines.length;
    index.budget.lines -= query.lines.length;
    if (Math.min(budget.lines, index.budget.lines) < 0 && found.length > 1) {
      const linesAt = (solid: number) => index.solidLines.slice(solid, solid + query.solid.length);
      return ambiguousAt(found.slice(0, maxCandidates).map(linesAt));
    }
    const place = comparePlace(query, index, first);
    const least = best[0]?.place.strictness ?? Infinity;
    if (place.strictness < least) best = [{ first, place }];
    else if (place.strictness === least) best.push({ first, place });
  }
  const firsts = best.map(({ first }) => first);
  index.bestPlaces.set(key, firsts);
  return best.map(({ place }) => place);
}

/** SEARCH of blank lines only: where so many are in a row. */
function blankPlaces({ lines }: Query, index: FileIndex): Place[] {
  const places: Place[] = [];
  let inRow = 0;
  for (let line = 0; line < index.lineCount && places.length <= maxCandidates; line += 1) {
    inRow = index.line(line).trim() === "" ? inRow + 1 : 0;
    if (lines.length === 0 || inRow < lines.length) continue;
    const at = lines.map((_, nth) => line - lines.length + 1 + nth);
    places.push({ level: "line-ends", strictness: 1, at, indent: identityRule });
  }
  return places;
}

/**
 * Takes the one place there is; several are ambiguous.
 *
 * @param startLine chooses among several places by the first line, 1-based
 */
export function choosePlace(
  unit: Lines,
  found: readonly Place[],
  startLine: number | undefined,
): LocatedUnit | undefined {
  const chosen = found.filter(({ at }) => rangeOf(at).startLine === startLine);
  const places = chosen.length === 1 ? chosen : found;
  const [place] = places;
  if (place === undefined) return undefined;
  if (places.length === 1) return { ok: true, level: place.level, parts: [toPart(unit, place)] };
  return ambiguousAt(places.map(({ at }) => at));
}

export function toPart(unit: Lines, place: Place): Replacement {
  const { at, indent, level, strictness, lines = unit } = place;
  const isExact = level === "exact" || (level === "line-ends" && strictness === 0);
  return { ...lines, at, indent, isExact };
}

/** What became of looking for a unit's place. */
export type LocatedUnit =
  | { ok: true; level: EditLevel; parts: Replacement[]; hasEntities?: true }
  | { ok: false; code: "ambiguous"; candidates: LineRange[] }
  | { ok: false; code: "no-match" | "elision" };

/** Places by the lines of the file that SEARCH stands for there. */
export function ambiguousAt(places: readonly (readonly number[])[]): LocatedUnit {
  const candidates = places.slice(0, maxCandidates).map(rangeOf);
  return { ok: false, code: "ambiguous", candidates };
}

/** The lines of the file that SEARCH stands for, 1-based. */
export function rangeOf(at: readonly number[]): LineRange {
  const known = at.filter((line) => line !== -1);
  return { startLine: (known[0] ?? 0) + 1, endLine: (known.at(-1) ?? -1) + 1 };
}

// Where a unit stands in the file: the cascade from strict to lenient.
import { type Lines, undecorate } from "./decoration.ts";
import { mostCandidates } from "./describe-error.ts";
import type { EditLevel, LineRange } from "./edit-unit.ts";
import { elisionOf, fillElisions, isSureElision, splitAtElisions } from "./elision.ts";
import type { FileIndex } from "./file-index.ts";
import { identityRule } from "./indentation.ts";
import { findPartial } from "./find-partial.ts";
import { findSequence } from "./find-sequence.ts";
import { findSimilar } from "./find-similar.ts";
import { lineDistance } from "./line-similarity.ts";
import type { Replacement } from "./merge-replace.ts";
import { comparePlace, type Place, type Query, toQuery } from "./place.ts";

export type LocatedUnit =
  | { ok: true; level: EditLevel; parts: Replacement[]; hasEntities?: true }
  | { ok: false; code: "ambiguous"; candidates: LineRange[] }
  | { ok: false; code: "no-match" | "elision" };

/** Comparing stops after this many lines of a SEARCH and twice the file: what repeats that often is ambiguous. */
const mostComparedLines = 100_000;

/** Of all segments between marks together. */
const mostPlaces = 50_000;

/**
 * Finds the one place that SEARCH means. Each level decides if anything fits at it: one place is the
 * answer, several are ambiguous; only where nothing fits the next level is tried.
 */
export function locateUnit(unit: Lines, index: FileIndex, startLine?: number): LocatedUnit {
  const filled = fillReplace(unit, index);
  if (filled === undefined) return { ok: false, code: "elision" };
  const query = toQuery(filled.search, index);
  return (
    locateQuoted(filled, query, index, startLine) ??
    orElse(locateSegments(filled, index), () => locateUndecorated(filled, index, startLine)) ??
    locateLoosely(filled, query, index, startLine) ?? {
      ok: false,
      code: "no-match",
    }
  );
}

function orElse(
  first: LocatedUnit | undefined,
  next: () => LocatedUnit | undefined,
): LocatedUnit | undefined {
  return first?.ok ? first : (next() ?? first);
}

/** The levels that do not compare all of every line. */
function locateLoosely(
  unit: Lines,
  query: Query,
  index: FileIndex,
  startLine: number | undefined,
): LocatedUnit | undefined {
  const partial = isApplied(unit, index) ? undefined : locatePartial(unit, query, index, startLine);
  if (partial !== undefined || isDone(unit, index)) return partial;
  return decide(unit, findSimilar(query, index), startLine);
}

/** As {@link isApplied}, but bytes count, and a line that only corrects one of SEARCH adds nothing. */
function isDone({ search, replace }: Lines, index: FileIndex): boolean {
  const dropped = linesWithout(search, replace);
  const corrects = (line: string) => {
    const at = dropped.findIndex((other) => lineDistance(other, line) !== undefined);
    if (at !== -1) dropped.splice(at, 1);
    return at !== -1;
  };
  const onlyCorrects = linesWithout(replace, search).every(corrects);
  const query = toQuery(replace, index);
  const isShorter = query.solid.length < search.filter((line) => line.trim() !== "").length;
  if (onlyCorrects && isShorter) return false;
  const places = findSequence(index, query.forms).slice(0, mostCandidates);
  return places.some((first) => comparePlace(query, index, first)?.strictness === 0);
}

/** The solid lines that the others lack, each as often as it is missing. */
function linesWithout(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  return lines.filter((line) => {
    const key = line.trim();
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return key !== "" && count <= 0;
  });
}

/** REPLACE adds lines, and stands in the file with them: what is left to find is not what was meant. */
function isApplied({ search, replace }: Lines, index: FileIndex): boolean {
  const adds = linesWithout(replace, search).length > 0;
  return adds && findSequence(index, toQuery(replace, index).forms).length > 0;
}

/** The levels that compare every line: exact to blank lines. */
export function locateQuoted(
  unit: Lines,
  query: Query,
  index: FileIndex,
  startLine?: number,
): LocatedUnit | undefined {
  const places = quotedPlaces(query, index);
  return Array.isArray(places) ? decide(unit, places, startLine) : places;
}

/** All places at the strictest level at which there is one. */
function quotedPlaces(
  query: Query,
  index: FileIndex,
  budget = { lines: Math.max(mostComparedLines, 2 * index.lineCount) },
): Place[] | LocatedUnit {
  if (query.solid.length === 0) return blankPlaces(query, index);
  const key = query.lines.join("\n");
  const found = index.bestPlaces.get(key) ?? findSequence(index, query.forms);
  let best: { first: number; place: Place }[] = [];
  for (const first of found) {
    budget.lines -= query.lines.length;
    if (budget.lines < 0) return ambiguous(index, found, query.solid.length);
    const place = comparePlace(query, index, first);
    if (place === undefined) continue;
    const { strictness } = place;
    const [known] = best;
    if (known === undefined || strictness < known.place.strictness) best = [{ first, place }];
    else if (strictness === known.place.strictness) best.push({ first, place });
  }
  // Another unit may quote the same lines.
  index.bestPlaces.set(
    key,
    best.map(({ first }) => first),
  );
  return best.map(({ place }) => place);
}

/** SEARCH of blank lines only: where so many stand in a row. */
function blankPlaces({ lines }: Query, index: FileIndex): Place[] {
  const places: Place[] = [];
  let inRow = 0;
  for (let line = 0; line < index.lineCount && places.length <= mostCandidates; line += 1) {
    inRow = index.line(line).trim() === "" ? inRow + 1 : 0;
    if (lines.length === 0 || inRow < lines.length) continue;
    const at = lines.map((_, nth) => line - lines.length + 1 + nth);
    places.push({ level: "line-ends", strictness: 1, at, indent: identityRule });
  }
  return places;
}

function ambiguous(index: FileIndex, found: readonly number[], size: number): LocatedUnit {
  const candidates = found.slice(0, mostCandidates).map((first) => ({
    startLine: (index.solidLines[first] ?? 0) + 1,
    endLine: (index.solidLines[first + size - 1] ?? 0) + 1,
  }));
  return { ok: false, code: "ambiguous", candidates };
}

/** @param startLine chooses among several places by the first line, 1-based */
function decide(
  unit: Lines,
  found: readonly Place[],
  startLine: number | undefined,
): LocatedUnit | undefined {
  const places = chosenOf(found, startLine, ({ at }) => at);
  const [place] = places;
  if (place === undefined) return undefined;
  if (places.length === 1) return { ok: true, level: place.level, parts: [toPart(unit, place)] };
  const candidates = places.slice(0, mostCandidates).map((other) => rangeOf(other.at));
  return { ok: false, code: "ambiguous", candidates };
}

/** The one that begins on the line, if there is just one; else all. */
function chosenOf<Found>(
  found: readonly Found[],
  startLine: number | undefined,
  atOf: (one: Found) => readonly number[],
): readonly Found[] {
  if (startLine === undefined) return found;
  const chosen = found.filter((one) => rangeOf(atOf(one)).startLine === startLine);
  return chosen.length === 1 ? chosen : found;
}

function toPart({ search, replace }: Lines, { at, indent, level }: Place): Replacement {
  return { search, replace, at, indent, isExact: level === "exact" };
}

/** The lines of the file that SEARCH stands for, 1-based. */
export function rangeOf(at: readonly number[]): LineRange {
  const known = at.filter((line) => line !== -1);
  return { startLine: (known[0] ?? 0) + 1, endLine: (known.at(-1) ?? -1) + 1 };
}

/** Marks of text left out that stand in REPLACE only are filled from SEARCH. */
function fillReplace(unit: Lines, index: FileIndex): Lines | undefined {
  const isSure = (line: string) => isSureElision(elisionOf(line));
  // Bare dots are code where the file has such a line.
  const isMark = (line: string) =>
    isSure(line) || (elisionOf(line) === "dots" && index.formOf(line) === -1);
  if (!unit.replace.some(isSure) || unit.search.some(isMark)) return unit;
  const replace = fillElisions(unit.search, unit.replace);
  return replace && { search: unit.search, replace };
}

/** SEARCH with marks of text left out: its segments, in order, in the only way that they can stand. */
function locateSegments(unit: Lines, index: FileIndex): LocatedUnit | undefined {
  const searches = splitAtElisions(unit.search);
  if (searches.length < 2) return undefined;
  const replaces = splitAtElisions(unit.replace);
  if (replaces.length !== searches.length) return { ok: false, code: "elision" };
  const segments: { lines: Lines; places: Place[] }[] = [];
  let placeCount = 0;
  const budget = { lines: Math.max(mostComparedLines, 2 * index.lineCount) };
  for (const [nth, search] of searches.entries()) {
    const replace = replaces[nth] ?? [];
    const query = toQuery(search, index);
    if (query.solid.length === 0) {
      if (replace.some((line) => line.trim() !== "")) return { ok: false, code: "elision" };
      continue;
    }
    const places = quotedPlaces(query, index, budget);
    if (!Array.isArray(places)) return places;
    if (places.length === 0) return undefined;
    placeCount += places.length;
    // Segments that stand nearly everywhere tell no place.
    if (placeCount > mostPlaces) {
      const candidates = places.slice(0, mostCandidates).map(({ at }) => rangeOf(at));
      return { ok: false, code: "ambiguous", candidates };
    }
    segments.push({ lines: { search, replace }, places });
  }
  const chains = findChains(segments.map(({ places }) => places));
  const [chain] = chains;
  if (chain === undefined) return undefined;
  if (chains.length > 1) {
    const candidates = chains.map((chosen) => rangeOf(chosen.flatMap(({ at }) => at)));
    return { ok: false, code: "ambiguous", candidates };
  }
  const parts = segments.flatMap(({ lines }, nth) => {
    const place = chain[nth];
    return place === undefined ? [] : [toPart(lines, place)];
  });
  return { ok: true, level: "elision", parts };
}

/** Up to two ways to choose one place of each segment so that they stand in order. */
function findChains(segments: readonly Place[][]): Place[][] {
  // Choosing the first place that fits and the last that fits, from both ends, finds all freedom there is.
  const forward = chooseInOrder(segments);
  if (forward === undefined) return [];
  const backward = chooseInOrder(
    segments.toReversed().map((places) => places.toReversed()),
    true,
  );
  const isSame = backward?.toReversed().every((place, nth) => place === forward[nth]) ?? true;
  return isSame || backward === undefined ? [forward] : [forward, backward.toReversed()];
}

function chooseInOrder(segments: readonly Place[][], isBackward = false): Place[] | undefined {
  const chain: Place[] = [];
  let border: LineRange | undefined;
  for (const places of segments) {
    const place = firstBeyond(places, border, isBackward);
    if (place === undefined) return undefined;
    chain.push(place);
    border = rangeOf(place.at);
  }
  return chain;
}

/** The first of places in order that lies beyond a range. */
function firstBeyond(
  places: readonly Place[],
  border: LineRange | undefined,
  isBackward: boolean,
): Place | undefined {
  if (border === undefined) return places[0];
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { startLine, endLine } = rangeOf(places[middle]?.at ?? []);
    const isBeyond = isBackward ? endLine < border.startLine : startLine > border.endLine;
    if (isBeyond) high = middle;
    else low = middle + 1;
  }
  return places[low];
}

function locateUndecorated(
  unit: Lines,
  index: FileIndex,
  startLine: number | undefined,
): LocatedUnit | undefined {
  for (const { decoration, lines } of undecorate(unit)) {
    const located = locateQuoted(lines, toQuery(lines.search, index), index, startLine);
    if (located === undefined) continue;
    if (!located.ok || decoration !== "entities") {
      return located.ok ? { ...located, level: "decoration" } : located;
    }
    return { ...located, level: "decoration", hasEntities: true };
  }
  return undefined;
}

function locatePartial(
  unit: Lines,
  query: Query,
  index: FileIndex,
  startLine: number | undefined,
): LocatedUnit | undefined {
  const found = chosenOf(findPartial(unit, query, index), startLine, ({ place }) => place.at);
  const [partial] = found;
  if (partial === undefined) return undefined;
  if (found.length > 1) {
    const candidates = found.slice(0, mostCandidates).map(({ place }) => rangeOf(place.at));
    return { ok: false, code: "ambiguous", candidates };
  }
  const part = toPart(partial.lines, partial.place);
  return { ok: true, level: "partial-line", parts: [{ ...part, isExact: false }] };
}

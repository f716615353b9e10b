// Where a unit is in the file: the cascade from strict to lenient.
import {
  type LocatedUnit,
  type Place,
  ambiguousAt,
  choosePlace,
  comparePlace,
  locateQuoted,
  lookupBudget,
  quotedPlaces,
  rangeOf,
  toPart,
  toQuery,
} from "./place.ts";
import { type Lines, areNumbersOf, undecorate } from "./decoration.ts";
import { fillReplace, foldPlaceholders, splitAtMarks } from "./elision.ts";
import { FileIndex, findSequence } from "./file-index.ts";
import { findPartial } from "./find-partial.ts";
import { correctSlips, findSimilar, respaced } from "./find-similar.ts";
import { type EditUnit, type GivenUnit, type LineRange, maxCandidates } from "../edit-unit.ts";
import { isSurePlaceholder, placeholderOf } from "../placeholder.ts";
import { findExact } from "./find-exact.ts";
import { isSolid, joinLines, linesOf, withoutLineEnd } from "../../base/text/lines.ts";
import { findPlaces } from "../../base/text/count-text.ts";
import type { Replacement } from "./indent-like-file.ts";
import { identityRule } from "./indentation.ts";

/**
 * Finds the one place that SEARCH means. Each level decides if anything fits at it: one place is the
 * answer, several are ambiguous; only where nothing fits the next level is tried.
 */
function locateUnit(unit: Lines, index: FileIndex, startLine?: number): LocatedUnit {
  const filled = fillReplace(unit, index);
  if (filled === undefined) return { ok: false, code: "elision" };
  const exact = locateExact(filled, index);
  if (exact !== undefined) return exact;
  const query = toQuery(filled.search, index);
  const quoted = locateQuoted(filled, query, index, startLine);
  if (quoted !== undefined) return quoted;
  const segments = locateSegments(filled, index);
  if (segments?.ok) return segments;
  const found = locateUndecorated(filled, index, startLine) ?? segments;
  if (found !== undefined) return found;
  if (isDone(filled, index)) return notFound;
  const partial = choosePlace(filled, findPartial(filled, query, index), startLine);
  if (partial !== undefined) return partial;
  for (const lines of [respaced(filled, index) ?? [], correctSlips(filled, index)].flat()) {
    const corrected = locateQuoted(lines, toQuery(lines.search, index), index, startLine);
    if (corrected?.ok === true) return { ...corrected, level: "similar" };
  }
  return choosePlace(filled, findSimilar(query, index), startLine) ?? notFound;
}

const notFound: LocatedUnit = { ok: false, code: "no-match" };

/** With more units, the forms of all lines are cheaper than a search for each. */
const maxExact = 32;

/** The common case: SEARCH is in the file once, byte by byte. No model sees carriage returns, which tell no places apart. */
function locateExact(unit: Lines, index: FileIndex): LocatedUnit | undefined {
  if (index.hasReturns || index.exactLooks > maxExact) return undefined;
  index.exactLooks += 1;
  const { offsets, gaveUp } = findExact(index.text, joinLines(unit.search), 2);
  const [offset, second] = offsets;
  if (offset === undefined || second !== undefined || gaveUp) return undefined;
  const first = index.lineOf(offset);
  const at = unit.search.map((_, nth) => first + nth);
  const part = { ...unit, at, indent: identityRule, isExact: true };
  return { ok: true, level: "exact", parts: [part] };
}

function locateUndecorated(
  unit: Lines,
  index: FileIndex,
  startLine: number | undefined,
): LocatedUnit | undefined {
  for (const { lines, numbers = [], ...more } of undecorate(unit)) {
    const located = locateQuoted(lines, toQuery(lines.search, index), index, startLine);
    if (located === undefined) continue;
    if (!located.ok) return located;
    if (!areNumbersOf(numbers, located.parts[0]?.at ?? [])) continue;
    return { ...located, level: "decoration", ...more };
  }
  return undefined;
}

// An edit that was made before: REPLACE is in the file, and a loose look for SEARCH would make it twice.

/** Bytes count, and lines of SEARCH that are left are there in any case. */
export function isDone({ search, replace }: Lines, index: FileIndex): boolean {
  const query = toQuery(replace, index);
  const quoted = new Set(search.map((line) => line.trim()));
  const isDeletion =
    query.solid.length < search.filter(isSolid).length &&
    query.solid.every((number) => quoted.has(replace[number]?.trim() ?? ""));
  const places = findSequence(index, query.forms).slice(0, maxCandidates);
  return !isDeletion && places.some((first) => comparePlace(query, index, first).strictness === 0);
}

// A unit that means each place of its text, also inside lines.

/** Each run of lines that holds the text is a part. */
function locateEverywhere(
  unit: EditUnit,
  index: FileIndex,
  startLine: number | undefined,
): LocatedUnit {
  const plain = index.hasReturns ? new FileIndex(index.text.replaceAll("\r\n", "\n")) : index;
  const text = withoutLineEnd(unit.search);
  const places = text === "" ? [] : [...findPlaces(plain.text, text, false)];
  const runs: { first: number; last: number }[] = [];
  for (const at of places) {
    const [first, last] = [plain.lineOf(at), plain.lineOf(at + text.length)];
    const run = runs.at(-1);
    if (run !== undefined && first <= run.last) run.last = last;
    else runs.push({ first, last });
  }
  const parts = runs.map(({ first, last }): Replacement => {
    const quoted = plain.text.slice(plain.starts[first], plain.starts[last + 1]);
    const search = linesOf(quoted);
    const at = search.map((_, nth) => first + nth);
    const replace = linesOf(changeAll(quoted, unit));
    return { search, replace, at, indent: identityRule, isExact: true };
  });
  const chosen = parts.filter(({ at }) => at[0] === (startLine ?? 0) - 1);
  if (chosen.length > 0) return { ok: true, level: "exact", parts: chosen };
  const { everywhere = 0 } = unit;
  if (places.length === 0) return notFound;
  if (everywhere > 0 && everywhere !== places.length) return ambiguousAt(parts.map(({ at }) => at));
  return { ok: true, level: "exact", parts };
}

/** The text with each place changed that the unit means. */
export function changeAll(text: string, { search, replace }: EditUnit): string {
  const [old, now] = [withoutLineEnd(search), withoutLineEnd(replace)];
  const pieces: string[] = [];
  let from = 0;
  for (const at of findPlaces(text, old, false)) {
    pieces.push(text.slice(from, at), now);
    from = at + old.length;
  }
  return [...pieces, text.slice(from)].join("");
}

// SEARCH with marks of text left out ("...").

/** Places of all segments between marks together. */
const maxPlaces = 50_000;

/** SEARCH with marks of text left out: its segments, in order, in the only way that they can stand. */
function locateSegments(unit: Lines, index: FileIndex): LocatedUnit | undefined {
  const both = splitBoth(unit, index);
  if (both === "unpaired") return { ok: false, code: "elision" };
  if (both === undefined) return undefined;
  const { searches, replaces } = both;
  const segments: Place[][] = [];
  let placeCount = 0;
  const budget = lookupBudget(index);
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
    // Segments that are nearly everywhere tell no place.
    if (placeCount > maxPlaces) return ambiguousAt(places.map(({ at }) => at));
    segments.push(places.map((place) => ({ ...place, lines: { search, replace } })));
  }
  const chains = findChains(segments);
  const [chain] = chains;
  if (chain === undefined) return undefined;
  if (chains.length > 1) return ambiguousAt(chains.map((all) => all.flatMap(({ at }) => at)));
  return { ok: true, level: "elision", parts: chain.map((place) => toPart(unit, place)) };
}

/** Up to two ways to choose one place of each segment so that they are in order. */
function findChains(segments: readonly Place[][]): Place[][] {
  // The first places that fit, and the last from the end on, are the same where there is no freedom.
  const forward = chooseInOrder(segments, (at, last) => at.startLine > last.endLine);
  const reversed = segments.toReversed().map((places) => places.toReversed());
  const backward = chooseInOrder(reversed, (at, last) => at.endLine < last.startLine)?.toReversed();
  if (forward === undefined || backward === undefined) return [];
  return backward.every((place, nth) => place === forward[nth]) ? [forward] : [forward, backward];
}

function chooseInOrder(
  segments: readonly Place[][],
  isBeyond: (at: LineRange, last: LineRange) => boolean,
): Place[] | undefined {
  const chain: Place[] = [];
  for (const places of segments) {
    const last = chain.length === 0 ? undefined : rangeOf(chain.at(-1)?.at ?? []);
    const place = places.find(({ at }) => !last || isBeyond(rangeOf(at), last));
    if (place === undefined) return undefined;
    chain.push(place);
  }
  return chain;
}

/** SEARCH and REPLACE between their marks: lines that say so, or look so and are not in the file. */
function splitBoth(
  unit: Lines,
  index: FileIndex,
): { searches: string[][]; replaces: string[][] } | "unpaired" | undefined {
  const isMark = (line: string): boolean => {
    const mark = placeholderOf(line);
    return isSurePlaceholder(mark) || (mark !== undefined && index.formOf(line) === -1);
  };
  const searches = splitAtMarks(foldPlaceholders(unit.search), isMark);
  const replaces = splitAtMarks(foldPlaceholders(unit.replace), isMark);
  if (searches.length < 2) return undefined;
  return replaces.length === searches.length ? { searches, replaces } : "unpaired";
}

/** A unit as it was understood, and where it stands. */
export interface LocatedReading {
  reading: EditUnit;
  located: LocatedUnit;
}

/**
 * Finds the place of a unit. If several of its lines could be the separator, the longest SEARCH that
 * is in the file decides; a shorter one is refused if the file goes on, right below it, with the very
 * line that would be the separator: then that line was quoted from the file.
 *
 * @param startLine chooses one of several places by its first line, 1-based
 */
export function locateReading(
  unit: GivenUnit,
  index: FileIndex,
  startLine?: number,
): LocatedReading {
  const first = bareUnit(unit);
  if (unit.everywhere !== undefined)
    return { reading: first, located: locateEverywhere(first, index, startLine) };
  const { readings: others = [], strict = false } = unit;
  const readings = [first, ...others].map((reading) => ({ reading, lines: toLines(reading) }));
  readings.sort((a, b) => b.lines.search.length - a.lines.search.length);
  for (const [nth, { reading, lines }] of others.length === 0 ? [] : readings.entries()) {
    const query = toQuery(lines.search, index);
    const located = locateQuoted(lines, query, index, startLine);
    if (located === undefined) continue;
    const separator = readings[nth - 1]?.lines.search[lines.search.length];
    if (separator !== undefined && isFollowedBy(located, separator, index))
      return { reading: first, located: notFound };
    const filled = fillReplace(lines, index);
    if (!located.ok) return { reading, located };
    if (filled === undefined) return { reading, located: { ok: false, code: "elision" } };
    const parts = located.parts.map((part) => ({ ...part, ...filled }));
    return { reading, located: { ...located, parts } };
  }
  const isSure = others.length === 0 || strict;
  const located = isSure ? locateUnit(toLines(first), index, startLine) : notFound;
  return { reading: first, located };
}

/** The unit without what its diff says of it. */
export function bareUnit({ search, replace, everywhere }: EditUnit): EditUnit {
  return { search, replace, ...(everywhere === undefined ? {} : { everywhere }) };
}

function toLines({ search, replace }: EditUnit): Lines {
  return { search: linesOf(search), replace: linesOf(replace) };
}

function isFollowedBy(located: LocatedUnit, separator: string, index: FileIndex): boolean {
  if (!located.ok) return false;
  const last = located.parts.at(-1)?.at.findLast((line) => line !== -1) ?? -1;
  return last + 1 < index.lineCount && index.line(last + 1).trim() === separator.trim();
}

// SEARCH with marks of text left out ("...").
import { toPart } from "./choose-place.ts";
import type { Lines } from "./decoration.ts";
import type { LineRange } from "../edit-unit.ts";
import { isSurePlaceholder, placeholderOf } from "../placeholder.ts";
import { foldPlaceholders, splitAtMarks } from "./elision.ts";
import type { FileIndex } from "./file-index.ts";
import { ambiguousAt, type LocatedUnit, rangeOf } from "./located-unit.ts";
import { lookupBudget, quotedPlaces } from "./locate-quoted.ts";
import { type Place, toQuery } from "./place.ts";
import { countWhile } from "../../base/text/rising.ts";

/** Places of all segments between marks together. */
const maxPlaces = 50_000;

/** SEARCH with marks of text left out: its segments, in order, in the only way that they can stand. */
export function locateSegments(unit: Lines, index: FileIndex): LocatedUnit | undefined {
  const both = splitBoth(unit, index);
  if (both === "unpaired") return { ok: false, code: "elision" };
  if (both === undefined) return undefined;
  const { searches, replaces } = both;
  const segments: { lines: Lines; places: Place[] }[] = [];
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
    // Segments that stand nearly everywhere tell no place.
    if (placeCount > maxPlaces) return ambiguousAt(places.map(({ at }) => at));
    segments.push({ lines: { search, replace }, places });
  }
  const chains = findChains(segments.map(({ places }) => places));
  const [chain] = chains;
  if (chain === undefined) return undefined;
  if (chains.length > 1) return ambiguousAt(chains.map((all) => all.flatMap(({ at }) => at)));
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
  const isShort = (nth: number): boolean => {
    const { startLine, endLine } = rangeOf(places[nth]?.at ?? []);
    return isBackward ? endLine >= border.startLine : startLine <= border.endLine;
  };
  return places[countWhile(places.length, isShort)];
}

type IsMark = (line: string, at: number) => boolean;

/** SEARCH and REPLACE between their marks, by the first kind of mark of which both have as many. */
function splitBoth(
  unit: Lines,
  index: FileIndex,
): { searches: string[][]; replaces: string[][] } | "unpaired" | undefined {
  const search = foldPlaceholders(unit.search);
  const replace = foldPlaceholders(unit.replace);
  const isAny: IsMark = (line) => placeholderOf(line) !== undefined;
  const isSure: IsMark = (line) => isSurePlaceholder(placeholderOf(line));
  const isNotInFile: IsMark = (line) =>
    isSure(line, 0) || (isAny(line, 0) && index.formOf(line) === -1);
  let hasMarks = false;
  for (const isMark of [isAny, isNotInFile, isSure]) {
    const searches = splitAtMarks(search, isMark);
    if (searches.length < 2) continue;
    const replaces = splitAtMarks(replace, isMark);
    if (replaces.length === searches.length) return { searches, replaces };
    hasMarks ||= search.some((line, at) => isNotInFile(line, at));
  }
  return hasMarks ? "unpaired" : undefined;
}

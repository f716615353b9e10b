// SEARCH with marks of text left out ("...").
import { toPart } from "./choose-place.ts";
import type { Lines } from "./decoration.ts";
import type { LineRange } from "../edit-unit.ts";
import { elisionOf, fillElisions, isSureElision, splitAtElisions } from "./elision.ts";
import type { FileIndex } from "./file-index.ts";
import { ambiguousAt, type LocatedUnit, rangeOf } from "./located-unit.ts";
import { lookupBudget, quotedPlaces } from "./locate-quoted.ts";
import { type Place, toQuery } from "./place.ts";
import type { Steps } from "../steps.ts";

/** Places of all segments between marks together. */
const maxPlaces = 50_000;

/** SEARCH with marks of text left out: its segments, in order, in the only way that they can stand. */
export function* locateSegments(unit: Lines, index: FileIndex): Steps<LocatedUnit | undefined> {
  const searches = splitAtElisions(unit.search);
  if (searches.length < 2) return undefined;
  const replaces = splitAtElisions(unit.replace);
  if (replaces.length !== searches.length) return { ok: false, code: "elision" };
  const segments: { lines: Lines; places: Place[] }[] = [];
  let placeCount = 0;
  const budget = lookupBudget(index);
  for (const [nth, search] of searches.entries()) {
    const replace = replaces[nth] ?? [];
    const query = yield* toQuery(search, index);
    if (query.solid.length === 0) {
      if (replace.some((line) => line.trim() !== "")) return { ok: false, code: "elision" };
      continue;
    }
    const places = yield* quotedPlaces(query, index, budget);
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

/** Marks of text left out that stand in REPLACE only are filled from SEARCH. */
export function fillReplace(unit: Lines, index: FileIndex): Lines | undefined {
  const isSure = (line: string) => isSureElision(elisionOf(line));
  // Bare dots are code where the file has such a line.
  const isMark = (line: string) =>
    isSure(line) || (elisionOf(line) === "dots" && index.formOf(line) === -1);
  if (!unit.replace.some(isSure) || unit.search.some(isMark)) return unit;
  const replace = fillElisions(unit.search, unit.replace);
  return replace && { search: unit.search, replace };
}

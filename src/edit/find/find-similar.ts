// Places that SEARCH quotes with a few mistakes: rare lines point to them, then every line is compared.
import type { FileIndex } from "./file-index.ts";
import { findIndentRule } from "./indentation.ts";
import { type ComparisonBudget, looseDistance, looseText, mayBeSimilar } from "./loose-text.ts";
import { type Place, type Query, alignBlankLines } from "./place.ts";
import { indentOf } from "../../base/text/lines.ts";
import { commonEdges } from "../../base/text/count-text.ts";

/** With fewer lines a mistake leaves too little to tell places apart. */
const fewestLines = 4;
/** Places of a line; one that has more points nowhere. */
const maxPlaces = 64;
/** Places that are compared in full. */
const maxSeeds = 12;
/** Comment lines of the file that SEARCH may leave out in a row. */
const maxSkipped = 40;
/** Characters that are compared for one SEARCH: some 5 ms. */
const maxCharacters = 400_000;
/** What a line costs that is looked at, in characters. */
const lookCost = 20;

interface Seed {
  nth: number;
  place: number;
  votes: number;
}

interface Lookup {
  query: Query;
  /** The solid lines of SEARCH in their loose form. */
  loose: readonly string[];
  index: FileIndex;
  budget: ComparisonBudget;
  /** What was compared already; -1 for lines that are not similar. */
  distances: Map<number, number>;
}

interface Alignment {
  /** The solid line of the file for each solid line of SEARCH. */
  places: number[];
  wrong: number;
  /** Comment lines of the file that SEARCH leaves out. */
  skipped: number;
  distance: number;
}

/** The places that come near, the nearest first. More than one: none is clearly the best. */
export function findSimilar(query: Query, index: FileIndex): Place[] {
  const size = query.solid.length;
  if (size < fewestLines) return [];
  const bound = Math.max(1, Math.floor(size / 8));
  const alignments = new Map<string, Alignment>();
  const most = Math.min(maxCharacters, index.budget.characters);
  const budget = { characters: most };
  const loose = query.solid.map((number) => looseText(query.lines[number] ?? ""));
  const lookup: Lookup = { query, loose, index, budget, distances: new Map() };
  for (const seed of findSeeds(query, index)) {
    if (budget.characters < 0) break;
    const alignment = align(lookup, seed, bound + 2);
    if (alignment !== undefined)
      alignments.set(`${alignment.places[0]} ${alignment.places.at(-1)}`, alignment);
  }
  index.budget.characters -= most - budget.characters;
  // Where comparing took too much, a place may have been missed that fits as well.
  if (budget.characters < 0) return [];
  const ranked = [...alignments.values()].sort(
    (a, b) => a.wrong - b.wrong || a.skipped - b.skipped || a.distance - b.distance,
  );
  const [best] = ranked;
  if (best === undefined || best.wrong > bound) return [];
  const near = ranked.filter((other) => !isClearlyWorse(other, best));
  if (near.length === 1 && hasTwin(query, index, best)) return [];
  return near.map((found) => toPlace(query, index, found));
}

/** A line of SEARCH names another block than the one that it would be taken for. */
function hasTwin(query: Query, index: FileIndex, { places }: Alignment): boolean {
  return places.some((place, nth) => {
    if (index.forms[place] === query.forms[nth]) return false;
    return isTwin(query.lines[query.solid[nth] ?? -1] ?? "", index, place);
  });
}

function isClearlyWorse(other: Alignment, best: Alignment): boolean {
  if (other.wrong >= best.wrong + 2) return true;
  if (other.wrong > best.wrong && other.distance >= 2 * best.distance + 0.05) return true;
  // Another reading of the same lines, not another place.
  const [from = 0, to = 0] = [best.places[0], best.places.at(-1)];
  const isApart = (other.places[0] ?? 0) > to || (other.places.at(-1) ?? 0) < from;
  return !isApart && (other.wrong > best.wrong || other.skipped > best.skipped);
}

/** Pairs of a line of SEARCH and a line of the file that are the same; those that most lines agree on first. */
export function findSeeds(query: Query, index: FileIndex): Seed[] {
  const seeds = new Map<number, Seed>();
  for (const [nth, form] of query.forms.entries()) {
    const count = index.counts[form] ?? 0;
    if (count === 0 || count > maxPlaces) continue;
    for (const place of index.placesOf(form, count)) {
      const seed = seeds.get(place - nth);
      if (seed === undefined) seeds.set(place - nth, { nth, place, votes: 1 });
      else seed.votes += 1;
    }
  }
  return [...seeds.values()].sort((a, b) => b.votes - a.votes).slice(0, maxSeeds);
}

function align(lookup: Lookup, seed: Seed, most: number): Alignment | undefined {
  const size = lookup.query.solid.length;
  const after = extend(lookup, seed, size - 1 - seed.nth, 1, most);
  const before = after && extend(lookup, seed, seed.nth, -1, most - after.wrong);
  if (after === undefined || before === undefined) return undefined;
  return {
    places: [...placesTo(before), seed.place, ...placesTo(after).toReversed()],
    wrong: before.wrong + after.wrong,
    skipped: before.skipped + after.skipped,
    distance: before.distance + after.distance,
  };
}

/** The alignment up to one line; the lines before it hang on `previous`. */
interface Step {
  place: number;
  wrong: number;
  skipped: number;
  distance: number;
  previous: Step | undefined;
}

/** Goes on from a seed line by line in one direction, with at most so many wrong lines. */
function extend(
  lookup: Lookup,
  seed: Seed,
  count: number,
  direction: 1 | -1,
  most: number,
): Step | undefined {
  let steps: Step[] = [
    { place: seed.place, wrong: 0, skipped: 0, distance: 0, previous: undefined },
  ];
  for (let nth = 1; nth <= count; nth += 1) {
    const next = new Map<number, Step>();
    for (const previous of steps) {
      if (lookup.budget.characters < 0) return undefined;
      const search = seed.nth + direction * nth;
      for (const [place, distance] of nextPlaces(lookup, search, previous.place, direction)) {
        const wrong = previous.wrong + (distance > 0 ? 1 : 0);
        const known = next.get(place);
        const skipped = previous.skipped + Math.abs(place - previous.place) - 1;
        const step = { place, wrong, skipped, distance: previous.distance + distance, previous };
        if (wrong <= most && (known === undefined || isBetter(step, known))) next.set(place, step);
      }
    }
    steps = [...next.values()];
    if (steps.length === 0) return undefined;
  }
  return steps.reduce((best, step) => (isBetter(step, best) ? step : best));
}

function isBetter(step: Step, other: Step): boolean {
  return step.wrong < other.wrong || (step.wrong === other.wrong && step.skipped < other.skipped);
}

/** The places from the last one back to the seed, which is left out. */
function placesTo(last: Step): number[] {
  const places: number[] = [];
  for (let step = last; step.previous !== undefined; step = step.previous) places.push(step.place);
  return places;
}

/** Where the next line of SEARCH may stand: right there, or after comments that SEARCH leaves out. */
function* nextPlaces(
  lookup: Lookup,
  nth: number,
  from: number,
  direction: 1 | -1,
): Iterable<[place: number, distance: number]> {
  const { query, index } = lookup;
  for (let skipped = 0; skipped <= maxSkipped; skipped += 1) {
    const place = from + direction * (skipped + 1);
    const line = index.solidLines[place];
    if (line === undefined) return;
    if (index.forms[place] === query.forms[nth]) {
      yield [place, 0];
      return;
    }
    const distance = distanceAt(lookup, nth, place);
    if (distance !== undefined) yield [place, Math.max(distance, Number.MIN_VALUE)];
    const file = index.looseLine(place);
    if (!isComment(file)) return;
  }
}

/** Of a line of SEARCH and a line of the file; each two are compared once. */
function distanceAt(lookup: Lookup, nth: number, place: number): number | undefined {
  const { loose, index, budget, distances } = lookup;
  const key = nth * index.solidLines.length + place;
  const known = distances.get(key);
  budget.characters -= lookCost;
  if (known !== undefined) return known < 0 ? undefined : known;
  const [search, file] = [loose[nth] ?? "", index.looseLine(place)];
  const isNear = mayBeSimilar(search, file, budget);
  const distance = isNear ? looseDistance(search, file, budget) : undefined;
  distances.set(key, distance ?? -1);
  return distance;
}

function isComment(line: string): boolean {
  return /^(?:\/\/|#|\/\*|\*|--|;|%|<!--|"""|''')/.test(line);
}

function toPlace(query: Query, index: FileIndex, { places }: Alignment): Place {
  const at: number[] = Array.from({ length: query.lines.length }, () => -1);
  const pairs = query.solid.map((number, nth) => {
    const line = index.solidLines[places[nth] ?? 0] ?? 0;
    at[number] = line;
    return { search: indentOf(query.lines[number] ?? ""), file: indentOf(index.line(line)) };
  });
  alignBlankLines(query, index, at);
  return { level: "similar", strictness: 0, at, indent: findIndentRule(pairs) };
}

// Blocks that differ in one name, number or text only: SEARCH for the one is no misquoted SEARCH for the other.

/** In characters; lines with less around what differs are of no kind. */
const leastKind = 3;
/** Lines that are looked at for another of the kind. */
const maxLooks = 200;

/**
 * Whether a line of SEARCH says another name, number or text than the line of the file for which it would be
 * taken, where lines of that kind tell blocks apart: it begins a block, or the file has more such lines.
 *
 * @param solid the solid line of the file
 */
function isTwin(quoted: string, index: FileIndex, solid: number): boolean {
  const [search, file] = [quoted.trim(), index.line(index.solidLines[solid] ?? 0).trim()];
  const { head, tail } = commonEdges(search, file);
  const [start, end] = [wordStart(search, head), tail - wordEnd(search, search.length - tail)];
  const [named, found] = [
    search.slice(start, search.length - end),
    file.slice(start, file.length - end),
  ];
  if (!isOther(named, found, index)) return false;
  return (
    beginsBlock(index, solid, file) ||
    hasKind(index, file.slice(0, start), file.slice(file.length - end))
  );
}

const wordSign = /[\p{L}\p{N}_$]/u;

/** Where the word begins that goes on at an offset. */
function wordStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && wordSign.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** How many characters of a word follow an offset. */
function wordEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && wordSign.test(text.charAt(at))) at += 1;
  return at - offset;
}

/** Each says a word or a number that the other lacks, and that is no misspelling. */
function isOther(search: string, file: string, index: FileIndex): boolean {
  const [said, there] = [wordsOf(search), wordsOf(file)];
  const gone = said.filter((word) => !there.includes(word));
  const come = there.filter((word) => !said.includes(word));
  if (gone.length === 0 || come.length === 0) return false;
  return gone.some(
    (word) => index.hasWord(word) || !come.some((other) => isMisspelling(word, other)),
  );
}

function wordsOf(text: string): string[] {
  return text.match(/\p{Script=Han}|[\p{L}\p{N}_$]+/gu) ?? [];
}

/** One or, in a long word, two letters are other, missing, too many, or have changed places; never a digit. */
function isMisspelling(one: string, other: string): boolean {
  if (one.replaceAll(/\P{N}/gu, "") !== other.replaceAll(/\P{N}/gu, "")) return false;
  if (Math.min(one.length, other.length) < 3) return false;
  const { head, tail } = commonEdges(one, other);
  const [middle1, middle2] = [
    one.slice(head, one.length - tail),
    other.slice(head, other.length - tail),
  ];
  const longest = Math.max(middle1.length, middle2.length);
  return longest <= (Math.max(one.length, other.length) < 8 ? 1 : 2) || isSwap(middle1, middle2);
}

function isSwap(one: string, other: string): boolean {
  return one.length === 2 && other.length === 2 && one[0] === other[1] && one[1] === other[0];
}

function beginsBlock(index: FileIndex, solid: number, file: string): boolean {
  if (/[:{]$/.test(file)) return true;
  const next = index.solidLines[solid + 1];
  const indent = indentOf(index.line(index.solidLines[solid] ?? 0));
  return next !== undefined && indentOf(index.line(next)).length > indent.length;
}

/** Another line of the file begins and ends as this one. */
function hasKind(index: FileIndex, head: string, tail: string): boolean {
  const anchor = head.length < tail.length ? tail : head;
  if (head.trim().length + tail.trim().length < leastKind || anchor.trim() === "") return false;
  let [found, looks] = [0, 0];
  let at = index.text.indexOf(anchor);
  while (at !== -1 && found < 2 && looks < maxLooks) {
    const line = index.lineOf(at);
    const text = index.line(line).trim();
    if (text.startsWith(head) && text.endsWith(tail)) found += 1;
    looks += 1;
    at = index.text.indexOf(anchor, Math.max(at + 1, index.ends[line] ?? at + 1));
  }
  return found > 1;
}

// Places that SEARCH quotes with a few mistakes: rare lines point to them, then every line is compared.
import { distance as editsBetween } from "fastest-levenshtein";
import { gapsBetween } from "../compare-lines.ts";
import type { Lines } from "./decoration.ts";
import type { FileIndex } from "./file-index.ts";
import { findIndentRule } from "./indentation.ts";
import {
  type ComparisonBudget,
  looseDistance,
  looseText,
  mayBeSimilar,
  tightText,
} from "./loose-text.ts";
import { type Place, type Query, alignBlankLines } from "./place.ts";
import { indentOf, isSolid } from "../../base/text/lines.ts";
import { commonEdges } from "../../base/text/count-text.ts";

/** With fewer lines a mistake leaves too little to tell places apart, unless it only adds or leaves out something. */
const fewestLines = 4;
/** Places of a line; one that has more points nowhere. */
const maxPlaces = 64;
/** Places that are compared in full. */
const maxSeeds = 12;
/** Comment lines of the file that SEARCH may leave out in a row. */
const maxSkipped = 40;
/** Characters that are compared for one SEARCH: some 5 ms. */
const maxCharacters = 400_000;
/** What it costs to take a line apart, for each of its characters. */
const tokenCost = 4;
/** What a line costs that is looked at, in characters. */
const lookCost = 20;

interface Lookup {
  query: Query;
  /** The solid lines of SEARCH in their loose form. */
  loose: readonly string[];
  index: FileIndex;
  budget: ComparisonBudget;
}

/** A line that SEARCH and the file both have, as solid lines of each. */
interface Anchor {
  nth: number;
  place: number;
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
  if (size < 2 || (size < fewestLines && !query.forms.some((form) => tells(form, index))))
    return [];
  const bound = Math.max(1, Math.floor(size / 8));
  const alignments = new Map<string, Alignment>();
  const most = Math.min(maxCharacters, index.budget.characters);
  const budget = { characters: most };
  const loose = query.solid.map((number) => looseText(query.lines[number] ?? ""));
  for (const anchor of findAnchors(query, index)) {
    const found = align({ query, loose, index, budget }, anchor, bound + 2);
    if (budget.characters < 0) break;
    if (found !== undefined) alignments.set(`${found.places[0]} ${found.places.at(-1)}`, found);
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

/** A line for each way in which lines of SEARCH may be those of the file: the ways that most lines agree on first. */
export function findAnchors(query: Query, index: FileIndex): Anchor[] {
  const votes = new Map<number, { count: number; anchor: Anchor }>();
  for (const [nth, form] of query.forms.entries()) {
    const places = index.placesOf(form);
    for (const place of places.length > maxPlaces ? [] : places) {
      const { count = 0, anchor = { nth, place } } = votes.get(place - nth) ?? {};
      votes.set(place - nth, { count: count + 1, anchor });
    }
  }
  const ranked = [...votes.values()].sort((a, b) => b.count - a.count).slice(0, maxSeeds);
  return ranked.map(({ anchor }) => anchor);
}

/** The lines of the file that all lines of SEARCH come near, up and down from one that is the same. */
function align(lookup: Lookup, { nth, place }: Anchor, most: number): Alignment | undefined {
  const places: number[] = [];
  places[nth] = place;
  const found = { places, wrong: 0, skipped: 0, distance: 0 };
  for (const step of [-1, 1]) {
    let last = place;
    for (let line = nth + step; line in lookup.loose; line += step) {
      const next = nextPlace(lookup, line, last, step);
      if (next === undefined) return undefined;
      found.wrong += next.distance > 0 ? 1 : 0;
      found.skipped += Math.abs(next.place - last) - 1;
      found.distance += next.distance;
      if (found.wrong > most) return undefined;
      last = places[line] = next.place;
    }
  }
  return found;
}

/** Where the next line of SEARCH is: right there, or behind comments that SEARCH leaves out. */
function nextPlace(
  { query, loose, index, budget }: Lookup,
  nth: number,
  last: number,
  step: number,
): { place: number; distance: number } | undefined {
  const search = loose[nth] ?? "";
  let near: { place: number; distance: number } | undefined;
  for (let skipped = 0; skipped <= maxSkipped; skipped += 1) {
    const place = last + step * (skipped + 1);
    if (!(place in index.solidLines)) break;
    if (index.forms[place] === query.forms[nth]) return { place, distance: 0 };
    const file = index.looseLine(place);
    budget.characters -= lookCost;
    const isNear = near === undefined && mayBeSimilar(search, file, budget);
    const isPart = loose.length < fewestLines && !(isComment(search) && isComment(file));
    const measure = isPart ? distanceOfParts : looseDistance;
    const distance = isNear ? measure(search, file, budget) : undefined;
    if (distance !== undefined) near = { place, distance: Math.max(distance, Number.MIN_VALUE) };
    if (budget.characters < 0 || !isComment(file)) break;
  }
  return near;
}

/**
 * The unit with the lines of SEARCH that the file lacks as it has them, where they differ by blanks between signs and in no
 * other line; also where REPLACE has them again. Undefined where that does not mend all of them.
 */
export function respaced({ search, replace }: Lines, index: FileIndex): Lines | undefined {
  const wrong = search.filter((line) => isSolid(line) && index.formOf(line) === -1);
  if (wrong.length === 0 || search.length + replace.length > maxCorrected) return undefined;
  const meant = new Map<string, string>();
  for (const line of wrong) {
    const solid = index.solidOfTight(tightText(line));
    if (solid === undefined) return undefined;
    meant.set(line.trim(), index.line(index.solidLines[solid] ?? 0).trim());
  }
  const mend = (line: string): string => {
    const text = meant.get(line.trim());
    return text === undefined ? line : indentOf(line) + text;
  };
  return { search: search.map(mend), replace: replace.map(mend) };
}

/** Lines of SEARCH and REPLACE together. */
const maxCorrected = 2_000;

/**
 * The unit with SEARCH as the file has it: a line of SEARCH alone that the file lacks becomes the lines of REPLACE alone, at
 * the same place, that the file has; a comment may be left out. So nothing is lost that SEARCH did not name.
 *
 * @returns as SEARCH indents what both have, and as REPLACE does; nothing where SEARCH has no such line
 */
export function correctSlips({ search, replace }: Lines, index: FileIndex): Lines[] {
  if (search.length + replace.length > maxCorrected) return [];
  // A block like it may be meant as well.
  if (!search.some((line) => tells(index.formOf(line), index))) return [];
  const [old, now] = [search, replace].map((lines) => lines.map((line) => line.trim()));
  const isKnown = (line: string): boolean => isSolid(line) && index.formOf(line) !== -1;
  const gaps = gapsBetween(old ?? [], now ?? []);
  const found: Lines[] = [];
  for (const isLikeReplace of [false, true]) {
    const lines: string[] = [];
    let [from, to, slips] = [0, 0, 0];
    for (const gap of [...gaps, { old: [search.length], now: [replace.length] }]) {
      const [oldStart = 0, oldEnd = oldStart] = gap.old;
      const [nowStart = 0, nowEnd = nowStart] = gap.now;
      lines.push(...(isLikeReplace ? replace.slice(to, nowStart) : search.slice(from, oldStart)));
      const left = search.slice(oldStart, oldEnd);
      const wrong = left.filter((line) => isSolid(line) && !isKnown(line));
      const quoted = new Set(left);
      const meant = replace
        .slice(nowStart, nowEnd)
        .filter((line) => isKnown(line) && !quoted.has(line));
      slips += wrong.length;
      const isClear =
        meant.length > 0 ? wrong.length < 2 : wrong.every((line) => isComment(line.trim()));
      if (!isClear) return [];
      for (const line of left)
        if (isKnown(line) || !isSolid(line)) lines.push(line);
        else lines.push(...meant);
      [from, to] = [oldEnd, nowEnd];
    }
    if (slips > 0 && lines.filter(isSolid).length > slips) found.push({ search: lines, replace });
  }
  return found;
}

/** The file has the line once, and it says something. */
function tells(form: number, index: FileIndex): boolean {
  const places = index.placesOf(form);
  return places.length === 1 && /\p{L}{3}/u.test(index.looseLine(places[0] ?? 0));
}

/** The share of signs that one of two lines has more, where it has all of the other one in its order and that is most of it. */
function distanceOfParts(
  search: string,
  file: string,
  budget: ComparisonBudget,
): number | undefined {
  budget.characters -= tokenCost * (search.length + file.length);
  if (budget.characters < 0) return undefined;
  const [part, whole] = search.length < file.length ? [search, file] : [file, search];
  const tokens = tokensOf(part);
  let next = 0;
  for (const token of tokensOf(whole)) if (token === tokens[next]) next += 1;
  const isPart = next === tokens.length && part.length * 2 > whole.length;
  return isPart ? 1 - part.length / whole.length : undefined;
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

/**
 * Whether a line of SEARCH says another name, number or text than the line of the file for which it would be
 * taken, where lines of that kind tell blocks apart: it begins a block, or the file has more such lines.
 *
 * @param solid the solid line of the file
 */
function isTwin(quoted: string, index: FileIndex, solid: number): boolean {
  const text = index.line(index.solidLines[solid] ?? 0).trim();
  const [search, file] = [tokensOf(quoted.trim()), tokensOf(text)];
  const { head, tail } = commonEdges(search, file);
  const between = (tokens: readonly string[]) => tokens.slice(head, tokens.length - tail);
  if (!isOther(between(search), between(file), index)) return false;
  const [before, after] = [file.slice(0, head), file.slice(file.length - tail)];
  return beginsBlock(index, solid, text) || hasKind(index, before.join(""), after.join(""));
}

/** Words, and the signs between them. */
function tokensOf(text: string): string[] {
  return text.match(/\p{Script=Han}|[\p{L}\p{N}_$]+|./gsu) ?? [];
}

/** Each says a word or a number that the other lacks, and that is no misspelling. */
function isOther(search: readonly string[], file: readonly string[], index: FileIndex): boolean {
  const isWord = (token: string): boolean => /[\p{L}\p{N}_$]/u.test(token);
  const gone = search.filter((word) => isWord(word) && !file.includes(word));
  const come = file.filter((word) => isWord(word) && !search.includes(word));
  return (
    come.length > 0 &&
    gone.some((word) => index.hasWord(word) || !come.some((other) => isMisspelling(word, other)))
  );
}

/** One or, in a long word, two letters are other, missing, too many, or have changed places; never a digit. */
function isMisspelling(one: string, other: string): boolean {
  if (one.replaceAll(/\P{N}/gu, "") !== other.replaceAll(/\P{N}/gu, "")) return false;
  const [shorter, longer] = [one.length, other.length].toSorted((a, b) => a - b);
  if (shorter === undefined || longer === undefined || shorter < 3) return false;
  const lettersOf = (text: string) => Array.from(text).sort().join("");
  const isSwap = lettersOf(one) === lettersOf(other);
  return editsBetween(one, other) <= (longer < 8 && !isSwap ? 1 : 2);
}

function beginsBlock(index: FileIndex, solid: number, file: string): boolean {
  if (/[:{]$/.test(file)) return true;
  const next = index.solidLines[solid + 1];
  const indent = indentOf(index.line(index.solidLines[solid] ?? 0));
  return next !== undefined && indentOf(index.line(next)).length > indent.length;
}

/** Another line of the file begins and ends as this one. */
function hasKind(index: FileIndex, head: string, tail: string): boolean {
  if (head.trim().length + tail.trim().length < leastKind) return false;
  const alike = index.starts.filter((_, line) => {
    const text = index.line(line).trim();
    return text.startsWith(head) && text.endsWith(tail);
  });
  return alike.length > 1;
}

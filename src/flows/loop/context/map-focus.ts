// What of the files that were read the request is about: weights for the map, and a reason for each file.
import {
  type MapFocus,
  type MappedFile,
  type MappedSymbol,
  comparePaths,
} from "../../../code/file-map.ts";
import { type Candidate, sumOf } from "./find-candidates.ts";
import { type RequestTerms, splitWords, stemOf } from "./request-terms.ts";
import type { Message } from "../../../base/errors/app-error.ts";
import type { LineRange } from "../../../edit/edit-unit.ts";

export interface ReasonedFocus extends MapFocus {
  /** Of files that are in the focus; the strongest of each. */
  reasons: ReadonlyMap<string, MapReason>;
  /** Named in the request, those of `@path` first. */
  named: readonly string[];
}

/** What a reason counts; `text` that of the file whose text matches best. */
const weights = {
  mention: 4,
  named: 3,
  defines: 2,
  /** It is one of the few definitions of what is named: more than any words say. */
  means: 4,
  refers: 1,
  holds: 1,
  path: 1,
  word: 0.5,
  text: 3,
};
/** A part of a name says less than a word of the prose. */
const partShare = 0.4;

interface Weighed {
  weight: number;
  reason: MapReason;
}

export function findFocus(
  files: readonly MappedFile[],
  candidates: ReadonlyMap<string, Candidate>,
  counted: ReadonlyMap<string, CountedWords>,
  terms: RequestTerms,
  definitions: readonly NamedSymbol[],
): ReasonedFocus {
  const meant = new Map(definitions.map(({ path, name }) => [path, name]));
  const spoken = definitions.map(({ name }) => [name, 1] as const);
  const named = new Map([...spoken, ...terms.names.flatMap(({ path }) => weighPath(path))]);
  const words = findWordNames(files, terms.words);
  const matches = matchTexts(counted, listStems(terms));
  const rarity = weighRarity(files, named);
  const focus = {
    files: new Map<string, number>(),
    names: new Map([...words, ...named]),
    reasons: new Map<string, MapReason>(),
  };
  for (const file of files) {
    const { path } = file;
    const candidate = candidates.get(path);
    const found = [
      ...weighNames(file, { named, words, rarity }),
      ...weighCandidate(candidate),
      ...weighMeant(meant.get(path)),
    ].filter(({ weight }) => weight > 0);
    const said = weighText(matches.get(path), terms);
    // What is named says more to a person than the words that a text shares with the request.
    const best =
      found.find(({ reason }) => reason.kind === "named") ??
      found.toSorted((one, other) => other.weight - one.weight)[0] ??
      said;
    if (best !== undefined) focus.reasons.set(path, best.reason);
    const sum = found.reduce((all, { weight }) => all + weight, said?.weight ?? 0);
    focus.files.set(path, isMeant(candidate) ? sum : sum * (candidate?.share ?? 1));
  }
  return { ...focus, named: listNamed(candidates) };
}

function weighMeant(name: string | undefined): Weighed[] {
  return name === undefined ? [] : [{ weight: weights.means, reason: { kind: "defines", name } }];
}

/** In `Cart.total` the method is meant, and the type says which. */
function weighPath(path: readonly string[]): [string, number][] {
  return path.map((name, nth) => [name, nth === path.length - 1 ? 1 : 0.5]);
}

function weighCandidate(candidate: Candidate | undefined): Weighed[] {
  if (candidate === undefined) return [];
  const { isNamed, texts, words } = candidate;
  return [
    {
      weight: isNamed === undefined ? 0 : isNamed === "mention" ? weights.mention : weights.named,
      reason: { kind: "named" },
    },
    { weight: sumOf(texts) * weights.holds, reason: { kind: "holds", text: firstOf(texts) } },
    { weight: sumOf(words) * weights.path, reason: { kind: "word", word: firstOf(words) } },
  ];
}

function firstOf(clues: Candidate["words"]): string {
  return clues.toSorted((one, other) => other.weight - one.weight)[0]?.text ?? "";
}

/** The stems that are counted in texts. */
export function listStems({ words, parts }: RequestTerms): Map<string, number> {
  return new Map([
    ...Array.from(parts.keys(), (stem) => [stem, partShare] as const),
    ...Array.from(words.keys(), (stem) => [stem, 1] as const),
  ]);
}

/** Named, or holding what is quoted: that is meant even where it is a test. */
function isMeant(candidate: Candidate | undefined): boolean {
  return candidate?.isNamed !== undefined || (candidate?.texts.length ?? 0) > 0;
}

/** Of many texts that share words with the request only the best are meant, so the others count little. */
function weighText(match: TextMatch | undefined, { words }: RequestTerms): Weighed | undefined {
  if (match === undefined) return undefined;
  const word = words.get(match.stem);
  const reason: MapReason = word === undefined ? { kind: "near" } : { kind: "says", word };
  return { weight: weights.text * match.score ** 2, reason };
}

/** What it says of a file that it has a name: less where many have it. */
function weighRarity(
  files: readonly MappedFile[],
  named: ReadonlyMap<string, number>,
): Map<string, number> {
  const holders = new Map<string, number>();
  for (const { names } of files) {
    for (const name of names) if (named.has(name)) holders.set(name, (holders.get(name) ?? 0) + 1);
  }
  return new Map(Array.from(holders, ([name, count]) => [name, 1 / (1 + Math.log2(count))]));
}

interface Names {
  named: ReadonlyMap<string, number>;
  words: ReadonlyMap<string, number>;
  rarity: ReadonlyMap<string, number>;
}

function weighNames({ symbols, names }: MappedFile, { named, words, rarity }: Names): Weighed[] {
  const own = new Set(symbols.map(({ name }) => name));
  const defined = Array.from(own, (name): Weighed => {
    const weight = (named.get(name) ?? 0) * weights.defines;
    const byWord = (words.get(name) ?? 0) * weights.word;
    return { weight: weight + byWord, reason: { kind: "defines", name } };
  });
  const referred = names.map((name): Weighed => {
    const asked = own.has(name) ? 0 : (named.get(name) ?? 0);
    const weight = asked * weights.refers * (rarity.get(name) ?? 1);
    return { weight, reason: { kind: "refers", name } };
  });
  return [...defined, ...referred];
}

/** Names of symbols that a word of the request is part of; the fewer there are the more each counts. */
function findWordNames(
  files: readonly MappedFile[],
  words: ReadonlyMap<string, string>,
): Map<string, number> {
  const byWord = new Map<string, Set<string>>();
  for (const { symbols } of files) {
    for (const { name } of symbols)
      for (const word of splitWords(name.slice(0, 100)).map(stemOf)) {
        if (!words.has(word)) continue;
        const known = byWord.get(word);
        if (known === undefined) byWord.set(word, new Set([name]));
        else known.add(name);
      }
  }
  const found = new Map<string, number>();
  for (const names of byWord.values())
    for (const name of names) found.set(name, (found.get(name) ?? 0) + 1 / (1 + names.size));
  return new Map(Array.from(found, ([name, weight]) => [name, Math.min(1, weight)]));
}

function listNamed(candidates: ReadonlyMap<string, Candidate>): string[] {
  const all = [...candidates.values()];
  return (["mention", "path"] as const).flatMap((kind) =>
    all.filter(({ isNamed }) => isNamed === kind).map(({ path }) => path),
  );
}

/** Why a file came along: for the receipt. */
export type MapReason =
  | { kind: "named" }
  | { kind: "defines"; name: string }
  | { kind: "refers"; name: string }
  | { kind: "holds"; text: string }
  | { kind: "word"; word: string }
  /** Its text has the word, in any form. */
  | { kind: "says"; word: string }
  /** It refers to files that have a reason, or they to it. */
  | { kind: "near" };

export function describeReason(reason: MapReason): Message {
  switch (reason.kind) {
    case "named":
      return { en: "named in the request", zh: "请求中提到" };
    case "defines":
      return { en: `defines \`${reason.name}\``, zh: `定义了 \`${reason.name}\`` };
    case "refers":
      return { en: `refers to \`${reason.name}\``, zh: `用到 \`${reason.name}\`` };
    case "holds":
      return { en: `contains "${reason.text}"`, zh: `包含“${reason.text}”` };
    case "word":
      return { en: `its names contain "${reason.word}"`, zh: `名称中含有“${reason.word}”` };
    case "says":
      return { en: `mentions "${reason.word}"`, zh: `内容提到“${reason.word}”` };
    case "near":
      return { en: "is connected with the others", zh: "与其他文件有关联" };
  }
}

// How often the words of a request are in a text, and how well texts match it for that.

export interface CountedWords {
  /** By stem; 1 and more. */
  counts: ReadonlyMap<string, number>;
  /** All words of the text. */
  length: number;
}

/** The parts of `parseHTTPHeader_v2` are words of their own; a longer one is data. */
const parts = /[A-Z]?[a-z\d]{2,40}|[A-Z]{2,40}(?![a-z])/g;
/** Of BM25: how soon more of a word says no more, and how much of a long text is expected to have more of all. */
const [saturation, lengthShare] = [1.2, 0.6];

/** @param stems those that are counted */
export function countWords(text: string, stems: ReadonlySet<string>): CountedWords {
  const counts = new Map<string, number>();
  const known = new Map<string, string | undefined>();
  let length = 0;
  for (const [part] of text.matchAll(parts)) {
    length += 1;
    let stem = known.get(part);
    if (stem === undefined && !known.has(part)) {
      const found = stemOf(part.toLowerCase());
      stem = stems.has(found) ? found : undefined;
      known.set(part, stem);
    }
    if (stem !== undefined) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length };
}

interface TextMatch {
  /** From 0 to 1, the best of all texts. */
  score: number;
  /** The stem that says most. */
  stem: string;
}

/**
 * How well texts match, by BM25: a word counts the more the fewer texts have it. Those that have none are left out.
 *
 * @param stems with a weight each
 */
function matchTexts(
  texts: ReadonlyMap<string, CountedWords>,
  stems: ReadonlyMap<string, number>,
): Map<string, TextMatch> {
  const known = weighStems([...texts.values()], stems);
  const lengths = Array.from(texts.values(), ({ length }) => length);
  const average = lengths.reduce((sum, length) => sum + length, 1) / Math.max(1, texts.size);
  const matches = new Map<string, TextMatch>();
  let best = 0;
  for (const [path, { counts, length }] of texts) {
    const expected = saturation * (1 - lengthShare + (lengthShare * length) / average);
    const match = { score: 0, stem: "", most: 0 };
    for (const [stem, count] of counts) {
      const gain = ((known.get(stem) ?? 0) * count) / (count + expected);
      match.score += gain;
      if (gain > match.most) Object.assign(match, { stem, most: gain });
    }
    best = Math.max(best, match.score);
    if (match.score > 0) matches.set(path, match);
  }
  return new Map(
    Array.from(matches, ([path, { score, stem }]) => [path, { score: score / best, stem }]),
  );
}

/** What each stem counts in these texts: little where most have it. */
function weighStems(
  texts: readonly CountedWords[],
  stems: ReadonlyMap<string, number>,
): Map<string, number> {
  const holders = new Map<string, number>();
  for (const { counts } of texts)
    for (const stem of counts.keys()) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  return new Map(
    Array.from(stems, ([stem, weight]) => {
      const held = holders.get(stem) ?? 0;
      return [stem, weight * Math.log1p((texts.length - held + 0.5) / (held + 0.5))];
    }),
  );
}

// Which symbols a request names: as code, or in a short request as plain words.

export interface NamedSymbol {
  path: string;
  name: string;
  /** With its comment. */
  lines: LineRange;
}

/** Definitions of one name; where more files than the second number have one, a plain word does not mean it. */
const [maxOfName, maxFiles] = [3, 5];

/** How surely a name is meant: written as code, as a word of the same case, of another case, of prose. */
type Sureness = 0 | 1 | 2 | 3 | 4;

interface Found extends NamedSymbol {
  sureness: Sureness;
  isField: boolean;
  /** Of the file, see `Candidate`. */
  share: number;
}

/** How surely a request means a symbol of this name; 0: not at all. */
export function surenessOf(name: string, { names, spoken }: RequestTerms): Sureness {
  if (names.some(({ path }) => path.at(-1) === name)) return 4;
  const isProse = spoken.get(name) ?? spoken.get(name.toLowerCase());
  if (isProse === undefined) return 0;
  return isProse ? 1 : spoken.has(name) ? 3 : 2;
}

/** The surest come first, and of one name only those that are as sure as any. */
export function findNamedSymbols(
  files: readonly MappedFile[],
  candidates: ReadonlyMap<string, Candidate>,
  terms: RequestTerms,
): NamedSymbol[] {
  const found: Found[] = [];
  for (const { path, symbols } of files) {
    const share = candidates.get(path)?.share ?? 1;
    for (const symbol of symbols) {
      const sureness = isDefinition(symbol) ? surenessOf(symbol.name, terms) : 0;
      if (sureness > 0 && fitsContainer(symbol, terms))
        found.push({
          path,
          name: symbol.name,
          lines: symbol.lines,
          sureness,
          isField: symbol.kind === "property",
          share,
        });
    }
  }
  const byName = Map.groupBy(found, ({ name }) => name.toLowerCase());
  const chosen = [...byName.values()].flatMap(chooseOfName);
  const best = Math.max(0, ...chosen.map(({ sureness }) => sureness));
  return chosen
    .filter(({ sureness }) => sureness > 1 || best === 1)
    .toSorted((one, other) => other.sureness - one.sureness);
}

function chooseOfName(found: readonly Found[]): Found[] {
  const best = Math.max(...found.map(({ sureness }) => sureness));
  const isSure = ({ sureness }: Found): boolean => sureness === best;
  // Many types have fields of one name.
  const functions = found.filter((each) => isSure(each) && !each.isField);
  const sure = functions.length > 0 ? functions : found.filter(isSure);
  if (best < 4 && new Set(sure.map(({ path }) => path)).size > maxFiles) return [];
  return sure
    .toSorted((one, other) => other.share - one.share || comparePaths(one.path, other.path))
    .slice(0, maxOfName);
}

/** What others may mean by its name: nothing that is local. */
function isDefinition({ kind, level }: MappedSymbol): boolean {
  return kind !== "constructor" && !(kind === "variable" && level > 0);
}

/** `Cart.total` is none of `Order`. */
function fitsContainer({ name, container }: MappedSymbol, { names }: RequestTerms): boolean {
  const paths = names.filter(({ path }) => path.at(-1) === name).map(({ path }) => path.at(-2));
  if (paths.length === 0 || paths.includes(undefined)) return true;
  const own = container?.split(".").at(-1);
  return own === undefined || paths.includes(own);
}

// What speaks for each file of a repository: its path and what a search finds, then what it defines, uses and says.
import { type MapFocus, type MappedFile, comparePaths } from "../../../code/file-map.ts";
import { codeLanguageOf, lexicalRulesOf } from "../../../code/language-of.ts";
import type { Message } from "../../../base/errors/app-error.ts";
import type { LineRange } from "../../../edit/edit-unit.ts";
import { matchFiles } from "../../place/find-names.ts";
import {
  type RequestTerms,
  besideCode,
  fileNameOf,
  splitWords,
  stemOf,
  stepPairs,
  withoutEnding,
} from "./request-terms.ts";

/** Why a file came along: for the receipt. */
export interface MapReason {
  kind: keyof typeof reasons;
  /** The name, text or word that it has. */
  what: string;
}

const reasons = {
  named: () => ({ en: "named in the request", zh: "请求中提到" }),
  defines: (what: string) => ({ en: `defines \`${what}\``, zh: `定义了 \`${what}\`` }),
  refers: (what: string) => ({ en: `refers to \`${what}\``, zh: `用到 \`${what}\`` }),
  holds: (what: string) => ({ en: `contains "${what}"`, zh: `包含“${what}”` }),
  word: (what: string) => ({ en: `its names contain "${what}"`, zh: `名称中含有“${what}”` }),
  // In any form.
  says: (what: string) => ({ en: `mentions "${what}"`, zh: `内容提到“${what}”` }),
  // It refers to files that have a reason, or they to it.
  near: () => ({ en: "is connected with the others", zh: "与其他文件有关联" }),
} satisfies Record<string, (what: string) => Message>;

export function describeReason({ kind, what }: MapReason): Message {
  return reasons[kind](what);
}

/** What a reason counts in the one file that has it; `text` in that whose text matches best. */
const weights = {
  mention: 4,
  named: 3,
  /** It is one of the few definitions of what is named: more than any words say. */
  means: 4,
  defines: 2,
  refers: 1,
  holds: 1,
  path: 1,
  symbol: 0.5,
  text: 3,
};
/** The name of a file says more than its folders. */
const folderShare = 0.4;
const [shareOfTests, shareOfOthers] = [0.6, 0.5];

/** Files that are named; of one name, such as `README.md`, those that are nearest to the root. */
const [maxNamed, maxAlike] = [50, 5];

/** What speaks for files, by path; what many files have says little of each. */
export class Evidence {
  /** Named in the request, those of `@path` first. */
  readonly named: string[] = [];
  readonly reasons = new Map<string, MapReason>();
  readonly #terms: RequestTerms;
  readonly #sums = new Map<string, number>();
  readonly #strongest = new Map<string, number>();
  /** Named, or holding what is quoted: that is meant even where it is a test. */
  readonly #meant = new Set<string>();

  constructor(terms: RequestTerms) {
    this.#terms = terms;
  }

  /** Up to 1: less for tests and for what is no code, unless the request asks for them. */
  shareOf(path: string): number {
    const isBeside =
      !this.#terms.asksTests && splitWords(path).some((word) => besideCode.has(word));
    return (isCode(path) ? 1 : shareOfOthers) * (isBeside ? shareOfTests : 1);
  }

  scoreOf(path: string): number {
    return (this.#sums.get(path) ?? 0) * (this.#meant.has(path) ? 1 : this.shareOf(path));
  }

  /** @param reason the strongest is told; that a file is named before all others */
  add(path: string, weight: number, reason: MapReason): void {
    this.#sums.set(path, (this.#sums.get(path) ?? 0) + weight);
    if (reason.kind === "named" || reason.kind === "holds") this.#meant.add(path);
    const isOfText = reason.kind === "says" || reason.kind === "near";
    const rank = reason.kind === "named" ? Infinity : isOfText ? 0 : weight;
    if (weight <= 0 || rank <= (this.#strongest.get(path) ?? -1)) return;
    this.#strongest.set(path, rank);
    this.reasons.set(path, reason);
  }

  /** @param holders the files that have it, with shares from 0 to 1 */
  addShared(holders: ReadonlyMap<string, number>, weight: number, reason: MapReason): void {
    const rarity = 1 / (1 + Math.log2(Math.max(1, holders.size)));
    for (const [path, share] of holders) this.add(path, weight * rarity * share, reason);
  }
}

/** Whether a file has an outline: a grammar, or its lines and indentation, tell its symbols. */
export function isCode(path: string): boolean {
  return (
    codeLanguageOf(undefined, path) !== undefined || lexicalRulesOf(undefined, path) !== undefined
  );
}

/** The files that a request names by an end of their paths; of many the nearest to the root. */
export function findNamed(
  paths: readonly string[],
  text: string,
): Map<string, "mention" | "named"> {
  const nearest = paths
    .filter((path) => text.includes(fileNameOf(path)))
    .sort((one, other) => one.length - other.length || comparePaths(one, other));
  const alike = Map.groupBy(matchFiles(text, nearest), ({ path }) => fileNameOf(path));
  const first = [...alike.values()].flatMap((files) => files.slice(0, maxAlike));
  const shown = first.toSorted((one, other) => Number(other.isMentioned) - Number(one.isMentioned));
  return new Map(
    shown
      .slice(0, maxNamed)
      .map(({ path, isMentioned }) => [path, isMentioned ? "mention" : "named"]),
  );
}

export function weighPaths(
  paths: readonly string[],
  terms: RequestTerms,
  named: ReadonlyMap<string, "mention" | "named">,
  found: ReadonlyMap<string, ReadonlySet<string>>,
): Evidence {
  const evidence = new Evidence(terms);
  evidence.named.push(...named.keys());
  for (const [path, how] of named) evidence.add(path, weights[how], { kind: "named", what: "" });
  for (const [text, holding] of found) {
    const weight = (terms.texts.get(text) ?? 0) * weights.holds;
    const holders = new Map(Array.from(holding, (path) => [path, 1]));
    evidence.addShared(holders, weight, { kind: "holds", what: text });
  }
  const { words, steps } = terms;
  const clues = [...words.keys(), ...steps];
  const holders = new Map(clues.map((clue) => [clue, new Map<string, number>()]));
  for (const path of paths) {
    const name = fileNameOf(path);
    for (const word of splitWords(path.slice(0, -name.length)))
      holders.get(stemOf(word))?.set(path, folderShare);
    for (const word of splitWords(withoutEnding(name))) holders.get(stemOf(word))?.set(path, 1);
    if (steps.size > 0) for (const pair of stepPairs(path)) holders.get(pair)?.set(path, 1);
  }
  for (const [clue, holding] of holders) {
    const { word, weight } = words.get(clue) ?? { word: clue, weight: 1 };
    evidence.addShared(holding, weight * weights.path, { kind: "word", what: word });
  }
  return evidence;
}

/** What files define and use, and the words of their texts. */
export function weighFiles(
  evidence: Evidence,
  files: readonly MappedFile[],
  texts: ReadonlyMap<string, CountedWords>,
  { names, words }: RequestTerms,
  definitions: readonly NamedSymbol[],
): MapFocus {
  const meant = new Map(definitions.map(({ path, name }) => [path, name]));
  for (const [path, what] of meant) evidence.add(path, weights.means, { kind: "defines", what });
  // In `Cart.total` the method is meant, and the type says which.
  const paths = names.flatMap((path) =>
    path.map((name, nth) => [name, nth === path.length - 1 ? 1 : 0.5] as const),
  );
  const named = new Map([...definitions.map(({ name }) => [name, 1] as const), ...paths]);
  const byWord = new Map<string, Set<string>>();
  const definers = new Map<string, Map<string, number>>();
  const users = new Map<string, Map<string, number>>();
  for (const { path, symbols, names: used } of files) {
    const own = new Set(symbols.map(({ name }) => name));
    for (const name of own) {
      if (named.has(name)) holdersOf(definers, name).set(path, 1);
      for (const stem of splitWords(name.slice(0, 100)).map(stemOf)) {
        // A part of a name is no word that anybody has said.
        if (words.get(stem)?.weight !== 1) continue;
        holdersOf(definers, name).set(path, 1);
        byWord.set(stem, (byWord.get(stem) ?? new Set()).add(name));
      }
    }
    for (const name of used)
      if (named.has(name) && !own.has(name)) holdersOf(users, name).set(path, 1);
  }
  // The fewer names have a word the more each counts.
  const said = new Map<string, number>();
  for (const all of byWord.values())
    for (const name of all) said.set(name, Math.min(1, (said.get(name) ?? 0) + 1 / (1 + all.size)));
  for (const [name, holding] of definers) {
    const weight =
      (named.get(name) ?? 0) * weights.defines + (said.get(name) ?? 0) * weights.symbol;
    evidence.addShared(holding, weight, { kind: "defines", what: name });
  }
  for (const [name, holding] of users) {
    const weight = (named.get(name) ?? 0) * weights.refers;
    evidence.addShared(holding, weight, { kind: "refers", what: name });
  }
  weighTexts(evidence, texts, words);
  const scores = files.map(({ path }) => [path, evidence.scoreOf(path)] as const);
  return { files: new Map(scores), names: new Map([...said, ...named]) };
}

function holdersOf(all: Map<string, Map<string, number>>, name: string): Map<string, number> {
  const known = all.get(name) ?? new Map<string, number>();
  all.set(name, known);
  return known;
}

// How often the words of a request are in a text, and how well texts match it for that.

type CountedWords = ReturnType<typeof countWords>;

/** The parts of `parseHTTPHeader_v2` are words of their own; a longer one is data. */
const parts = /[A-Z]?[a-z\d]{2,40}|[A-Z]{2,40}(?![a-z])/g;
/** Of BM25: how soon more of a word says no more, and how much of a long text is expected to have more of all. */
const [saturation, lengthShare] = [1.2, 0.6];

/** @returns how often the text has each word of the request, and how many words it has */
export function countWords(text: string, { words }: RequestTerms) {
  const counts = new Map<string, number>();
  const stems = new Map<string, string>();
  let length = 0;
  for (const [part] of text.matchAll(parts)) {
    length += 1;
    const stem = stems.get(part) ?? stemOf(part.toLowerCase());
    stems.set(part, stem);
    if (words.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length };
}

/**
 * How well texts match, by BM25: a word counts the more the fewer texts have it. Of many texts that share words with
 * the request only the best are meant, so the others count little.
 */
function weighTexts(
  evidence: Evidence,
  texts: ReadonlyMap<string, CountedWords>,
  words: RequestTerms["words"],
): void {
  const holders = new Map<string, number>();
  let average = 1 / Math.max(1, texts.size);
  for (const { counts, length } of texts.values()) {
    average += length / texts.size;
    for (const stem of counts.keys()) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  }
  const rarity = (held: number): number => Math.log1p((texts.size - held + 0.5) / (held + 0.5));
  const matches = Array.from(texts, ([path, { counts, length }]) => {
    const expected = saturation * (1 - lengthShare + (lengthShare * length) / average);
    const gains = Array.from(counts, ([stem, count]) => {
      const weight = (words.get(stem)?.weight ?? 0) * rarity(holders.get(stem) ?? 0);
      return { stem, gain: (weight * count) / (count + expected) };
    });
    const [most] = gains.toSorted((one, other) => other.gain - one.gain);
    return { path, score: gains.reduce((sum, { gain }) => sum + gain, 0), stem: most?.stem ?? "" };
  });
  const best = matches.reduce((most, { score }) => Math.max(most, score), 0);
  for (const { path, score, stem } of matches) {
    if (score === 0) continue;
    const word = words.get(stem);
    const reason: MapReason =
      word?.weight === 1 ? { kind: "says", what: word.word } : { kind: "near", what: "" };
    evidence.add(path, weights.text * (score / best) ** 2, reason);
  }
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

/** How surely a request means a symbol of this name: written as code 4, as a word of the same case 3, of another case 2, of prose 1; 0: not at all. */
export function surenessOf(name: string, { names, spoken }: RequestTerms): number {
  if (names.some((path) => path.at(-1) === name)) return 4;
  const isProse = spoken.get(name) ?? spoken.get(name.toLowerCase());
  if (isProse === undefined) return 0;
  return isProse ? 1 : spoken.has(name) ? 3 : 2;
}

/** The surest come first, and of one name only those that are as sure as any. */
export function findNamedSymbols(
  files: readonly MappedFile[],
  evidence: Evidence,
  terms: RequestTerms,
): NamedSymbol[] {
  const found = files.flatMap(({ path, symbols }) =>
    symbols
      .filter((symbol) => isMeant(symbol, terms))
      .map(({ name, lines, kind }) => {
        const isField = kind === "property";
        return { path, name, lines, isField, sureness: surenessOf(name, terms) };
      }),
  );
  const chosen = [...Map.groupBy(found, ({ name }) => name.toLowerCase()).values()].flatMap(
    (all) => {
      const best = Math.max(...all.map(({ sureness }) => sureness));
      const surest = all.filter(({ sureness }) => sureness === best);
      // Many types have fields of one name.
      const functions = surest.filter(({ isField }) => !isField);
      const sure = functions.length > 0 ? functions : surest;
      if (best < 4 && new Set(sure.map(({ path }) => path)).size > maxFiles) return [];
      const shareOf = ({ path }: NamedSymbol): number => evidence.shareOf(path);
      return sure
        .toSorted(
          (one, other) => shareOf(other) - shareOf(one) || comparePaths(one.path, other.path),
        )
        .slice(0, maxOfName);
    },
  );
  const best = Math.max(0, ...chosen.map(({ sureness }) => sureness));
  return chosen
    .filter(({ sureness }) => sureness > 1 || best === 1)
    .toSorted((one, other) => other.sureness - one.sureness);
}

/** Whether others may mean a symbol by its name, as nothing local is; `Cart.total` is none of `Order`. */
function isMeant(
  { name, kind, level, container }: MappedFile["symbols"][number],
  terms: RequestTerms,
): boolean {
  if (kind === "constructor" || (kind === "variable" && level > 0)) return false;
  if (surenessOf(name, terms) === 0) return false;
  const paths = terms.names.filter((path) => path.at(-1) === name);
  const around = paths.map((path) => path.at(-2));
  const own = container?.split(".").at(-1);
  return (
    around.length === 0 || own === undefined || around.includes(undefined) || around.includes(own)
  );
}

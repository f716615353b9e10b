// What of the files that were read the request is about: weights for the map, and a reason for each file.
import type { MapFocus, MappedFile } from "../../../code/file-map.ts";
import { type CountedWords, matchTexts, type TextMatch } from "./count-words.ts";
import { type Candidate, sumOf } from "./find-candidates.ts";
import type { MapReason } from "./map-reason.ts";
import type { NamedSymbol } from "./named-symbols.ts";
import { type RequestTerms, splitWords, stemOf } from "./request-terms.ts";

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

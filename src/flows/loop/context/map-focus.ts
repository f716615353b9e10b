// What of the files that were read the request is about: weights for the map, and a reason for each file.
import type { MappedFile } from "../../../code/map/mapped-file.ts";
import type { MapFocus } from "../../../code/map/rank-files.ts";
import type { Steps } from "../../../edit/steps.ts";
import { type Candidate, sumOf } from "./find-candidates.ts";
import type { MapReason } from "./map-reason.ts";
import { type RequestTerms, splitWords, stemOf } from "./request-terms.ts";

export interface ReasonedFocus extends MapFocus {
  /** Of files that are in the focus; the strongest of each. */
  reasons: ReadonlyMap<string, MapReason>;
  /** Named in the request, those of `@path` first. */
  named: readonly string[];
}

/** What a reason counts. */
const weights = { mention: 4, named: 3, defines: 2, refers: 1, holds: 1, path: 1, word: 0.5 };

interface Weighed {
  weight: number;
  reason: MapReason;
}

export function* findFocus(
  files: readonly MappedFile[],
  candidates: ReadonlyMap<string, Candidate>,
  terms: RequestTerms,
): Steps<ReasonedFocus> {
  const named = new Map(terms.names.flatMap(({ path }) => weighPath(path)));
  const words = yield* findWordNames(files, terms.words);
  const focus = {
    files: new Map<string, number>(),
    names: new Map([...words, ...named]),
    reasons: new Map<string, MapReason>(),
  };
  for (const file of files) {
    const found = [
      ...weighCandidate(candidates.get(file.path)),
      ...weighNames(file, named, words),
    ].filter(({ weight }) => weight > 0);
    const best = found.toSorted((one, other) => other.weight - one.weight)[0];
    if (best !== undefined) focus.reasons.set(file.path, best.reason);
    focus.files.set(
      file.path,
      found.reduce((sum, { weight }) => sum + weight, 0),
    );
    yield;
  }
  return { ...focus, named: listNamed(candidates) };
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

function weighNames(
  { symbols, names }: MappedFile,
  named: ReadonlyMap<string, number>,
  words: ReadonlyMap<string, number>,
): Weighed[] {
  const own = new Set(symbols.map(({ name }) => name));
  const defined = Array.from(own, (name): Weighed => {
    const weight = (named.get(name) ?? 0) * weights.defines;
    const byWord = (words.get(name) ?? 0) * weights.word;
    return { weight: weight + byWord, reason: { kind: "defines", name } };
  });
  const referred = names.map((name): Weighed => {
    const weight = own.has(name) ? 0 : (named.get(name) ?? 0) * weights.refers;
    return { weight, reason: { kind: "refers", name } };
  });
  return [...defined, ...referred];
}

/** Names of symbols that a word of the request is part of; the fewer there are the more each counts. */
function* findWordNames(
  files: readonly MappedFile[],
  words: ReadonlyMap<string, string>,
): Steps<Map<string, number>> {
  const byWord = new Map<string, Set<string>>();
  for (const { symbols } of files) {
    for (const { name } of symbols)
      for (const word of splitWords(name.slice(0, 100)).map(stemOf)) {
        if (!words.has(word)) continue;
        const known = byWord.get(word);
        if (known === undefined) byWord.set(word, new Set([name]));
        else known.add(name);
      }
    yield;
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

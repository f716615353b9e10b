// Which files are probably meant, before any of them is read: by their paths, and by what a search finds in them.
import { comparePaths } from "../../../code/map/rank-files.ts";
import { languageOf } from "../../../code/language-of.ts";
import { sortInSteps } from "../../../context/sort-in-steps.ts";
import { isPause, type Steps } from "../../../edit/steps.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import { matchFiles } from "../../place/match-files.ts";
import type { ListedFile } from "./list-files.ts";
import { nameOf, type RequestTerms, splitWords, stemOf, withoutEnding } from "./request-terms.ts";

export interface Candidate extends ListedFile {
  /** `mention`: as `@path`. */
  isNamed: "mention" | "path" | undefined;
  /** Words of the request in its path, and texts of the request in it, with what they say: rare ones more. */
  words: readonly Clue[];
  texts: readonly Clue[];
  score: number;
}

export interface Clue {
  text: string;
  /** From 0 to 1. */
  weight: number;
}

/** Which of the texts a file holds. */
export type TextHits = ReadonlyMap<string, ReadonlySet<string>>;

/** Files by path. */
export type NamedFiles = ReadonlyMap<string, "mention" | "path">;

/** Files that are named; of one name, such as `README.md`, those that are nearest to the root. */
const [maxNamed, maxAlike] = [50, 5];
/** The name of a file says more than its folders. */
const folderShare = 0.4;
const shareOfNeighbours = 0.2;
/** A text on more lines than this is common; more we need not know about it. */
const maxHits = 200;

/** The files that hold the texts of a request, by text. */
export async function searchTexts(
  workspace: Workspace,
  texts: Iterable<string>,
  signal: AbortSignal,
): Promise<TextHits> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const text of texts) {
    const query = {
      query: text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
      isCaseSensitive: true,
      include: [],
      exclude: [],
      maxHits,
    };
    const result = await workspace.search(query, { signal });
    if (result.ok && !result.value.hasMore)
      found.set(text, new Set(result.value.hits.map(({ file }) => file)));
  }
  return found;
}

/** The files that a request names by an end of their paths; of many the nearest to the root. */
export function* findNamed(files: readonly ListedFile[], text: string): Steps<NamedFiles> {
  const probable: string[] = [];
  for (const [nth, { path }] of files.entries()) {
    if (isPause(nth * 10)) yield;
    if (text.includes(nameOf(path))) probable.push(path);
  }
  const nearest = probable.sort(
    (one, other) => one.length - other.length || comparePaths(one, other),
  );
  const named = new Map<string, "mention" | "path">();
  const alike = new Map<string, number>();
  for (let at = 0; at < nearest.length && named.size < maxNamed; at += 5) {
    yield;
    for (const { path, isMentioned } of matchFiles(text, nearest.slice(at, at + 5))) {
      const count = (alike.get(nameOf(path)) ?? 0) + 1;
      alike.set(nameOf(path), count);
      if (count <= maxAlike) named.set(path, isMentioned ? "mention" : "path");
    }
  }
  return named;
}

/** All files, the most probable first; of equal ones those that a grammar reads, then by path. */
export function* rankCandidates(
  files: readonly ListedFile[],
  terms: Pick<RequestTerms, "words" | "texts">,
  named: NamedFiles,
  hits: TextHits,
): Steps<Candidate[]> {
  const words = yield* findWords(files, terms.words);
  const candidates: Candidate[] = [];
  for (const [nth, file] of files.entries()) {
    if (isPause(nth)) yield;
    const isNamed = named.get(file.path);
    const texts = [...hits].flatMap(([text, holding]) =>
      holding.has(file.path)
        ? { text, weight: (terms.texts.get(text) ?? 0) / (1 + Math.log2(holding.size)) }
        : [],
    );
    const clues = { words: words.get(file.path) ?? [], texts };
    const isCode = languageOf(undefined, file.path) !== undefined;
    const score =
      (isNamed === "mention" ? 20 : isNamed === "path" ? 10 : 0) +
      sumOf(texts) * 3 +
      sumOf(clues.words) * 2 +
      (isCode ? 0.1 : 0);
    candidates.push({ ...file, isNamed, ...clues, score });
  }
  return yield* sortInSteps(
    yield* raiseNeighbours(candidates),
    (one, other) => other.score - one.score || comparePaths(one.path, other.path),
  );
}

/** What is beside a file that is meant is often meant, too. */
function* raiseNeighbours(candidates: readonly Candidate[]): Steps<Candidate[]> {
  const best = new Map<string, number>();
  for (const { path, score } of candidates)
    best.set(folderOf(path), Math.max(score, best.get(folderOf(path)) ?? 0));
  yield;
  return candidates.map((candidate) => {
    const beside = best.get(folderOf(candidate.path)) ?? 0;
    return { ...candidate, score: candidate.score + beside * shareOfNeighbours };
  });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

export function sumOf(clues: readonly Clue[]): number {
  return clues.reduce((sum, { weight }) => sum + weight, 0);
}

/** Which words are in which paths; one that is in many of them says little. */
function* findWords(
  files: readonly ListedFile[],
  words: ReadonlyMap<string, string>,
): Steps<Map<string, Clue[]>> {
  const byWord = new Map(Array.from(words.keys(), (stem) => [stem, new Map<string, number>()]));
  for (const [nth, { path }] of files.entries()) {
    if (isPause(nth * 10)) yield;
    const folder = folderOf(path);
    for (const word of splitWords(folder)) byWord.get(stemOf(word))?.set(path, folderShare);
    for (const word of splitWords(withoutEnding(nameOf(path))))
      byWord.get(stemOf(word))?.set(path, 1);
  }
  const found = new Map<string, Clue[]>();
  for (const [stem, holding] of byWord) {
    const weight = 1 / (1 + Math.log2(Math.max(1, holding.size)));
    for (const [path, share] of holding) {
      const clue = { text: words.get(stem) ?? stem, weight: weight * share };
      const known = found.get(path);
      if (known === undefined) found.set(path, [clue]);
      else known.push(clue);
    }
    yield;
  }
  return found;
}

// Which files are probably meant, before any of them is read: by their paths, and by what a search finds in them.
import { comparePaths } from "../../../code/file-map.ts";
import { languageOf, lexicalRulesOf } from "../../../code/language-of.ts";
import type { Workspace, WorkspaceEntry } from "../../../workspace/workspace.ts";
import { matchFiles } from "../../place/find-names.ts";
import {
  type RequestTerms,
  isOfTests,
  nameOf,
  splitWords,
  stemOf,
  stepPairs,
  withoutEnding,
} from "./request-terms.ts";

export interface Candidate extends ListedFile {
  /** `mention`: as `@path`. */
  isNamed: "mention" | "path" | undefined;
  /** Words of the request in its path, and texts of the request in it, with what they say: rare ones more. */
  words: readonly Clue[];
  texts: readonly Clue[];
  score: number;
  /** Up to 1: how much words count here. Less in tests and what is no code, unless the request says so. */
  share: number;
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
const [shareOfTests, shareOfOthers] = [0.6, 0.5];
/** A part of a name says less than a word of the prose. */
const partShare = 0.4;
/** Words that are looked for in texts before any is read; a shorter one is everywhere. */
const [maxSearched, leastSearched] = [10, 4];
/** A text on more lines than this is common; more we need not know about it. */
const maxHits = 200;

/** The files with a line that fits an expression, and whether there are more; undefined where it cannot be searched. */
async function search(
  workspace: Workspace,
  query: string,
  signal: AbortSignal,
  isCaseSensitive = true,
): Promise<{ files: ReadonlySet<string>; hasMore: boolean } | undefined> {
  const asked = { query, isCaseSensitive, include: [], exclude: [], maxHits };
  const result = await workspace.search(asked, { signal });
  if (!result.ok) return undefined;
  const { hits, hasMore } = result.value;
  return { files: new Set(hits.map(({ file }) => file)), hasMore };
}

/** The files that hold the texts of a request, by text. */
export async function searchTexts(
  workspace: Workspace,
  texts: Iterable<string>,
  signal: AbortSignal,
  isCaseSensitive = true,
): Promise<TextHits> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const text of texts) {
    const query = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const result = await search(workspace, query, signal, isCaseSensitive);
    if (result?.hasMore === false) found.set(text, result.files);
  }
  return found;
}

/** The files that hold the first words of a request, by stem: for a repository of which not all is read. */
export function searchWords(
  workspace: Workspace,
  { words, parts }: RequestTerms,
  signal: AbortSignal,
): Promise<TextHits> {
  const long = [...words.keys(), ...parts.keys()].filter((stem) => stem.length >= leastSearched);
  return searchTexts(workspace, long.slice(0, maxSearched), signal, false);
}

/**
 * The files with a line that may define what a request names, in most languages: a name after another word, or at
 * the beginning of a line, and before what opens its parameters, value or body.
 */
export async function searchDefiners(
  workspace: Workspace,
  { names, spoken }: RequestTerms,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const plain = [...spoken].flatMap(([name, isCommon]) => (isCommon ? [] : [name]));
  const wanted = [...names.flatMap(({ path }) => path.at(-1) ?? []), ...plain];
  const words = [...new Set(wanted)].filter((name) => /^\w+$/.test(name)).slice(0, maxSearched);
  if (words.length === 0) return new Set();
  const query = `(?:^\\s*|[\\w>\\])*&]\\s+[*&]*)(?:${words.join("|")})\\s*(?:[(<=:{]|$|extends\\b|implements\\b)`;
  const { files = [] } = (await search(workspace, query, signal)) ?? {};
  return new Set([...files].filter(isCode));
}

/** Whether a file has an outline: a grammar, or its lines and indentation, tell its symbols. */
export function isCode(path: string): boolean {
  return languageOf(undefined, path) !== undefined || lexicalRulesOf(undefined, path) !== undefined;
}

/** The files that a request names by an end of their paths; of many the nearest to the root. */
export function findNamed(files: readonly ListedFile[], text: string): NamedFiles {
  const nearest = files
    .map(({ path }) => path)
    .filter((path) => text.includes(nameOf(path)))
    .sort((one, other) => one.length - other.length || comparePaths(one, other));
  const named = new Map<string, "mention" | "path">();
  const alike = new Map<string, number>();
  for (const { path, isMentioned } of matchFiles(text, nearest)) {
    const count = (alike.get(nameOf(path)) ?? 0) + 1;
    alike.set(nameOf(path), count);
    if (count <= maxAlike && named.size < maxNamed)
      named.set(path, isMentioned ? "mention" : "path");
  }
  return named;
}

/** All files, the most probable first; of equal ones those that have an outline, then by path. */
export function rankCandidates(
  files: readonly ListedFile[],
  terms: RequestTerms,
  named: NamedFiles,
  hits: { texts: TextHits; words: TextHits; definers: ReadonlySet<string> },
): Candidate[] {
  const words = findWords(files, terms);
  const candidates: Candidate[] = [];
  for (const file of files) {
    const { path } = file;
    const isNamed = named.get(path);
    const texts = cluesOf(path, hits.texts, (text) => terms.texts.get(text) ?? 0);
    const clues = { words: words.get(path) ?? [], texts };
    const share = shareOf(path, terms);
    const held = sumOf(cluesOf(path, hits.words, () => 1));
    const score =
      (isNamed === "mention" ? 20 : isNamed === "path" ? 10 : 0) +
      sumOf(texts) * 3 +
      (sumOf(clues.words) + held) * 2 * share +
      (isCode(path) ? 0.1 : 0) +
      (hits.definers.has(path) ? 5 * share : 0);
    candidates.push({ ...file, isNamed, ...clues, score, share });
  }
  return raiseNeighbours(candidates).toSorted(
    (one, other) => other.score - one.score || comparePaths(one.path, other.path),
  );
}

function cluesOf(path: string, hits: TextHits, weightOf: (text: string) => number): Clue[] {
  return [...hits].flatMap(([text, holding]) =>
    holding.has(path) ? { text, weight: weightOf(text) / (1 + Math.log2(holding.size)) } : [],
  );
}

function shareOf(path: string, { asksTests }: RequestTerms): number {
  const isBeside = !asksTests && splitWords(path).some(isOfTests);
  return (isCode(path) ? 1 : shareOfOthers) * (isBeside ? shareOfTests : 1);
}

/** What is beside a file that is meant is often meant, too. */
function raiseNeighbours(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, number>();
  for (const { path, score } of candidates)
    best.set(folderOf(path), Math.max(score, best.get(folderOf(path)) ?? 0));
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

/** Which words, and pairs of steps, are in which paths; one that is in many of them says little. */
function findWords(
  files: readonly ListedFile[],
  { words, parts, steps }: RequestTerms,
): Map<string, Clue[]> {
  const all = new Map([...parts, ...words, ...Array.from(steps, (pair) => [pair, pair] as const)]);
  const holders = new Map(Array.from(all.keys(), (clue) => [clue, new Map<string, number>()]));
  for (const { path } of files) {
    for (const word of splitWords(folderOf(path)))
      holders.get(stemOf(word))?.set(path, folderShare);
    for (const word of splitWords(withoutEnding(nameOf(path))))
      holders.get(stemOf(word))?.set(path, 1);
    if (steps.size > 0) for (const pair of stepPairs(path)) holders.get(pair)?.set(path, 1);
  }
  const found = new Map<string, Clue[]>();
  for (const [clue, holding] of holders) {
    const weight =
      (words.has(clue) || steps.has(clue) ? 1 : partShare) /
      (1 + Math.log2(Math.max(1, holding.size)));
    for (const [path, share] of holding) {
      const weighed = { text: all.get(clue) ?? clue, weight: weight * share };
      const known = found.get(path);
      if (known === undefined) found.set(path, [weighed]);
      else known.push(weighed);
    }
  }
  return found;
}

export interface ListedFile {
  path: string;
  /** In bytes; undefined where the workspace does not say. */
  size: number | undefined;
}

/** Of a larger repository the files that are nearest to its root. */
const [maxFiles, maxFolders] = [10_000, 3_000];
/** What others have written, and what programs write. */
const foreign: ReadonlySet<string> = new Set([".git", "node_modules", "__pycache__", ".venv"]);

/** The files of a workspace, folder by folder from its root. What cannot be listed is left out. */
export async function listFiles(workspace: Workspace, signal: AbortSignal): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  const folders = [""];
  const take = (folder: string, entries: readonly WorkspaceEntry[]): void => {
    const sorted = entries.toSorted((one, other) => comparePaths(one.name, other.name));
    for (const { name, kind, size, inside } of sorted) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "file" && files.length < maxFiles) files.push({ path, size });
      if (kind !== "folder" || foreign.has(name)) continue;
      // What was cut there is listed on its own.
      if (inside?.more === 0) take(path, inside.entries);
      else folders.push(path);
    }
  };
  for (let at = 0; at < folders.length && at < maxFolders; at += 1) {
    if (files.length >= maxFiles) break;
    signal.throwIfAborted();
    const folder = folders[at] ?? "";
    const options = { maxEntries: maxFiles, depth: 1, signal };
    const listed = await workspace.list(folder === "" ? "." : folder, options);
    if (listed.ok) take(folder, listed.value.entries);
  }
  return files;
}

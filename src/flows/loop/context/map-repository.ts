// A map of a repository for one request: which files it is about, and an outline of them.
import type { CodeParser } from "../../../code/code-analysis.ts";
import { comparePaths, outlineFile, printMap, rankFiles } from "../../../code/file-map.ts";
import { estimateTokens } from "../../../turn/tokens.ts";
import { type ListedFile, listFiles } from "../../../workspace/list-files.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import { type RequestTerms, addNamed, readTerms } from "./request-terms.ts";
import {
  type Evidence,
  type MapReason,
  countWords,
  findNamed,
  findNamedSymbols,
  isCode,
  surenessOf,
  weighFiles,
  weighPaths,
} from "./weigh-files.ts";

export interface MapUse {
  code: CodeParser;
  signal: AbortSignal;
  /** What the map may cost, in estimated tokens; at most 8,000. */
  maxTokens?: number;
}

export type RepositoryMap = ReturnType<typeof drawMap>;

/** As we estimate them. A tokenizer counts up to 4 % more, and the map fits 2,000. */
export const maxMapTokens = 1_900;
/** Files that are read, and files that the map may show at all. */
const [maxRead, maxShown] = [200, 1_000];
/** Characters that are read of all files together; bytes of one file. */
const [maxText, maxSize] = [6_000_000, 600_000];
/** A parser takes no more than some texts at once, and others ask it, too. */
const readAtOnce = 4;

/**
 * Maps a workspace for a request. Of many files the most probable are read: those that the request names, that
 * hold what it names, and whose paths share words with it. The same for any order in which files are listed.
 *
 * @throws the signal's reason
 */
export async function mapRepository(
  workspace: Workspace,
  request: string,
  { code, signal, maxTokens = maxMapTokens }: MapUse,
): Promise<RepositoryMap> {
  const asked = readTerms(request);
  const listed = await listFiles(workspace, signal);
  const paths = listed.map(({ path }) => path);
  const named = findNamed(paths, asked.text);
  const terms = addNamed(asked, named.keys());
  const texts = await searchTexts({ workspace, signal }, terms.texts.keys());
  const evidence = weighPaths(paths, terms, named, texts);
  const probable = await rankProbable(listed, evidence, terms, { workspace, signal });
  const read = await readFiles(probable, terms, { workspace, code, signal });
  return drawMap(probable, read, evidence, terms, maxTokens);
}

/** Where not all is read: what a text has that holds a word of the request, or may define what it names. */
const [weightOfWord, weightOfDefiner] = [1, 2.5];
/** Of the best file in a folder, what those beside it have: they are often meant, too. */
const shareOfNeighbours = 0.2;

/** The files that may be shown, the most probable first; of equal ones those that have an outline, then by path. */
async function rankProbable(
  listed: readonly ListedFile[],
  evidence: Evidence,
  terms: RequestTerms,
  reader: Pick<Reader, "workspace" | "signal">,
): Promise<ListedFile[]> {
  const found: [Iterable<string>, weight: number][] = [];
  if (listed.filter(({ path }) => isCode(path)).length > maxRead) {
    const long = [...terms.words.keys()].filter((stem) => stem.length >= leastSearched);
    const words = await searchTexts(reader, long.slice(0, maxSearched), false);
    for (const holding of words.values())
      found.push([holding, weightOfWord / (1 + Math.log2(Math.max(1, holding.size)))]);
    const definers = definersOf(terms);
    if (definers !== "") {
      const { files } = await search(reader, definers);
      found.push([[...files].filter(isCode), weightOfDefiner]);
    }
  }
  const scores = new Map<string, number>();
  for (const { path } of listed)
    scores.set(path, evidence.scoreOf(path) + (isCode(path) ? 0.05 : 0));
  for (const [holding, weight] of found)
    for (const path of holding)
      scores.set(path, (scores.get(path) ?? 0) + weight * evidence.shareOf(path));
  const best = new Map<string, number>();
  for (const [path, score] of scores)
    best.set(folderOf(path), Math.max(score, best.get(folderOf(path)) ?? 0));
  const all = listed.map((file) => {
    const beside = (best.get(folderOf(file.path)) ?? 0) * shareOfNeighbours;
    return { file, score: (scores.get(file.path) ?? 0) + beside };
  });
  return all
    .sort((one, other) => other.score - one.score || comparePaths(one.file.path, other.file.path))
    .slice(0, maxShown)
    .map(({ file }) => file);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

interface Reader extends Omit<MapUse, "maxTokens"> {
  workspace: Workspace;
}

type ReadFile = NonNullable<Awaited<ReturnType<typeof readFile>>>;

/** What the most probable files define and use, by path. */
async function readFiles(
  probable: readonly ListedFile[],
  terms: RequestTerms,
  reader: Reader,
): Promise<Map<string, ReadFile>> {
  const code = probable
    .filter(({ path, size = 0 }) => isCode(path) && size <= maxSize)
    .slice(0, maxRead);
  const read = new Map<string, ReadFile>();
  let left = maxText;
  for (let at = 0; at < code.length && left > 0; at += readAtOnce) {
    const some = code.slice(at, at + readAtOnce);
    for (const file of await Promise.all(some.map(({ path }) => readFile(path, terms, reader)))) {
      if (file === undefined) continue;
      left -= file.length;
      read.set(file.outline.path, file);
    }
  }
  return read;
}

/** Undefined for a file that may not be read, or is not text. */
async function readFile(path: string, terms: RequestTerms, { workspace, code, signal }: Reader) {
  const file = await workspace.read(path, { signal });
  if (!file.ok) return undefined;
  const { text } = file.value;
  const analysis = await code.analyze(text, undefined, path, { signal });
  // Symbols that the request names are looked for in all of a file.
  const outline = outlineFile(path, analysis, (name) => surenessOf(name, terms) > 0);
  return { outline, words: countWords(text, terms), length: text.length };
}

/**
 * @returns `text`: paths, each with its main symbols below it, "" without files; `files`: those that it shows, the most
 * important first; `definitions` of what the request names, the surest first
 */
function drawMap(
  probable: readonly ListedFile[],
  read: ReadonlyMap<string, ReadFile>,
  evidence: Evidence,
  terms: RequestTerms,
  maxTokens: number,
) {
  const files = probable
    .map(({ path }) => read.get(path)?.outline ?? { path, symbols: [], names: [] })
    .sort((one, other) => comparePaths(one.path, other.path));
  const texts = new Map(Array.from(read, ([path, { words }]) => [path, words]));
  const definitions = findNamedSymbols(files, evidence, terms);
  const ranked = rankFiles(files, weighFiles(evidence, files, texts, terms, definitions));
  const { text, paths } = printMap(ranked, {
    maxTokens,
    countTokens: estimateTokens,
    first: [...evidence.named, ...definitions.map(({ path }) => path)],
  });
  const near: MapReason = { kind: "near", what: "" };
  const shown = paths.map((path) => ({ path, why: evidence.reasons.get(path) ?? near }));
  return { text, files: shown, definitions };
}

// The files of a workspace, and which of them hold what a request says.

/** Words that are looked for in texts before any is read; a shorter one is everywhere. */
const [maxSearched, leastSearched] = [10, 4];
/** A text on more lines than this is common; more we need not know about it. */
const maxHits = 200;

/** The files with a line that fits an expression, and whether there are more; none where it cannot be searched. */
async function search(
  { workspace, signal }: Pick<Reader, "workspace" | "signal">,
  query: string,
  isCaseSensitive = true,
): Promise<{ files: ReadonlySet<string>; hasMore: boolean }> {
  const asked = { query, isCaseSensitive, include: [], exclude: [], maxHits };
  const result = await workspace.search(asked, { signal });
  const { hits, hasMore } = result.ok ? result.value : { hits: [], hasMore: false };
  return { files: new Set(hits.map(({ file }) => file)), hasMore };
}

/** The files that hold the texts, by text; of none that is common. */
async function searchTexts(
  reader: Pick<Reader, "workspace" | "signal">,
  texts: Iterable<string>,
  isCaseSensitive?: boolean,
): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const text of texts) {
    const query = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const { files, hasMore } = await search(reader, query, isCaseSensitive);
    if (!hasMore) found.set(text, files);
  }
  return found;
}

/**
 * An expression of lines that may define what a request names, in most languages: a name after another word, or at
 * the beginning of a line, and before what opens its parameters, value or body.
 */
function definersOf({ names, spoken }: RequestTerms): string {
  const plain = [...spoken].flatMap(([name, isCommon]) => (isCommon ? [] : [name]));
  const wanted = [...names.flatMap((path) => path.at(-1) ?? []), ...plain];
  const words = [...new Set(wanted)].filter((name) => /^\w+$/.test(name)).slice(0, maxSearched);
  if (words.length === 0) return "";
  return `(?:^\\s*|[\\w>\\])*&]\\s+[*&]*)(?:${words.join("|")})\\s*(?:[(<=:{]|$|extends\\b|implements\\b)`;
}

// A map of a repository for one request: which files it is about, and an outline of them.
import type { CodeParser } from "../../../code/code-analysis.ts";
import {
  type MappedFile,
  comparePaths,
  outlineFile,
  printMap,
  rankFiles,
} from "../../../code/file-map.ts";
import { estimateTokens } from "../../../turn/tokens.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import {
  type CountedWords,
  type MapReason,
  type NamedSymbol,
  countWords,
  findFocus,
  findNamedSymbols,
  listStems,
  surenessOf,
} from "./map-focus.ts";
import {
  type Candidate,
  type ListedFile,
  findNamed,
  isCode,
  listFiles,
  rankCandidates,
  searchDefiners,
  searchTexts,
  searchWords,
} from "./find-candidates.ts";
import { type RequestTerms, addNamed, readTerms } from "./request-terms.ts";

export interface MapUse {
  code: CodeParser;
  signal: AbortSignal;
  /** What the map may cost, in estimated tokens; at most 8,000. */
  maxTokens?: number;
}

export interface RepositoryMap {
  /** Paths, each with its main symbols below it; "" without files. */
  text: string;
  /** The files that it shows, the most important first. */
  files: { path: string; why: MapReason }[];
  /** Definitions of what the request names, the surest first. */
  definitions?: NamedSymbol[];
}

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
  const named = findNamed(listed, asked.text);
  const terms = addNamed(asked, named.keys());
  const isLarge = hasMoreCode(listed, maxRead);
  const hits = {
    texts: await searchTexts(workspace, terms.texts.keys(), signal),
    words: isLarge ? await searchWords(workspace, terms, signal) : new Map(),
    definers: isLarge ? await searchDefiners(workspace, terms, signal) : new Set<string>(),
  };
  const ranking = rankCandidates(listed, terms, named, hits);
  const candidates = ranking.slice(0, maxShown);
  const stems = new Set(listStems(terms).keys());
  const isWanted = (name: string): boolean => surenessOf(name, terms) > 0;
  const reader = { workspace, code, signal, stems, isWanted };
  const read = await readFiles(candidates, reader);
  return drawMap(candidates, read, terms, maxTokens);
}

function hasMoreCode(files: readonly ListedFile[], most: number): boolean {
  let count = 0;
  for (const { path } of files) {
    if (isCode(path) && (count += 1) > most) return true;
  }
  return false;
}

interface Reader extends Omit<MapUse, "maxTokens"> {
  workspace: Workspace;
  stems: ReadonlySet<string>;
  /** Symbols of these names are looked for in all of a file. */
  isWanted: (name: string) => boolean;
}

interface ReadFile {
  outline: MappedFile;
  words: CountedWords;
  /** In characters. */
  length: number;
}

/** What the most probable files define and use. */
async function readFiles(
  candidates: readonly Candidate[],
  reader: Reader,
): Promise<Map<string, ReadFile>> {
  const code = candidates
    .filter(({ path, size = 0 }) => isCode(path) && size <= maxSize)
    .slice(0, maxRead);
  const read = new Map<string, ReadFile>();
  let left = maxText;
  for (let at = 0; at < code.length && left > 0; at += readAtOnce) {
    const some = code.slice(at, at + readAtOnce);
    for (const file of await Promise.all(some.map(({ path }) => readFile(path, reader)))) {
      if (file === undefined) continue;
      left -= file.length;
      read.set(file.outline.path, file);
    }
  }
  return read;
}

/** Undefined for a file that may not be read, or is not text. */
async function readFile(
  path: string,
  { workspace, code, signal, stems, isWanted }: Reader,
): Promise<ReadFile | undefined> {
  const file = await workspace.read(path, { signal });
  if (!file.ok) return undefined;
  const { text } = file.value;
  const analysis = await code.analyze(text, undefined, path, { signal });
  const outline = outlineFile(path, analysis, isWanted);
  const words = countWords(text, stems);
  return { outline, words, length: text.length };
}

function drawMap(
  candidates: readonly Candidate[],
  read: ReadonlyMap<string, ReadFile>,
  terms: RequestTerms,
  maxTokens: number,
): RepositoryMap {
  const byPath = new Map(candidates.map((candidate) => [candidate.path, candidate]));
  const files = Array.from(
    byPath.keys(),
    (path) => read.get(path)?.outline ?? { path, symbols: [], names: [] },
  ).sort((one, other) => comparePaths(one.path, other.path));
  const counted = new Map(Array.from(read, ([path, { words }]) => [path, words]));
  const definitions = findNamedSymbols(files, byPath, terms);
  const focus = findFocus(files, byPath, counted, terms, definitions);
  const ranked = rankFiles(files, focus);
  const { text, paths } = printMap(ranked, {
    maxTokens,
    countTokens: estimateTokens,
    first: [...focus.named, ...definitions.map(({ path }) => path)],
  });
  return {
    text,
    files: paths.map((path) => ({ path, why: focus.reasons.get(path) ?? { kind: "near" } })),
    ...(definitions.length === 0 ? {} : { definitions }),
  };
}

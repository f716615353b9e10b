import { breathe } from "../../base/wire/patient-timer.ts";
import type { Message } from "../../base/errors/app-error.ts";
import { refuse, succeed } from "../problems.ts";
import type { SearchHit, SearchQuery, SearchResult, WorkspaceResult } from "../workspace.ts";
import { type PathTest, createGlobTest, expandBraces } from "./match-glob.ts";
import { cutText } from "../../base/text/lines.ts";

/** Of a pattern, in UTF-16 code units. */
const maxPattern = 1_000;
/** Hits of one search, whatever is asked for. */
const maxSearchHits = 1_000;
/** Of all glob patterns together, with braces written out, in UTF-16 code units: each path is compared with all. */
const maxGlobText = 4_000;
/** What is looked at of one line, in UTF-16 code units: an expression takes long for a long line. */
export const maxSearchedLine = 2_000;
/** Files that are named as too large. */
const maxTooLarge = 20;

type LineTest = (line: string) => boolean;

/**
 * Compiles an expression in the syntax of RE2, which takes linear time whatever the pattern.
 *
 * @returns undefined if it is not an expression, "too-complex" if it takes too long for each character
 */
export type CompilePattern = (
  pattern: string,
  isCaseSensitive: boolean,
) => LineTest | "too-complex" | undefined;

/** A search that can begin. */
export interface PreparedSearch {
  pattern: string;
  isCaseSensitive: boolean;
  /** The pattern is looked for as it is. */
  isPlain: boolean;
  /** Set where the text itself can be looked through for the pattern: no wildcards, exact letter case. */
  literal: string | undefined;
  /** Of a line without its end. */
  fits: LineTest;
  /** Whether the glob patterns let a file through. */
  wants: PathTest;
  /** Of the glob patterns, those that let files through. */
  include: readonly string[];
  maxHits: number;
}

/** @param compile undefined without an engine: then every pattern is plain text */
export function prepareSearch(
  { query, isCaseSensitive, include, exclude, maxHits }: SearchQuery,
  compile: CompilePattern | undefined,
): WorkspaceResult<PreparedSearch> {
  if (query === "" || query.length > maxPattern || /[\r\n\0]/.test(query))
    return refuse("bad-pattern", badPattern);
  const isText = !/[\\^$.|?*+()[\]{}]/.test(query);
  const compiled = isText ? undefined : compile?.(query, isCaseSensitive);
  if (compiled === "too-complex") return refuse("bad-pattern", complexPattern);
  const [included, excluded] = [include.filter(isWritten), exclude.filter(isWritten)];
  if (lengthOfGlobs([...included, ...excluded]) > maxGlobText)
    return refuse("bad-pattern", longGlobs);
  const [isIncluded, isExcluded] = [createGlobTest(included), createGlobTest(excluded)];
  return succeed({
    pattern: query,
    isCaseSensitive,
    isPlain: compiled === undefined && !isText,
    literal: compiled === undefined && isCaseSensitive ? query : undefined,
    fits: compiled ?? plainTest(query, isCaseSensitive),
    wants: (path) => (included.length === 0 || isIncluded(path)) && !isExcluded(path),
    include: included,
    maxHits: Math.min(Math.max(maxHits, 1), maxSearchHits),
  });
}

/** The text of a file, of which the first line may be a later one of the file. */
interface SearchedText {
  text: string;
  startLine?: number;
}

export interface SearchParts {
  signal: AbortSignal;
  /** Whether the time, or what else is limited, is over. */
  isOver: () => boolean;
  /** @returns undefined for what is not searched */
  read: (path: string) => Promise<SearchedText | "too-large" | undefined>;
  /** Whether a file that is too large is worth naming. */
  hasHit?: (path: string) => Promise<boolean>;
}

/** Files that are read at once, and those whose names are looked at before others get their turn. */
const [filesAtOnce, filesOfTurn] = [16, 200];

/** Searches files in the order in which they come, some at a time, and ends with enough hits. */
export async function searchPaths(
  search: PreparedSearch,
  paths: AsyncIterable<string>,
  { signal, isOver, read, hasHit }: SearchParts,
): Promise<SearchResult> {
  const most = search.maxHits + 1;
  const hits: SearchHit[] = [];
  const tooLarge: string[] = [];
  let isCut = false;
  for await (const group of inGroups(paths, search.wants)) {
    signal.throwIfAborted();
    const texts = await Promise.all(group.map(read));
    for (const [nth, path] of group.entries()) {
      const text = texts[nth];
      if (text === undefined || hits.length >= most) continue;
      if (text === "too-large") {
        if ((await hasHit?.(path)) !== false) tooLarge.push(path);
        continue;
      }
      const found = findHits(path, text.text, search, most - hits.length);
      const above = (text.startLine ?? 1) - 1;
      for (const hit of found) hits.push({ ...hit, line: hit.line + above });
    }
    isCut = hits.length < most && isOver();
    if (hits.length >= most || isCut) break;
  }
  return {
    hits: hits.slice(0, search.maxHits),
    hasMore: hits.length > search.maxHits,
    isCut,
    isPlain: search.isPlain,
    ...(tooLarge.length === 0 ? {} : { tooLarge: tooLarge.slice(0, maxTooLarge) }),
  };
}

/** A group may be empty: so the time is looked at where few files are wanted, too. */
async function* inGroups(
  paths: AsyncIterable<string>,
  wants: PathTest,
): AsyncGenerator<string[], void, void> {
  let group: string[] = [];
  let seen = 0;
  for await (const path of paths) {
    seen += 1;
    if (wants(path)) group.push(path);
    // Where no file is wanted, nothing else would let the event loop turn.
    if (seen % filesOfTurn === 0) await breathe();
    if (group.length < filesAtOnce && seen % filesOfTurn !== 0) continue;
    yield group;
    group = [];
  }
  yield group;
}

function isWritten(glob: string): boolean {
  return glob.trim() !== "";
}

function lengthOfGlobs(globs: readonly string[]): number {
  const length = globs.reduce((sum, glob) => sum + glob.length, 0);
  if (length > maxGlobText) return length;
  return globs.flatMap(expandBraces).reduce((sum, glob) => sum + glob.length, 0);
}

function plainTest(query: string, isCaseSensitive: boolean): LineTest {
  if (isCaseSensitive) return (line) => line.includes(query);
  const wanted = foldCase(query);
  return (line) => foldCase(line).includes(wanted);
}

/** As expressions do, a letter for a letter: "İ" is no "i" with a dot above, and "ς" is a "σ" wherever it stands. */
function foldCase(text: string): string {
  if (/^[\x20-\x7f]*$/.test(text)) return text.toLowerCase();
  const parts = text.split("İ").map((part) => part.toLowerCase());
  return parts.join("İ").replaceAll("ς", "σ");
}

const badPattern: Message = {
  en: `The pattern must be one line of 1 to ${maxPattern} characters: each line is searched alone.`,
  zh: `搜索模式必须是一行，长度为 1 到 ${maxPattern} 个字符：搜索按行进行。`,
};

const complexPattern: Message = {
  en: "The pattern repeats too much, such as x{1000} inside of another repetition. Use a simpler one.",
  zh: "搜索模式的重复次数过多，例如在重复中嵌套 x{1000}。请使用更简单的模式。",
};

const longGlobs: Message = {
  en: `The patterns for files are too long: at most ${maxGlobText} characters together, with {a,b} written out.`,
  zh: `文件匹配模式过长：展开 {a,b} 后合计最多 ${maxGlobText} 个字符。`,
};

/** Of a line that is shown, in UTF-16 code units. */
const maxShownLine = 400;

type TextSearch = Pick<PreparedSearch, "fits" | "literal">;

/** The hits in the text of a file, in order, at most so many. */
export function findHits(
  file: string,
  text: string,
  { fits, literal }: TextSearch,
  most: number,
): SearchHit[] {
  const hits: SearchHit[] = [];
  if (literal !== undefined && !text.includes(literal)) return hits;
  let line = 0;
  for (let start = 0; start < text.length && hits.length < most; line += 1) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    const content = text.slice(start, Math.min(end, start + maxSearchedLine));
    const trimmed = content.endsWith("\r") ? content.slice(0, -1) : content;
    if (fits(trimmed)) hits.push({ file, line: line + 1, content: cutText(trimmed, maxShownLine) });
    start = end + 1;
  }
  return hits;
}

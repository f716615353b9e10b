// Prints ranked files as an outline that fits so many tokens.
import { foldSpaces } from "../../base/text/lines.ts";
import type { MappedFile } from "./mapped-file.ts";
import type { RankedFile } from "./rank-files.ts";

export interface MapOptions {
  /** At most 8,000: up to there an estimate of tokens looks at the whole text. */
  readonly maxTokens: number;
  /** What a text costs; of two texts together no more than of each. */
  readonly countTokens: (text: string) => number;
  /** Files that come before all others, as long as there is room; what the request names. */
  readonly first: readonly string[];
}

export interface PrintedMap {
  /** `path:`, and below it ` 12: signature` for each symbol that is shown. */
  text: string;
  /** The files that are shown, the highest rank first. */
  paths: string[];
}

/** So many files show symbols, and of each so many, the best: more never fit. */
const [maxOutlined, maxSymbols] = [100, 40];
/** How much the best symbol of a file counts beside the file itself: paths cost less than signatures. */
const shareOfSymbols = 0.3;

interface Entry {
  /** Place in the list of ranked files. */
  file: number;
  /** Place among the file's symbols; -1 is the file itself. */
  symbol: number;
  score: number;
}

/** Takes files and symbols by their ranks, until nothing more fits. */
export function printMap(
  ranked: readonly RankedFile[],
  { maxTokens, countTokens, first }: MapOptions,
): PrintedMap {
  const shown = new Map<number, number[]>();
  let left = Math.min(maxTokens, 8_000);
  for (const { file, symbol } of listEntries(ranked, first)) {
    if (left < 1) break;
    const of = ranked[file];
    if (of === undefined || (symbol !== -1 && !shown.has(file))) continue;
    const cost = countTokens(`${printEntry(of.file, symbol)}\n`);
    if (cost > left) continue;
    left -= cost;
    if (symbol === -1) shown.set(file, []);
    else shown.get(file)?.push(symbol);
  }
  const files = [...shown].toSorted(([one], [other]) => one - other);
  const blocks = files.map(([file, symbols]) => {
    const lines = [-1, ...symbols.toSorted((one, other) => one - other)];
    const of = ranked[file];
    return of === undefined ? [] : lines.map((symbol) => `${printEntry(of.file, symbol)}\n`);
  });
  return {
    text: blocks.flat().join(""),
    paths: files.flatMap(([file]) => ranked[file]?.file.path ?? []),
  };
}

function listEntries(ranked: readonly RankedFile[], first: readonly string[]): Entry[] {
  const before = new Set(first);
  const entries: Entry[] = [];
  for (const [at, { file, rank, shares }] of ranked.entries()) {
    const isFirst = before.has(file.path);
    entries.push({ file: at, symbol: -1, score: isFirst ? 1 + rank : rank });
    if (at >= maxOutlined) continue;
    const best = shares
      .map((share, symbol) => ({ file: at, symbol, score: rank * share * shareOfSymbols }))
      .sort((one, other) => other.score - one.score);
    entries.push(...best.slice(0, maxSymbols));
  }
  // Equal ones stay in the order of files and symbols.
  return entries.sort((one, other) => other.score - one.score);
}

function printEntry({ path, symbols }: MappedFile, at: number): string {
  const symbol = symbols[at];
  if (symbol === undefined) return `${foldSpaces(path)}:`;
  const { line, level, signature } = symbol;
  return `${" ".repeat(Math.min(level, 4) * 2 + 1)}${line}: ${signature}`;
}

// An outline of the files that a request is about: they are ranked as pages of the web are, seen from the request.
import type { LineRange } from "../edit/edit-unit.ts";
import type { CodeAnalysis, CodeSymbol, SymbolKind } from "./code-analysis.ts";
import { shorten } from "./source-text.ts";
import { isOpenToOthers, linesOfDeclaration, walkSymbols } from "./symbols.ts";
import { foldSpaces } from "../base/text/lines.ts";

/** What a request is about. */
export interface MapFocus {
  /** Weights by path: what the request names counts most. */
  readonly files: ReadonlyMap<string, number>;
  /** Names of code, with a weight from 0 to 1. */
  readonly names: ReadonlyMap<string, number>;
}

export interface RankedFile {
  readonly file: MappedFile;
  /** Of all files together 1. */
  readonly rank: number;
  /** From 0 to 1 for each symbol of the file, 1 for what is looked for most. */
  readonly shares: readonly number[];
}

/** How much of a file's rank goes on to those that it refers to, and those that refer to it. */
const damping = 0.35;
/** After these nothing moves that would change an order. */
const rounds = 30;
/** What all files share, of whatever the request says. */
const spread = 0.1;

/**
 * The files, the highest rank first. The order in which they are given does not matter: sums of fractions
 * depend on it, so they are made in the order of the paths.
 *
 * @param files at most a few thousand
 */
export function rankFiles(files: readonly MappedFile[], focus: MapFocus): RankedFile[] {
  const sorted = files.toSorted((one, other) => comparePaths(one.path, other.path));
  const graph = buildGraph(sorted, focus.names);
  const ranks = spreadRanks(graph, startOf(sorted, focus));
  const ranked = sorted.map((file, nth): RankedFile => {
    return { file, rank: ranks[nth] ?? 0, shares: shareRank(file.symbols, graph, focus) };
  });
  // Sorting keeps the order of what is equal.
  return ranked.sort((one, other) => other.rank - one.rank);
}

/** By code units, which is the same everywhere. */
export function comparePaths(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Where a reader begins who follows the request; 1 together. */
function startOf(files: readonly MappedFile[], focus: MapFocus): number[] {
  const wanted = files.map(({ path }) => Math.max(0, focus.files.get(path) ?? 0));
  const sum = wanted.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return files.map(() => 1 / files.length);
  return wanted.map((weight) => (1 - spread) * (weight / sum) + spread / files.length);
}

function spreadRanks({ edges }: ReferenceGraph, start: readonly number[]): number[] {
  let ranks = [...start];
  for (let round = 0; round < rounds; round += 1) {
    const next = start.map((weight) => weight * (1 - damping));
    for (const [from, rank] of ranks.entries()) {
      const targets = edges[from] ?? [];
      for (const { to, weight } of targets) {
        next[to] = (next[to] ?? 0) + damping * rank * weight;
      }
      // What refers to nothing keeps its rank.
      if (targets.length === 0) next[from] = (next[from] ?? 0) + damping * rank;
    }
    ranks = next;
  }
  return ranks;
}

function shareRank(
  symbols: readonly MappedSymbol[],
  { references }: ReferenceGraph,
  { names }: MapFocus,
): number[] {
  const weights = symbols.map(
    ({ name, kind, level }) =>
      10 * (names.get(name) ?? 0) +
      (kind === "property" ? 0.1 : 1 / (1 + level)) * (1 + Math.log1p(references.get(name) ?? 0)),
  );
  const most = weights.reduce((left, right) => Math.max(left, right), 0);
  return weights.map((weight) => weight / most);
}

// Which file refers to which: an edge for each name that one uses and another defines.

/** A name that so many files define says little about which of them is meant. */
const maxDefiners = 8;
/** How much it says of a caller that it calls a file: what changes there often changes here. */
const backward = 0.5;
/** How much a name counts that the request has. */
const wanted = 10;

/** Files are meant by their places in the list. */
interface ReferenceGraph {
  /** For each file those that its rank goes to; the weights of one file are 1 together. */
  readonly edges: readonly (readonly Edge[])[];
  /** For each name that is defined somewhere: how many more files have it than define it. */
  readonly references: ReadonlyMap<string, number>;
}

interface Edge {
  readonly to: number;
  readonly weight: number;
}

/** @param names what the request is about, with a weight from 0 to 1 */
function buildGraph(
  files: readonly MappedFile[],
  names: ReadonlyMap<string, number>,
): ReferenceGraph {
  const definers = indexNames(files, ({ symbols }) => symbols.filter(isReachable));
  const users = indexNames(files, (file) => file.names.map((name) => ({ name })));
  const weights = files.map(() => new Map<number, number>());
  const references = new Map<string, number>();
  for (const [name, defining] of definers) {
    const callers = users.get(name) ?? [];
    references.set(name, Math.max(0, callers.length - defining.length));
    if (defining.length > maxDefiners) continue;
    const weight = (weightOf(name) * (1 + wanted * (names.get(name) ?? 0))) / defining.length;
    for (const from of callers) {
      if (defining.includes(from)) continue;
      for (const to of defining) {
        addWeight(weights[from], to, weight);
        addWeight(weights[to], from, weight * backward);
      }
    }
  }
  const edges = weights.map((all) => {
    const sum = Array.from(all.values()).reduce((total, weight) => total + weight, 0);
    return Array.from(all, ([to, weight]) => ({ to, weight: weight / sum }));
  });
  return { edges, references };
}

/** A field is mostly used by what is around it, and fields of other types have the same names. */
function isReachable({ kind, level }: MappedSymbol): boolean {
  return kind !== "property" && kind !== "constructor" && !(kind === "variable" && level > 0);
}

/** Short names and those of one's own are used for many things. */
function weightOf(name: string): number {
  return name.length < 3 || name.startsWith("_") || name === "main" ? 0.1 : 1;
}

/** The files that have a name, in their order. */
function indexNames(
  files: readonly MappedFile[],
  list: (file: MappedFile) => readonly { name: string }[],
): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [nth, file] of files.entries()) {
    for (const { name } of list(file)) {
      const known = index.get(name);
      if (known === undefined) index.set(name, [nth]);
      else if (known.at(-1) !== nth) known.push(nth);
    }
  }
  return index;
}

function addWeight(weights: Map<number, number> | undefined, to: number, weight: number): void {
  weights?.set(to, (weights.get(to) ?? 0) + weight);
}

// What the map keeps of a file: little, so that hundreds can be held at once.

export interface MappedFile {
  /** Unique among the files of a map. */
  readonly path: string;
  /** Without those that are local to functions; in the order of the text. */
  readonly symbols: readonly MappedSymbol[];
  /** Distinct identifiers that the file uses. */
  readonly names: readonly string[];
}

export interface MappedSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** 1-based: where its name is. */
  readonly line: number;
  /** How many symbols are around it. */
  readonly level: number;
  /** All of it, with its comment. */
  readonly lines: LineRange;
  /** The names around it, as in `CodeSymbol`. */
  readonly container?: string;
  /** Its head on one line. */
  readonly signature: string;
}

/** Of a longer file the first. */
const [maxSymbols, maxNames] = [500, 2_000];
const wholeFile = { startLine: 1, startColumn: 1, endLine: Number.MAX_SAFE_INTEGER, endColumn: 1 };

/**
 * Takes off an analysis what the map needs of it.
 *
 * @param isWanted symbols of these names are kept wherever they are
 */
export function outlineFile(
  path: string,
  analysis: CodeAnalysis,
  isWanted: (name: string) => boolean = () => false,
): MappedFile {
  const symbols: MappedSymbol[] = [];
  for (const { symbol, level } of walkSymbols(analysis.symbols, isOpenToOthers))
    if (symbols.length < (isWanted(symbol.name) ? 2 * maxSymbols : maxSymbols))
      symbols.push(mapSymbol(symbol, level));
  return { path, symbols, names: analysis.identifiersIn(wholeFile).slice(0, maxNames) };
}

function mapSymbol(symbol: CodeSymbol, level: number): MappedSymbol {
  const { name, kind, nameRange, container, signature } = symbol;
  const lines = linesOfDeclaration(symbol);
  const around = container === undefined ? {} : { container };
  const line = nameRange.startLine;
  return { name, kind, line, level, lines, ...around, signature: shorten(signature) };
}

// Prints ranked files as an outline that fits so many tokens.

interface MapOptions {
  /** At most 8,000: up to there an estimate of tokens looks at the whole text. */
  readonly maxTokens: number;
  /** What a text costs; of two texts together no more than of each. */
  readonly countTokens: (text: string) => number;
  /** Files that come before all others, as long as there is room; what the request names. */
  readonly first: readonly string[];
}

interface PrintedMap {
  /** `path:`, and below it ` 12: signature` for each symbol that is shown. */
  text: string;
  /** The files that are shown, the highest rank first. */
  paths: string[];
}

/** So many files show symbols, and of each so many, the best: more never fit. */
const [maxOutlined, maxShown] = [100, 40];
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
    entries.push(...best.slice(0, maxShown));
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

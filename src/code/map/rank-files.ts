// Ranks files as pages of the web are ranked, seen from what a request is about.
import type { MappedFile, MappedSymbol } from "./mapped-file.ts";

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
  const ranked: RankedFile[] = [];
  for (const [nth, file] of sorted.entries()) {
    ranked.push({ file, rank: ranks[nth] ?? 0, shares: shareRank(file.symbols, graph, focus) });
  }
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
  return { edges: shareOut(weights), references };
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

function shareOut(weights: readonly ReadonlyMap<number, number>[]): Edge[][] {
  const edges: Edge[][] = [];
  for (const all of weights) {
    const sum = Array.from(all.values()).reduce((total, weight) => total + weight, 0);
    edges.push(Array.from(all, ([to, weight]) => ({ to, weight: weight / sum })));
  }
  return edges;
}

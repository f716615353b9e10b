// Ranks files as pages of the web are ranked, seen from what a request is about.
import type { Steps } from "../../edit/steps.ts";
import type { MappedFile, MappedSymbol } from "./mapped-file.ts";
import { buildGraph, type ReferenceGraph } from "./reference-graph.ts";

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
/** Edges that are followed between two pauses. */
const edgesOfStep = 10_000;

/**
 * The files, the highest rank first. The order in which they are given does not matter: sums of fractions
 * depend on it, so they are made in the order of the paths.
 *
 * @param files at most a few thousand
 */
export function* rankFiles(files: readonly MappedFile[], focus: MapFocus): Steps<RankedFile[]> {
  const sorted = files.toSorted((one, other) => comparePaths(one.path, other.path));
  const graph = yield* buildGraph(sorted, focus.names);
  const ranks = yield* spreadRanks(graph, startOf(sorted, focus));
  const ranked: RankedFile[] = [];
  for (const [nth, file] of sorted.entries()) {
    if (nth % 20 === 0) yield;
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

function* spreadRanks({ edges }: ReferenceGraph, start: readonly number[]): Steps<number[]> {
  let ranks = [...start];
  let count = 0;
  for (let round = 0; round < rounds; round += 1) {
    yield;
    const next = start.map((weight) => weight * (1 - damping));
    for (const [from, rank] of ranks.entries()) {
      const targets = edges[from] ?? [];
      for (const { to, weight } of targets) {
        if ((count += 1) % edgesOfStep === 0) yield;
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

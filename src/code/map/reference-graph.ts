// Which file refers to which: an edge for each name that one uses and another defines.
import { isPause, type Steps } from "../../edit/steps.ts";
import type { MappedFile, MappedSymbol } from "./mapped-file.ts";

/** A name that so many files define says little about which of them is meant. */
const maxDefiners = 8;
/** How much it says of a caller that it calls a file: what changes there often changes here. */
const backward = 0.5;
/** How much a name counts that the request has. */
const wanted = 10;

/** Files are meant by their places in the list. */
export interface ReferenceGraph {
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
export function* buildGraph(
  files: readonly MappedFile[],
  names: ReadonlyMap<string, number>,
): Steps<ReferenceGraph> {
  const definers = yield* indexNames(files, ({ symbols }) => symbols.filter(isReachable));
  const users = yield* indexNames(files, (file) => file.names.map((name) => ({ name })));
  const weights = files.map(() => new Map<number, number>());
  const references = new Map<string, number>();
  let count = 0;
  for (const [name, defining] of definers) {
    if (isPause((count += 1))) yield;
    const callers = users.get(name) ?? [];
    references.set(name, Math.max(0, callers.length - defining.length));
    if (defining.length > maxDefiners) continue;
    const weight = (weightOf(name) * (1 + wanted * (names.get(name) ?? 0))) / defining.length;
    for (const from of callers) {
      if (defining.includes(from)) continue;
      for (const to of defining) {
        if (isPause((count += 1))) yield;
        addWeight(weights[from], to, weight);
        addWeight(weights[to], from, weight * backward);
      }
    }
  }
  return { edges: yield* shareOut(weights), references };
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
function* indexNames(
  files: readonly MappedFile[],
  list: (file: MappedFile) => readonly { name: string }[],
): Steps<Map<string, number[]>> {
  const index = new Map<string, number[]>();
  for (const [nth, file] of files.entries()) {
    for (const { name } of list(file)) {
      const known = index.get(name);
      if (known === undefined) index.set(name, [nth]);
      else if (known.at(-1) !== nth) known.push(nth);
    }
    yield;
  }
  return index;
}

function addWeight(weights: Map<number, number> | undefined, to: number, weight: number): void {
  weights?.set(to, (weights.get(to) ?? 0) + weight);
}

function* shareOut(weights: readonly ReadonlyMap<number, number>[]): Steps<Edge[][]> {
  const edges: Edge[][] = [];
  for (const [nth, all] of weights.entries()) {
    if (nth % 50 === 0) yield;
    const sum = Array.from(all.values()).reduce((total, weight) => total + weight, 0);
    edges.push(Array.from(all, ([to, weight]) => ({ to, weight: weight / sum })));
  }
  return edges;
}

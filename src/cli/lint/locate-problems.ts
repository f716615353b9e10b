import { findJsonPlaces, type JsonPlaces } from "./json-places.ts";
import type { LintProblem } from "./lint-problem.ts";

/** A problem with its place in the file, from 1; columns count UTF-16 units, as editors do. */
export interface LocatedProblem extends LintProblem {
  line: number;
  column: number;
}

/** Finds where in the text the problems are, and puts them in this order. */
export function locateProblems(text: string, problems: readonly LintProblem[]): LocatedProblem[] {
  const places = findJsonPlaces(text);
  return problems
    .map((problem) => ({ problem, at: offsetOf(problem, places) }))
    .sort((left, right) => left.at - right.at)
    .map(({ problem, at }) => ({ ...problem, ...positionOf(text, at) }));
}

/**
 * A value that has a name is found at its name, an item of a list where it begins. What is missing is told at
 * the object that lacks it.
 */
function offsetOf({ path }: LintProblem, { places, problem }: JsonPlaces): number {
  if (path === "(file)") return problem?.at ?? places.get("")?.value ?? 0;
  for (let known = path; ; known = parentOf(known)) {
    const place = places.get(known);
    if (place !== undefined) return place.key ?? place.value;
    if (known === "") return 0;
  }
}

/** `a.b` of `a.b[0]` and of `a.b.c`. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("."), path.lastIndexOf("[")));
}

function positionOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

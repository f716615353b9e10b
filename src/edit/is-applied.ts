// An edit that was made before: REPLACE stands in the file, and a loose look for SEARCH would make it twice.
import type { Lines } from "./decoration.ts";
import { mostCandidates } from "./describe-error.ts";
import type { FileIndex } from "./file-index.ts";
import { findSequence } from "./find-sequence.ts";
import { type ComparisonBudget, lineDistance } from "./line-similarity.ts";
import { comparePlace, toQuery } from "./place.ts";
import type { Steps } from "./steps.ts";

/** REPLACE adds lines, and stands in the file with them: what is left to find is not what was meant. */
export function* isApplied({ search, replace }: Lines, index: FileIndex): Steps<boolean> {
  if (linesWithout(replace, search).length === 0) return false;
  const { forms } = yield* toQuery(replace, index);
  return findSequence(index, forms).length > 0;
}

/** As {@link isApplied}, but bytes count, and a line that only corrects one of SEARCH adds nothing. */
export function* isDone({ search, replace }: Lines, index: FileIndex): Steps<boolean> {
  const query = yield* toQuery(replace, index);
  if (query.forms.includes(-1)) return false;
  const onlyCorrects = yield* correctsOnly(search, replace, index.budget);
  const isShorter = query.solid.length < search.filter((line) => line.trim() !== "").length;
  if (onlyCorrects && isShorter) return false;
  for (const first of findSequence(index, query.forms).slice(0, mostCandidates)) {
    const place = yield* comparePlace(query, index, first);
    if (place?.strictness === 0) return true;
  }
  return false;
}

/** Each line that REPLACE adds is like one that it drops. */
function* correctsOnly(
  search: readonly string[],
  replace: readonly string[],
  budget: ComparisonBudget,
): Steps<boolean> {
  const dropped = linesWithout(search, replace);
  for (const line of linesWithout(replace, search)) {
    let at = 0;
    for (; at < dropped.length; at += 1) {
      yield;
      if (lineDistance(dropped[at] ?? "", line, budget) !== undefined) break;
    }
    if (at === dropped.length) return false;
    dropped.splice(at, 1);
  }
  return true;
}

/** The solid lines that the others lack, each as often as it is missing. */
function linesWithout(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  return lines.filter((line) => {
    const key = line.trim();
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return key !== "" && count <= 0;
  });
}

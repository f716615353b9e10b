// An edit that was made before: REPLACE stands in the file, and a loose look for SEARCH would make it twice.
import type { Lines } from "./decoration.ts";
import { maxCandidates } from "../describe/describe-error.ts";
import type { FileIndex } from "./file-index.ts";
import { findSequence } from "./find-sequence.ts";
import { type ComparisonBudget, lineDistance } from "./similar/line-similarity.ts";
import { comparePlace, toQuery } from "./place.ts";

/** Characters that are compared; with more it is a rewrite, and no line of it a correction. */
const maxCompared = 2_000_000;

/** REPLACE adds lines, and stands in the file with them: what is left to find is not what was meant. */
export function isApplied({ search, replace }: Lines, index: FileIndex): boolean {
  if (linesWithout(replace, search).length === 0) return false;
  const { forms } = toQuery(replace, index);
  return findSequence(index, forms).length > 0;
}

/** As {@link isApplied}, but bytes count, and a line that only corrects one of SEARCH adds nothing. */
export function isDone({ search, replace }: Lines, index: FileIndex): boolean {
  const query = toQuery(replace, index);
  let isThere = false;
  for (const first of findSequence(index, query.forms).slice(0, maxCandidates)) {
    const place = comparePlace(query, index, first);
    isThere ||= place?.strictness === 0;
  }
  if (!isThere) return false;
  const isShorter = query.solid.length < search.filter((line) => line.trim() !== "").length;
  return !(isShorter && onlyCorrects({ search, replace }, index));
}

/** Every line that REPLACE adds is one of those that it drops, nearly. */
function onlyCorrects({ search, replace }: Lines, index: FileIndex): boolean {
  const dropped = new Set(linesWithout(search, replace).entries());
  const most = Math.min(maxCompared, index.budget.characters);
  const budget: ComparisonBudget = { characters: most };
  let isOnly = true;
  for (const line of linesWithout(replace, search)) isOnly &&= isCorrection(line, dropped, budget);
  index.budget.characters -= most - budget.characters;
  return isOnly;
}

/** Whether a line is nearly one of these, which then stands for no other line. */
function isCorrection(
  line: string,
  dropped: Set<[number, string]>,
  budget: ComparisonBudget,
): boolean {
  for (const entry of dropped) {
    if (lineDistance(entry[1], line, budget) !== undefined) return dropped.delete(entry);
    if (budget.characters < 0) return false;
  }
  return false;
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

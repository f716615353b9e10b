// An edit that was made before: REPLACE stands in the file, and a loose look for SEARCH would make it twice.
import type { Lines } from "./decoration.ts";
import { mostCandidates } from "./describe-error.ts";
import type { FileIndex } from "./file-index.ts";
import { findSequence } from "./find-sequence.ts";
import { lineDistance } from "./line-similarity.ts";
import { comparePlace, toQuery } from "./place.ts";

/** REPLACE adds lines, and stands in the file with them: what is left to find is not what was meant. */
export function isApplied({ search, replace }: Lines, index: FileIndex): boolean {
  const adds = linesWithout(replace, search).length > 0;
  return adds && findSequence(index, toQuery(replace, index).forms).length > 0;
}

/** As {@link isApplied}, but bytes count, and a line that only corrects one of SEARCH adds nothing. */
export function isDone({ search, replace }: Lines, index: FileIndex): boolean {
  const dropped = linesWithout(search, replace);
  const corrects = (line: string) => {
    const at = dropped.findIndex((other) => lineDistance(other, line) !== undefined);
    if (at !== -1) dropped.splice(at, 1);
    return at !== -1;
  };
  const onlyCorrects = linesWithout(replace, search).every(corrects);
  const query = toQuery(replace, index);
  const isShorter = query.solid.length < search.filter((line) => line.trim() !== "").length;
  if (onlyCorrects && isShorter) return false;
  const places = findSequence(index, query.forms).slice(0, mostCandidates);
  return places.some((first) => comparePlace(query, index, first)?.strictness === 0);
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

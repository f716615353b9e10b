// The place that comes nearest to a SEARCH that was not found, and what differs there.
import { commonLines } from "../../describe/compare-lines.ts";
import type { NearestPlace } from "../../edit-unit.ts";
import type { FileIndex } from "../file-index.ts";
import { findSeeds } from "./find-similar.ts";
import { looseText } from "../loose-text.ts";
import { type Query, toQuery } from "../place.ts";

/** Lines of a place that are compared and shown. */
const maxLines = 60;
/** Characters of a line that are shown. */
const maxLine = 200;
/** Characters of a line that are compared. */
const maxCompared = 2_000;
/** Words that are looked for, places of each that are looked at, and lines that are compared by all their words. */
const maxWords = 12;
const maxPlaces = 1_000;
const maxSameWords = 100;

/** Undefined if nothing of SEARCH resembles anything in the file. */
export function findNearest(search: readonly string[], index: FileIndex): NearestPlace | undefined {
  const query = toQuery(search, index);
  const [seed] = findSeeds(query, index);
  const solid = seed === undefined ? findByWords(query, index) : seed.place - seed.nth;
  if (solid === undefined) return undefined;
  const first = index.solidLines[Math.max(0, solid)];
  const lastSolid = Math.min(Math.max(0, solid) + query.solid.length, index.solidLines.length) - 1;
  const last = index.solidLines[lastSolid];
  if (first === undefined || last === undefined) return undefined;
  const end = Math.min(last + 1, first + maxLines);
  const file = Array.from({ length: end - first }, (_, nth) => index.line(first + nth));
  return {
    startLine: first + 1,
    endLine: end,
    diff: showDifference(search.slice(0, maxLines), file),
  };
}

/** Without a line in common: the line that shares most words with the longest line of SEARCH. */
function findByWords(query: Query, index: FileIndex): number | undefined {
  const lines = query.solid.map((number) => query.lines[number] ?? "");
  const longest = lines.reduce(
    (most, line, nth) => (line.length > (lines[most]?.length ?? 0) ? nth : most),
    0,
  );
  const wanted = wordsOf(lines[longest] ?? "");
  let best: number | undefined;
  let bestScore = 0.5;
  for (const solid of linesWithWords(wanted, index)) {
    const words = wordsOf(index.line(index.solidLines[solid] ?? 0));
    let shared = 0;
    for (const word of wanted) if (words.has(word)) shared += 1;
    const score = (2 * shared) / (wanted.size + words.size);
    if (score > bestScore) [best, bestScore] = [solid - longest, score];
  }
  return best;
}

/**
 * The solid lines that hold most of the words, in order: each word is looked for in the whole text, and only
 * so many places of all words are looked at, the rare words first.
 */
function linesWithWords(words: ReadonlySet<string>, index: FileIndex): number[] {
  const counts = new Map<number, number>();
  const names = [...words].filter((word) => word.length > 1).sort((a, b) => b.length - a.length);
  for (const word of names.slice(0, maxWords)) {
    let [at, looks, line] = [index.text.indexOf(word), 0, -1];
    while (at !== -1 && looks < maxPlaces && index.budget.words > 0) {
      looks += 1;
      index.budget.words -= 1;
      const next = index.lineOf(at);
      if (next !== line) counts.set(next, (counts.get(next) ?? 0) + 1);
      line = next;
      at = index.text.indexOf(word, index.ends[line] ?? at + 1);
    }
  }
  const ranked = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, maxSameWords);
  return ranked.map(([line]) => index.solidBefore(line)).sort((a, b) => a - b);
}

function wordsOf(line: string): Set<string> {
  return new Set(line.slice(0, 1000).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu));
}

/** `-` stands before lines of SEARCH only, `+` before lines of the file only. */
function showDifference(search: readonly string[], file: readonly string[]): string {
  const shown: string[] = [];
  const show = (sign: string, line: string) => {
    shown.push(sign + (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line));
  };
  let [nextSearch, nextFile] = [0, 0];
  const ends: [number, number] = [search.length, file.length];
  const toKey = (line: string) => looseText(line.slice(0, maxCompared));
  const common = commonLines(search.map(toKey), file.map(toKey));
  for (const [atSearch, atFile] of [...common, ends]) {
    for (const line of search.slice(nextSearch, atSearch)) show("- ", line);
    for (const line of file.slice(nextFile, atFile)) show("+ ", line);
    const shared = file[atFile];
    if (shared !== undefined && atSearch < search.length) show("  ", shared);
    [nextSearch, nextFile] = [atSearch + 1, atFile + 1];
  }
  return shown.join("\n");
}

// SEARCH with lines that the file does not have so, where REPLACE writes what the file has.
import { gapsBetween } from "../compare-lines.ts";
import type { Lines } from "./decoration.ts";
import type { FileIndex } from "./file-index.ts";
import { isComment } from "../align/source-lines.ts";
import { isSolid } from "../../base/text/lines.ts";

/**
 * The unit with SEARCH as the file has it: a line of SEARCH alone that the file lacks becomes the lines of REPLACE alone, at
 * the same place, that the file has; a comment may be left out. So nothing is lost that SEARCH did not name.
 *
 * @returns as SEARCH indents what both have, and as REPLACE does; nothing where SEARCH has no such line
 */
export function correctSlips({ search, replace }: Lines, index: FileIndex): Lines[] {
  const [old, now] = [search, replace].map((lines) => lines.map((line) => line.trim()));
  const isKnown = (line: string): boolean => isSolid(line) && index.formOf(line) !== -1;
  const gaps = gapsBetween(old ?? [], now ?? []);
  const found: Lines[] = [];
  for (const isLikeReplace of [false, true]) {
    const lines: string[] = [];
    let [from, to, slips] = [0, 0, 0];
    for (const gap of [...gaps, { old: [search.length], now: [replace.length] }]) {
      const [oldStart = 0, oldEnd = oldStart] = gap.old;
      const [nowStart = 0, nowEnd = nowStart] = gap.now;
      lines.push(...(isLikeReplace ? replace.slice(to, nowStart) : search.slice(from, oldStart)));
      const left = search.slice(oldStart, oldEnd);
      const wrong = left.filter((line) => isSolid(line) && !isKnown(line));
      const meant = replace
        .slice(nowStart, nowEnd)
        .filter((line) => isKnown(line) && !left.includes(line));
      slips += wrong.length;
      const isClear =
        meant.length > 0 ? wrong.length < 2 : wrong.every((line) => isComment(line.trim()));
      if (!isClear) return [];
      for (const line of left)
        if (!wrong.includes(line)) lines.push(line);
        else lines.push(...meant);
      [from, to] = [oldEnd, nowEnd];
    }
    if (slips > 0 && lines.filter(isSolid).length > slips) found.push({ search: lines, replace });
  }
  return found;
}

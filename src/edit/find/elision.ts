// Placeholders in SEARCH and REPLACE: they divide SEARCH into segments, and in REPLACE alone they stand for lines of SEARCH.
import { type CommonLine, commonLines, gapsBetween } from "../compare-lines.ts";
import {
  isPythonBody,
  isSurePlaceholder,
  mayHoldPlaceholder,
  placeholderOf,
} from "../placeholder.ts";
import type { Lines } from "./decoration.ts";
import type { FileIndex } from "./file-index.ts";
import { isSolid } from "../../base/text/lines.ts";

/** The lines between marks; one segment more than there are marks. */
export function splitAtMarks(
  lines: readonly string[],
  isMark: (line: string, at: number) => boolean,
): string[][] {
  const segments: string[][] = [[]];
  for (const [at, line] of lines.entries()) {
    if (isMark(line, at)) segments.push([]);
    else segments.at(-1)?.push(line);
  }
  return segments;
}

/**
 * Placeholders that only REPLACE holds become the lines of SEARCH that they stand for, or nothing where no
 * line of SEARCH would be lost. Undefined if it is not clear what one stands for.
 */
export function fillReplace(
  { search, replace: given }: Lines,
  index: FileIndex,
): Lines | undefined {
  const replace = given.some(mayHoldPlaceholder) ? foldPlaceholders(given) : given;
  const quoted = new Set(search.map((line) => line.trim()));
  const kinds = replace.map((line, at) => {
    const kind = quoted.has(line.trim()) ? undefined : placeholderOf(line);
    return kind === "dots" && isPythonBody(replace, at) ? undefined : kind;
  });
  const isOurs = (line: string) => placeholderOf(line) !== undefined && index.formOf(line) === -1;
  if (kinds.every((kind) => kind === undefined) || search.some(isOurs)) return { search, replace };
  const solidOf = (lines: readonly string[]) =>
    [...lines.entries()].filter(([, line]) => isSolid(line));
  const [searched, written] = [solidOf(search), solidOf(replace)];
  const common = commonLines(
    searched.map(([, line]) => line.trim()),
    written.map(([, line]) => line.trim()),
  ).map(([one, other]): CommonLine => [searched[one]?.[0] ?? 0, written[other]?.[0] ?? 0]);
  const filled: string[] = [];
  let next = 0;
  for (const { old, now } of gapsBetween(search, replace, common)) {
    const [lost, put] = [search.slice(...old), replace.slice(...now)];
    const isLost = lost.some(isSolid);
    const parts = splitAtMarks(put, (_, at) => {
      const kind = kinds[now[0] + at];
      return isSurePlaceholder(kind) || (kind !== undefined && isLost);
    });
    const edges = [search[old[0] - 1], search[old[1]]].map((line) => line?.trim());
    // Where a line beside the mark is among those that it would stand for, it may be that one.
    const isClear = !lost.some((line) => edges.includes(line.trim()));
    const isFilled = parts.length > 1 && isLost;
    const isAll = parts.length === 2 && !parts.flat().some(isSolid) && isClear;
    const gap = isFilled ? lost : joinParts(parts, old[0] === 0, old[1] === search.length);
    if ((isFilled && !isAll) || gap === undefined) return undefined;
    for (const line of [...replace.slice(next, now[0]), ...gap]) filled.push(line);
    next = now[1];
  }
  return { search, replace: [...filled, ...replace.slice(next)] };
}

/**
 * The lines around marks that stand for nothing, without the blank lines that only set these apart. Undefined where new lines
 * are on the far side of a mark, which belong to what it leaves out.
 */
function joinParts(
  parts: readonly string[][],
  isFirst: boolean,
  isLast: boolean,
): string[] | undefined {
  const [head = [], ...below] = parts;
  if (below.length === 0) return head;
  // Brackets that close behind a mark right below the last line of SEARCH are what follows in the file.
  const closes = (line: string): boolean => /^(?:[)\]}]+[;,]?|end)?$/.test(line.trim());
  if (isLast && !isFirst && !head.some(isSolid) && below.flat().every(closes)) return [];
  const far = isFirst ? parts.slice(0, -1) : isLast ? below : [];
  if (far.flat().some(isSolid)) return undefined;
  const joined = isFirst ? [] : [...head];
  for (const part of below) {
    const solid = part.findIndex(isSolid);
    const isSetApart = joined.length === 0 ? isFirst : !isSolid(joined.at(-1) ?? "");
    for (const line of isSetApart ? part.slice(solid === -1 ? part.length : solid) : part)
      joined.push(line);
  }
  return isLast ? joined.slice(0, joined.findLastIndex(isSolid) + 1) : joined;
}

/** A comment over three lines that holds nothing but a placeholder becomes one line. */
export function foldPlaceholders(lines: readonly string[]): readonly string[] {
  const folded: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const whole = `${line} ${lines[at + 1]?.trim()} ${lines[at + 2]?.trim()}`;
    const isComment =
      /^(?:\/\*\*?|\{\/\*|<!--|\(\*)$/.test(line.trim()) &&
      /^(?:\*\/\}?|-->|\*\))$/.test((lines[at + 2] ?? "").trim()) &&
      isSurePlaceholder(placeholderOf(whole));
    folded.push(isComment ? whole : line);
    if (isComment) at += 2;
  }
  return folded.length === lines.length ? lines : folded;
}

// Placeholders in SEARCH and REPLACE: they divide SEARCH into segments, and in REPLACE alone they stand for lines of SEARCH.
import { type CommonLine, commonLines } from "../compare-lines.ts";
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
  let [above, last]: CommonLine = [-1, -1];
  for (const [below, next] of [...common, [search.length, replace.length] as const]) {
    const lost = search.slice(above + 1, below);
    const isLost = lost.some(isSolid);
    const offset = last + 1;
    const parts = splitAtMarks(replace.slice(offset, next), (_, at) => {
      const kind = kinds[offset + at];
      return isSurePlaceholder(kind) || (kind !== undefined && isLost);
    });
    const edges = [search[above], search[below]].map((line) => line?.trim());
    // Where a line beside the mark is among those that it would stand for, it may be that one.
    const isClear = !lost.some((line) => edges.includes(line.trim()));
    const isFilled = parts.length > 1 && isLost;
    const isAll = parts.length === 2 && !parts.flat().some(isSolid) && isClear;
    const gap = isFilled ? lost : joinParts(parts, above === -1, below === search.length);
    if ((isFilled && !isAll) || gap === undefined) return undefined;
    for (const line of gap) filled.push(line);
    if (next < replace.length) filled.push(replace[next] ?? "");
    [above, last] = [below, next];
  }
  return { search, replace: filled };
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

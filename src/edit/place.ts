// One place of the file that SEARCH could mean, and how strictly it fits.
import type { EditLevel } from "./edit-unit.ts";
import type { FileIndex } from "./file-index.ts";
import { findIndentRule, type IndentPair, indentOf, type IndentRule } from "./indentation.ts";
import { looseText } from "./loose-text.ts";

/** The lines of one SEARCH, prepared for looking them up. */
export interface Query {
  lines: readonly string[];
  /** The lines that are not blank, and their forms in the file. */
  solid: number[];
  forms: number[];
}

export interface Place {
  level: EditLevel;
  /** For each line of SEARCH its line of the file, or -1 for a blank line that the file lacks. */
  at: number[];
  /** Undefined if no rule explains the indentation: then no line can be added. */
  indent: IndentRule | undefined;
}

export function toQuery(lines: readonly string[], index: FileIndex): Query {
  const solid: number[] = [];
  const forms: number[] = [];
  for (const [number, line] of lines.entries()) {
    if (line.trim() === "") continue;
    solid.push(number);
    forms.push(index.formOf(line));
  }
  return { lines, solid, forms };
}

const strictest: EditLevel[] = ["exact", "line-ends", "indentation", "typography", "blank-lines"];

/** Lower is stricter; a place whose indentation cannot be explained comes last. */
export function strictnessOf(place: Place): number {
  return place.indent === undefined ? strictest.length : strictest.indexOf(place.level);
}

/**
 * Compares SEARCH, line by line, with the solid lines of the file from `first` on.
 * Undefined if a line differs in more than looks.
 */
export function comparePlace(query: Query, index: FileIndex, first: number): Place | undefined {
  let level = 0;
  const pairs: IndentPair[] = [];
  const at: number[] = Array.from({ length: query.lines.length }, () => -1);
  for (const [nth, number] of query.solid.entries()) {
    const fileLine = index.solidLines[first + nth];
    if (fileLine === undefined) return undefined;
    const search = query.lines[number] ?? "";
    const file = index.line(fileLine);
    const lineLevel = compareLine(search, file);
    if (lineLevel === undefined) return undefined;
    const hasReturn = lineLevel === 0 && index.lineEnd(fileLine) === "\r\n";
    level = Math.max(level, hasReturn ? 1 : lineLevel);
    pairs.push({ search: indentOf(search), file: indentOf(file) });
    at[number] = fileLine;
  }
  level = Math.max(level, alignBlankLines(query, index, at));
  return { level: strictest[level] ?? "blank-lines", at, indent: findIndentRule(pairs) };
}

function compareLine(search: string, file: string): number | undefined {
  if (search === file) return 0;
  if (search.trimEnd() === file.trimEnd()) return 1;
  if (search.trim() === file.trim()) return 2;
  return looseText(search) === looseText(file) ? 3 : undefined;
}

/** Pairs the blank lines of SEARCH with those of the file. Returns the level that this takes. */
export function alignBlankLines(query: Query, index: FileIndex, at: number[]): number {
  const blankLevel = 4;
  let level = 0;
  let last = -1;
  for (const number of query.solid) {
    const before = last === -1 ? 0 : (at[last] ?? 0) + 1;
    const here = at[number] ?? 0;
    const wanted = number - last - 1;
    if (last === -1) {
      // Blank lines before the first solid line: those directly above it.
      let found = 0;
      while (found < wanted && isBlankLine(index, here - found - 1)) found += 1;
      for (let k = 1; k <= found; k += 1) at[number - k] = here - k;
      if (found < wanted) level = blankLevel;
    } else {
      let found = 0;
      for (let line = before; line < here && found < wanted; line += 1) {
        if (!isBlankLine(index, line)) continue;
        found += 1;
        at[last + found] = line;
      }
      if (found < wanted || here - before > wanted) level = blankLevel;
    }
    last = number;
  }
  const lastLine = at[last] ?? -1;
  for (let number = last + 1; number < query.lines.length; number += 1) {
    const line = lastLine + number - last;
    if (!isBlankLine(index, line)) {
      level = blankLevel;
      break;
    }
    at[number] = line;
  }
  for (const [number, line] of at.entries()) {
    if (line === -1 || level > 0 || query.lines[number]?.trim() !== "") continue;
    if (query.lines[number] !== index.line(line) || index.lineEnd(line) === "\r\n") level = 1;
  }
  return level;
}

function isBlankLine(index: FileIndex, line: number): boolean {
  return line >= 0 && line < index.lineCount && index.line(line).trim() === "";
}

// One place of the file that SEARCH could mean, and how strictly it fits.
import type { EditLevel } from "../edit-unit.ts";
import type { FileIndex } from "./file-index.ts";
import { findIndentRule, type IndentPair, type IndentRule } from "./indentation.ts";
import { isBlank, looseText } from "./loose-text.ts";
import { indentOf } from "../../base/text/lines.ts";

/** The lines of one SEARCH, prepared for looking them up. */
export interface Query {
  lines: readonly string[];
  /** The lines that are not blank, and their forms in the file. */
  solid: number[];
  forms: number[];
}

export interface Place {
  level: EditLevel;
  /** Lower is stricter; with the same level, a place may differ from SEARCH in less. */
  strictness: number;
  /** For each line of SEARCH its line of the file, or -1 for a blank line that the file lacks. */
  at: number[];
  /** Undefined if no rule explains the indentation: then no line can be added. */
  indent: IndentRule | undefined;
}

export function toQuery(lines: readonly string[], index: FileIndex): Query {
  const solid: number[] = [];
  const forms: number[] = [];
  for (const [number, line] of lines.entries()) {
    if (isBlank(line)) continue;
    solid.push(number);
    forms.push(index.formOf(line));
  }
  return { lines, solid, forms };
}

/** From strict to lenient. Carriage returns alone differ less than blanks at line ends. */
const levels: EditLevel[] = [
  "exact",
  "line-ends",
  "line-ends",
  "indentation",
  "typography",
  "blank-lines",
];
const carriageReturns = 1;
const trailingBlanks = 2;
const blankLines = 5;
/** A place whose indentation cannot be explained comes last. */
const irregular = 6;

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
    const hasReturn = index.lineEnd(fileLine) === "\r\n";
    level = Math.max(level, lineLevel, hasReturn ? carriageReturns : 0);
    pairs.push({ search: indentOf(search), file: indentOf(file) });
    at[number] = fileLine;
  }
  level = Math.max(level, alignBlankLines(query, index, at));
  const indent = findIndentRule(pairs);
  // No model sees carriage returns, so they tell no places apart.
  const seen = level === carriageReturns ? 0 : level;
  const strictness = indent === undefined ? irregular : seen;
  return { level: levels[level] ?? "blank-lines", strictness, at, indent };
}

function compareLine(search: string, file: string): number | undefined {
  if (search === file) return 0;
  if (search.trimEnd() === file.trimEnd()) return trailingBlanks;
  if (search.trim() === file.trim()) return 3;
  return looseText(search) === looseText(file) ? 4 : undefined;
}

/** Pairs the blank lines of SEARCH with those of the file. Returns the level that this takes. */
export function alignBlankLines(query: Query, index: FileIndex, at: number[]): number {
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
      if (found < wanted) level = blankLines;
    } else {
      let found = 0;
      for (let line = before; line < here && found < wanted; line += 1) {
        if (!isBlankLine(index, line)) continue;
        found += 1;
        at[last + found] = line;
      }
      if (found < wanted || here - before > wanted) level = blankLines;
    }
    last = number;
  }
  const lastLine = at[last] ?? -1;
  for (let number = last + 1; number < query.lines.length; number += 1) {
    const line = lastLine + number - last;
    if (!isBlankLine(index, line)) {
      level = blankLines;
      break;
    }
    at[number] = line;
  }
  for (const [number, line] of at.entries()) {
    if (line === -1 || level >= trailingBlanks || !isBlank(query.lines[number] ?? "")) continue;
    if (query.lines[number] !== index.line(line)) return trailingBlanks;
    if (index.lineEnd(line) === "\r\n") level = carriageReturns;
  }
  return level;
}

/** False outside of the file. */
export function isBlankLine(index: FileIndex, line: number): boolean {
  return line >= 0 && line < index.lineCount && isBlank(index.line(line));
}

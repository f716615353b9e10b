// What may stand around an edit or a block without being part of it: quote marks, list marks, indentation.
import { indentOf } from "../../../base/text/lines.ts";

/** Quote marks and indentation that all lines of a block bear. */
export interface Cover {
  /** Levels of block quotes. */
  quotes: number;
  /** Each mark stands without a blank after it. */
  isTight?: boolean;
  /** Characters: up to so many blanks at the start of each line belong to the list around. */
  indent: number;
}

const quote = /^[ \t]{0,3}>[ \t]?/;
const tightQuote = /^[ \t]{0,3}>/;
const listMark = /^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?/;

/** The cover of a line, and what stands in it; a list mark counts as indentation. */
export function coverOf(line: string): { cover: Cover; content: string } {
  let rest = line;
  let quotes = 0;
  for (let mark = quote.exec(rest); mark !== null && quotes < 8; mark = quote.exec(rest)) {
    rest = rest.slice(mark[0].length);
    quotes += 1;
  }
  const indent = listMark.exec(rest)?.[0].length ?? 0;
  const isTight = quotes > 0 && !/^[ \t]*>[> \t]*[ \t]/.test(line);
  return { cover: { quotes, indent, isTight }, content: rest.slice(indent) };
}

/** The line without the quote marks of the cover. */
export function withoutQuotes(line: string, { quotes, isTight = false }: Cover): string {
  let rest = line;
  const mark = isTight ? tightQuote : quote;
  for (let level = 0; level < quotes; level += 1) rest = rest.replace(mark, "");
  return rest;
}

/** Lines without the indentation of the cover, if every line that is not blank bears it. */
export function withoutIndent(lines: readonly string[], indent: number): readonly string[] {
  const bears = (line: string) => line.trim() === "" || line.slice(0, indent).trim() === "";
  if (indent === 0 || !lines.every(bears)) return lines;
  return lines.map((line) => line.slice(Math.min(indent, indentOf(line).length)));
}

import type { SourceText } from "./source-text.ts";
import { columnsOf } from "../base/text/lines.ts";

/** Lines above a place that are looked at. */
const maxLooks = 5_000;
const maxFound = 12;

/** Closing brackets, comments and instructions to a preprocessor open no block. */
const opensNothing = /^\s*(?:[)\]}#*]|\/\/|\/\*|--)/;

/**
 * The lines that a line is nested in by its indentation, the outermost first: what an editor keeps in sight
 * above the code. It needs no grammar.
 *
 * @param line 1-based
 */
export function findLinesAround(source: SourceText, line: number): number[] {
  let start = line;
  while (start < source.lineCount && source.line(start).trim() === "") start += 1;
  let indent = columnsOf(source.line(start));
  const found: number[] = [];
  for (let at = line - 1; at >= 1 && indent > 0; at -= 1) {
    if (line - at > maxLooks || found.length === maxFound) break;
    const text = source.line(at);
    if (text.trim() === "" || columnsOf(text) >= indent || opensNothing.test(text)) continue;
    indent = columnsOf(text);
    found.unshift(at);
  }
  return found;
}

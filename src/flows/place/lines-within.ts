import type { SourceText } from "../../code/source-text.ts";
import type { LineRange } from "../../edit/edit-unit.ts";

/** The lines that a text has of a range; undefined where it has none, or nothing is on them. */
export function linesWithin(source: SourceText, range: LineRange): LineRange | undefined {
  const { text, lineCount } = source;
  // The end of the last line is not a line of its own.
  const count = /[\r\n]$/.test(text.slice(-1)) ? lineCount - 1 : lineCount;
  const startLine = Math.max(1, range.startLine);
  const endLine = Math.min(range.endLine, count);
  if (startLine > endLine || !/\S/.test(textOfLines(source, startLine, endLine))) return undefined;
  return { startLine, endLine };
}

/** The text of lines, 1-based and inclusive, with `\n` between them and without the last line's end. */
export function textOfLines(source: SourceText, startLine: number, endLine: number): string {
  const ends = { startColumn: 1, endColumn: 1 };
  const [start, end] = source.offsetsOf({ startLine, endLine: endLine + 1, ...ends });
  const text = source.text.slice(start, end);
  const isLast = end === source.text.length && endLine >= source.lineCount;
  const content = isLast ? text : text.replace(/(?:\r\n|\n|\r)$/, "");
  return content.includes("\r") ? content.replace(/\r\n?/g, "\n") : content;
}

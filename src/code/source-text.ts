import { columnsOf, countWhile, cutText, findLineStarts, foldSpaces } from "../base/text/lines.ts";

/**
 * A stretch of text. Lines are 1-based; columns are 1-based UTF-16 code units, as editors count
 * them. `endLine` belongs to the range, `endColumn` is the one after the last.
 */
export interface CodeRange {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

/** A text with its line table: offsets (0-based UTF-16 code units) to ranges and back. */
export interface SourceText {
  text: string;
  lineCount: number;
  /** Line breaks at the end do not belong to the range. */
  rangeOf(start: number, end: number): CodeRange;
  /** The offsets of a range; what lies outside of the text is cut. */
  offsetsOf(range: CodeRange): readonly [start: number, end: number];
  /** The offset at which a line (1-based) starts. */
  startOf(line: number): number;
  /** The text of a line (1-based) without its break. */
  line(number: number): string;
}

/**
 * Lines end as editors end them: `\n`, `\r\n` or `\r`.
 *
 * @param starts where each line starts, if that is known
 */
export function createSourceText(
  text: string,
  starts: ArrayLike<number> = findLineStarts(text),
): SourceText {
  const position = (offset: number): readonly [line: number, column: number] => {
    const after = countWhile(starts.length, (nth) => (starts[nth] ?? 0) <= offset);
    const line = Math.max(0, after - 1);
    return [line + 1, offset - (starts[line] ?? 0) + 1];
  };
  const offset = (line: number, column: number): number => {
    const start = starts[line - 1];
    if (start === undefined) return line < 1 ? 0 : text.length;
    return Math.max(start, Math.min(start + column - 1, starts[line] ?? text.length));
  };
  return {
    text,
    lineCount: starts.length,
    rangeOf(start, end) {
      let last = end;
      while (last > start && isBreak(text[last - 1])) last--;
      const [startLine, startColumn] = position(start);
      const [endLine, endColumn] = position(last);
      return { startLine, startColumn, endLine, endColumn };
    },
    offsetsOf: ({ startLine, startColumn, endLine, endColumn }) => [
      offset(startLine, startColumn),
      offset(endLine, endColumn),
    ],
    startOf: (line) => offset(line, 1),
    line(number) {
      const start = offset(number, 1);
      let end = offset(number + 1, 1);
      if (end > start && text[end - 1] === "\n") end--;
      if (end > start && text[end - 1] === "\r") end--;
      return text.slice(start, end);
    },
  };
}

/** One line, at most 120 characters. */
export function shorten(text: string): string {
  return cutText(foldSpaces(text), 119);
}

function isBreak(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

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

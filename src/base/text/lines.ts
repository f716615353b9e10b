/** The lines of a text without their line ends; a text that ends with a line end has no line after it. */
export function linesOf(text: string): string[] {
  if (text === "") return [];
  // A plain separator is several times as fast.
  const lines = text.split(text.includes("\r") ? /\r?\n/ : "\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Where the line ends in which a place is, behind its line end. */
export function endOfLine(text: string, at: number): number {
  return text.indexOf("\n", at) + 1 || text.length;
}

/** The lines of a text with their line ends, and a last one without, if it holds anything. */
export function linesWithEnds(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfLine(text, start);
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

export function usualLineEnd(text: string): "\n" | "\r\n" {
  let [crlf, lf] = [0, 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (text.charCodeAt(at - 1) === 13) crlf += 1;
    else lf += 1;
  }
  return crlf > lf ? "\r\n" : "\n";
}

/** A line, or another text, without the line end that it ends with. */
export function withoutLineEnd(raw: string): string {
  return raw.replace(/\r?\n$/, "");
}

/** The text of whole lines, each ended by "\n". */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

export function isSolid(line: string): boolean {
  return line.trim() !== "";
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

export function columnsOf(line: string, tabWidth = 4): number {
  return indentOf(line).replaceAll("\t", " ".repeat(tabWidth)).length;
}

/** The lines with their outermost ones at an indentation. */
export function indented(lines: readonly string[], indent: string): string[] {
  const least = Math.min(...lines.filter(isSolid).map((line) => indentOf(line).length));
  return lines.map((line) => (isSolid(line) ? indent + line.slice(least) : ""));
}

/** The lines without those at both ends in which nothing can be seen. */
export function solidPart(lines: readonly string[]): string[] {
  return lines.slice(Math.max(0, lines.findIndex(isSolid)), lines.findLastIndex(isSolid) + 1);
}

/**
 * How many of `length` places come first for which `isBefore` holds; behind the first for which it does not, it
 * holds for none.
 */
export function countWhile(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The text without the signs at its end. Linear: a pattern such as `/[;:]+$/` starts anew at each sign of
 * a run that does not end the text.
 *
 * @param signs single characters
 */
export function trimEndSigns(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The text without the signs at both of its ends. */
export function trimSigns(text: string, signs: string): string {
  let start = 0;
  while (start < text.length && signs.includes(text.charAt(start))) start += 1;
  return trimEndSigns(text.slice(start), signs);
}

/** The text on one line: each run of white space is one space, and there is none at the ends. Of any length. */
export function foldSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The text, or its beginning and an ellipsis where it is longer. No character is cut in two. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const [lineFeed, carriageReturn] = [10, 13];
/** Where the lines of a text start, which end with \n, \r\n or \r; a last line end starts one more. */
export function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed))
      starts.push(at + 1);
  }
  return starts;
}

/** The lines of a text, as {@link findLineStarts} finds them; no line follows a last line end. */
export class TextLines {
  readonly text: string;
  /** At least 1. */
  readonly count: number;
  /** Where each line starts, and the empty one behind a last line end, which editors have. */
  readonly starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.starts = findLineStarts(text);
    const isEnded = text !== "" && this.starts.at(-1) === text.length;
    this.count = this.starts.length - (isEnded ? 1 : 0);
  }

  /** The lines `first..last`, 1-based and inclusive, as far as there are such. */
  slice(first: number, last: number): string[] {
    const [from, to] = [Math.max(first, 1), Math.min(last, this.count)];
    if (from > to) return [];
    const whole = this.text.slice(this.starts[from - 1], this.starts[to]);
    const text = whole.replace(/(?:\r\n|\n|\r)$/, "");
    return text.split(text.includes("\r") ? /\r\n|\n|\r/ : "\n");
  }
}

export function countLineEnds(text: string, before = text.length): number {
  return findLineStarts(text.slice(0, before)).length - 1;
}

/** How many lines a text has, at least 1; no line follows a last line end. */
export function countLines(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  const isEnded = last === lineFeed || last === carriageReturn;
  return Math.max(1, countLineEnds(text) + (isEnded ? 0 : 1));
}

export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === lineFeed) count += 1;
  return count;
}

const [lineFeed, carriageReturn] = [10, 13];
/** Every so many lines the index knows the offset. */
const stride = 64;

/**
 * The lines of a text, which end with \n, \r\n or \r; no line follows a last line end. A file of ten
 * million characters is looked through once, and no line is cut out that nobody asks for.
 */
export class TextLines {
  readonly text: string;
  /** At least 1. */
  readonly count: number;
  /** The offset of every 64th line, from the first. */
  readonly #starts: readonly number[];
  /** Mostly there are none, and then the search for lines is the engine's own. */
  readonly #hasReturns: boolean;

  constructor(text: string) {
    this.text = text;
    this.#hasReturns = text.includes("\r");
    const starts = [0];
    let count = 0;
    for (let at = 0; at < text.length || count === 0;) {
      at = this.#hasReturns ? nextOfAnyKind(text, at) : text.indexOf("\n", at) + 1 || text.length;
      count += 1;
      if (count % stride === 0 && at < text.length) starts.push(at);
    }
    this.count = count;
    this.#starts = starts;
  }

  /** The lines `first..last`, 1-based and inclusive, as far as there are such. */
  slice(first: number, last: number): string[] {
    const [from, to] = [Math.max(first, 1), Math.min(last, this.count)];
    if (from > to) return [];
    const text = withoutEnd(this.text.slice(this.#startOf(from), this.#startOf(to + 1)));
    return text.split(this.#hasReturns ? /\r\n|\n|\r/ : "\n");
  }

  /** The offset of a line; the text's end if there is no such line. */
  #startOf(line: number): number {
    const { text } = this;
    if (line > this.count) return text.length;
    // The index knows a line before.
    let known = line - ((line - 1) % stride);
    let at = this.#starts[(known - 1) / stride] ?? text.length;
    for (; known < line; known += 1)
      at = this.#hasReturns ? nextOfAnyKind(text, at) : text.indexOf("\n", at) + 1;
    return at;
  }
}

/** Where the line after the one that starts here starts; the text's end if there is none. */
function nextOfAnyKind(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed) return at + 1;
    if (code === carriageReturn) return text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1;
  }
  return text.length;
}

function withoutEnd(line: string): string {
  if (line.endsWith("\r\n")) return line.slice(0, -2);
  return line.endsWith("\n") || line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** How many lines end before an offset. */
export function countLineEnds(text: string, before = text.length): number {
  let count = 0;
  const end = Math.min(before, text.length);
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed) count += 1;
    else if (code === carriageReturn && (at + 1 === end || text.charCodeAt(at + 1) !== lineFeed))
      count += 1;
  }
  return count;
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

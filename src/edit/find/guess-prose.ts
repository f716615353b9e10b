// Comments and strings of a text whose language nobody told: rather too many than too few.
import { countWhile } from "../../base/text/lines.ts";

/** Stretches of a text that do not overlap, in order: the start of each, and the offset after its last. */
export interface Stretches {
  readonly count: number;
  start(index: number): number;
  end(index: number): number;
}

/** What of a file is no code. */
export interface Prose {
  comments: Stretches;
  strings: Stretches;
}

/** Signs that go on over lines, and how they end. */
const blocks: readonly (readonly [string, string])[] = [
  ["/*", "*/"],
  ["<!--", "-->"],
  ['"""', '"""'],
  ["'''", "'''"],
  ["`", "`"],
];
const lineComment =
  /^(?:\/\/|--[ -]|#(?!include\b|define\b|if|el|endif\b|pragma\b|undef\b|\[|!\[))/;
const wordSign = /[\p{L}\p{N}_]/u;

/** Linear in the text. */
export function guessProse(text: string): Prose {
  const comments: [number, number][] = [];
  const strings: [number, number][] = [];
  for (let at = 0; at < text.length;) {
    const sign = text.charAt(at);
    if (!"/<\"'`#-;%*".includes(sign)) {
      at += 1;
      continue;
    }
    const end = endOfProse(text, at);
    if (end === undefined) at += 1;
    else {
      ("\"'`".includes(sign) ? strings : comments).push([at, end]);
      at = end;
    }
  }
  return { comments: toStretches(comments), strings: toStretches(strings) };
}

/** Where a comment or string ends that begins at an offset; undefined if none begins there. */
function endOfProse(text: string, at: number): number | undefined {
  // Fences of Markdown.
  if (text.startsWith("```", at)) return at + 3;
  const block = blocks.find(([start]) => text.startsWith(start, at));
  if (block !== undefined) {
    const end = text.indexOf(block[1], at + block[0].length);
    return end === -1 ? text.length : end + block[1].length;
  }
  const sign = text.charAt(at);
  const before = text.charAt(at - 1);
  const lineFeed = text.indexOf("\n", at);
  const lineEnd = lineFeed === -1 ? text.length : lineFeed;
  if (sign === '"' || sign === "'") {
    if (sign === "'" && wordSign.test(before)) return undefined;
    const end = endOfString(text, at, lineEnd);
    return end ?? (sign === '"' ? lineEnd : undefined);
  }
  const isFirst = before === "" || before === "\n" || isBlankBefore(text, at);
  if (";%*".includes(sign))
    return isFirst && !/^\*\w/.test(text.slice(at, at + 2)) ? lineEnd : undefined;
  if (!lineComment.test(text.slice(at, at + 12))) return undefined;
  if (sign === "/") return before === ":" ? undefined : lineEnd;
  return isFirst || /\s/.test(before) ? lineEnd : undefined;
}

/** Nothing but blanks of a usual indentation comes before it on its line. */
function isBlankBefore(text: string, at: number): boolean {
  const start = Math.max(0, at - 200, text.lastIndexOf("\n", at - 1) + 1);
  return text.slice(start, at).trim() === "";
}

function endOfString(text: string, at: number, lineEnd: number): number | undefined {
  const sign = text.charAt(at);
  for (let next = at + 1; next < lineEnd; next += 1) {
    if (text.charAt(next) === "\\") next += 1;
    else if (text.charAt(next) === sign) return next + 1;
  }
  return undefined;
}

function toStretches(ranges: readonly (readonly [number, number])[]): Stretches {
  return {
    count: ranges.length,
    start: (index) => ranges[index]?.[0] ?? 0,
    end: (index) => ranges[index]?.[1] ?? 0,
  };
}

/** Whether a stretch begins before an offset and ends at `end` or further down. */
export function isInside(stretches: Stretches, offset: number, end: number): boolean {
  const low = countWhile(stretches.count, (nth) => stretches.start(nth) < offset);
  return low > 0 && stretches.end(low - 1) >= end;
}

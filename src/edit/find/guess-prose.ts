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

/** What is not closed goes on to the end of the text, of the line for a quote; a lone apostrophe opens nothing. More escapes than in any text would cost too much. */
const strings = [
  /"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)/,
  // Fences of Markdown.
  /```/,
  /`[^]*?(?:`|$)/,
  /"[^"\\\n]*(?:\\.[^"\\\n]*){0,400}"?/,
  /(?<![\p{L}\p{N}_])'[^'\\\n]*(?:\\.[^'\\\n]*){0,400}'/u,
];
const comments = [
  /\/\*[^]*?(?:\*\/|$)|<!--[^]*?(?:-->|$)/,
  /(?<!:)\/\/.*/,
  /(?<!\S)(?:--[ -]|#(?!include\b|define\b|if|el|endif\b|pragma\b|undef\b|\[|!\[)).*/,
  // At the beginning of a line only.
  /(?<=(?:^|\n)[^\S\n]{0,200})(?:[;%]|\*(?!\w)).*/,
];
const sourceOf = (forms: readonly RegExp[]): string => forms.map(({ source }) => source).join("|");
const prose = new RegExp(`(?<string>${sourceOf(strings)})|${sourceOf(comments)}`, "gu");

/** Linear in the text. */
export function guessProse(text: string): Prose {
  const found = [...text.matchAll(prose)];
  return {
    comments: toStretches(found.filter(({ groups }) => groups?.["string"] === undefined)),
    strings: toStretches(found.filter(({ groups }) => groups?.["string"] !== undefined)),
  };
}

function toStretches(found: readonly RegExpExecArray[]): Stretches {
  const start = (nth: number): number => found[nth]?.index ?? 0;
  return { count: found.length, start, end: (nth) => start(nth) + (found[nth]?.[0].length ?? 0) };
}

/** Whether a stretch begins before an offset and ends at `end` or further down. */
export function isInside(stretches: Stretches, offset: number, end: number): boolean {
  const low = countWhile(stretches.count, (nth) => stretches.start(nth) < offset);
  return low > 0 && stretches.end(low - 1) >= end;
}

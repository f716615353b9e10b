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

/** Signs that go on over lines, and how they end: else at the end of the text. */
const blocks: ReadonlyMap<string, string> = new Map([
  ["/*", "*/"],
  ["<!--", "-->"],
  ['"""', '"""'],
  ["'''", "'''"],
  ["`", "`"],
]);
/** A text with more escapes would cost too much. A lone apostrophe opens nothing. */
const strings = [
  /"[^"\\\n]*(?:\\.[^"\\\n]*){0,400}"?/,
  /(?<![\p{L}\p{N}_])'[^'\\\n]*(?:\\.[^'\\\n]*){0,400}'/u,
  // Fences of Markdown.
  /```/,
];
/** They go on to the end of the line. */
const comments = [
  /(?<!:)\/\//,
  /(?<!\S)(?:--[ -]|#(?!include\b|define\b|if|el|endif\b|pragma\b|undef\b|\[|!\[))/,
  // At the beginning of a line only.
  /(?<=(?:^|\n)[^\S\n]{0,200})(?:[;%]|\*(?!\w))/,
];
const forms = [/\/\*|<!--|"""|'''|`(?!``)/, ...strings, ...comments];

/** Linear in the text. */
export function guessProse(text: string): Prose {
  const found: Record<"comments" | "strings", [number, number][]> = { comments: [], strings: [] };
  // oxlint-disable-next-line patterns/no-built-pattern -- of our own patterns
  const pattern = new RegExp(forms.map(({ source }) => source).join("|"), "gu");
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [sign] = match;
    const kind = /^["'`]/.test(sign) ? "strings" : "comments";
    const close = blocks.get(sign) ?? "";
    if (close !== "" || kind === "comments") {
      const end = text.indexOf(close || "\n", pattern.lastIndex);
      pattern.lastIndex = end === -1 ? text.length : end + close.length;
    }
    found[kind].push([match.index, pattern.lastIndex]);
  }
  return { comments: toStretches(found.comments), strings: toStretches(found.strings) };
}

function toStretches(ranges: readonly (readonly [number, number])[]): Stretches {
  return {
    count: ranges.length,
    start: (nth) => ranges[nth]?.[0] ?? 0,
    end: (nth) => ranges[nth]?.[1] ?? 0,
  };
}

/** Whether a stretch begins before an offset and ends at `end` or further down. */
export function isInside(stretches: Stretches, offset: number, end: number): boolean {
  const low = countWhile(stretches.count, (nth) => stretches.start(nth) < offset);
  return low > 0 && stretches.end(low - 1) >= end;
}

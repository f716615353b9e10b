import type { SourceText } from "./source-text.ts";

/** The offsets of a stretch of text: `end` is the one after the last. */
export type Stretch = readonly [start: number, end: number];

/** A comment that a compiler, bundler or loader obeys. */
export interface Directive {
  /** Fits the text of the comment. */
  pattern: RegExp;
  /** Below this line (1-based) it is a comment like others. */
  lastLine?: number;
  /** Only what is above the first fit of this in the text counts. */
  above?: RegExp;
}

/** Of scripts of any language, and of files that browsers load. */
const everywhere: readonly Directive[] = [
  { pattern: /^#!/, lastLine: 1 },
  { pattern: /^\/[/*][#@]\s*source(?:Mapping)?URL=/ },
];

/** Compilers disagree on what ends a line comment; behind such a character there may be code. */
const hiddenLine = /^(?!\/\*|--\[=*\[|=begin|#=|@\w*doc\b|""").*[\n\r\v\f\u0085\u2028\u2029]/su;

/**
 * Those of the comments that count as code, since a change of them changes what runs. Comments for type
 * checkers, linters, formatters and generators of documents are none of them.
 */
export function findDirectives(
  comments: readonly Stretch[],
  source: SourceText,
  directives: readonly Directive[] = [],
): Stretch[] {
  const limits = [...everywhere, ...directives].map(({ pattern, lastLine, above }) => ({
    pattern,
    lastLine: lastLine ?? Infinity,
    end: above === undefined ? Infinity : source.text.search(above),
  }));
  return comments.filter(([start, end]) => {
    const comment = source.text.slice(start, end).trimEnd();
    if (hiddenLine.test(comment)) return true;
    return limits.some(
      (limit) =>
        end <= limit.end &&
        limit.pattern.test(comment) &&
        (limit.lastLine === Infinity || source.rangeOf(start, start).startLine <= limit.lastLine),
    );
  });
}

/** Lines that look like comments, and comments of several lines that begin one; their last line is all theirs. */
const guessed =
  /^[\t ]*(?:\/\/|#(?![[!]|[\t ]*(?:include|define|if|end|el|pragma|region))|--(?!-?>|\[\[)|;;|(?:\/\*[^]*?(?:\*\/|(?![^]))|<!--[^]*?(?:-->|(?![^]))|--\[\[[^]*?(?:\]\]|(?![^])))).*/gm;

/** What looks like a comment in a language that nobody knows. */
export function guessComments(text: string): Stretch[] {
  return Array.from(text.matchAll(guessed), ({ 0: { length }, index }) => [index, index + length]);
}

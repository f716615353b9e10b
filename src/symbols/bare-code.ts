// Code without its comments: what has to stay where only comments may change.
import type { CodeAnalysis, CodeRange } from "./code-analysis.ts";
import type { Stretch } from "./directives.ts";
import { flattenSymbols } from "./flatten-symbols.ts";
import { createSourceText } from "./source-text.ts";

export interface BareCode {
  /** The characters of the code without its gaps; strings with all that is inside of them. */
  text: string;
  /** What stood between them, in order, by the place in `text` before which it did. */
  gaps: ReadonlyMap<number, Gap>;
  /** No grammar tells where a word or a sign ends. */
  isGuess: boolean;
}

/** Blanks, line breaks and comments between two characters of code. */
export interface Gap {
  /** As written, comments included, with `\n` as line end. */
  raw: string;
  hasComment: boolean;
  /** A comment goes over several lines. */
  hasLongComment: boolean;
  /** A line ends here, and not only inside of a comment. */
  hasBreak: boolean;
  /** The blanks that its last line begins with, if a line begins in it. */
  indent: string;
}

/** What a docstring that is all of a body is as good as. */
const emptyBody = "...";

type Part = { kind: "code" | "kept" | "comment" | "body"; at: Stretch };

/**
 * Cuts the comments and docstrings out of a text. Strings stay as they stand in it, and so do
 * comments that are directives.
 */
export function bareCode(text: string, analysis: CodeAnalysis): BareCode {
  const writer = new GapWriter();
  for (const { kind, at } of partsOf(text, analysis)) {
    const words = text.slice(...at);
    if (kind === "code") writer.addCode(words);
    else if (kind === "comment") writer.addComment(words);
    else writer.add(kind === "body" ? emptyBody : words);
  }
  writer.end();
  return { text: writer.text, gaps: writer.gaps, isGuess: analysis.language === undefined };
}

/** All of the text, in order. */
function partsOf(text: string, analysis: CodeAnalysis): Part[] {
  const source = createSourceText(text);
  const toStretch = (range: CodeRange): Stretch => source.offsetsOf(range);
  const docstrings = docstringsOf(analysis);
  const isDocstring = new Set(docstrings.map(({ range }) => keyOf(range)));
  const isDirective = new Set(analysis.directives.map(keyOf));
  const comments = analysis.comments
    .filter((range) => !isDirective.has(keyOf(range)))
    .map(toStretch);
  const endOf = new Map(comments);
  const cut = [
    ...comments.map((at): Part => ({ kind: "comment", at })),
    ...docstrings.map(({ range, body }): Part => {
      const at = toStretch(range);
      const isAll = body !== undefined && isEmpty(text, at[1], toStretch(body)[1], endOf);
      return { kind: isAll ? "body" : "comment", at };
    }),
  ];
  const kept = [
    ...analysis.directives,
    ...analysis.strings.filter((range) => !isDocstring.has(keyOf(range))),
  ];
  return joinParts(
    text,
    cut.toSorted(byStart),
    kept.map(toStretch).toSorted(([a], [b]) => a - b),
  );
}

/** Strings that document, with the body that they stand in; other doc comments are comments anyway. */
function docstringsOf({
  docComment,
  strings,
  symbols,
}: CodeAnalysis): { range: CodeRange; body: CodeRange | undefined }[] {
  const isString = new Set(strings.map(keyOf));
  const own = { docComment, body: undefined };
  return [own, ...flattenSymbols(symbols)].flatMap(({ docComment: range, body }) =>
    range !== undefined && isString.has(keyOf(range)) ? [{ range, body }] : [],
  );
}

function isEmpty(
  text: string,
  start: number,
  end: number,
  endOf: ReadonlyMap<number, number>,
): boolean {
  let at = start;
  while (at < end && (endOf.has(at) || /\s/.test(text.charAt(at)))) at = endOf.get(at) ?? at + 1;
  return at >= end;
}

/** Comments inside of strings, which interpolation has, are cut as well. */
function joinParts(text: string, cut: readonly Part[], kept: readonly Stretch[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  let next = 0;
  const addUpTo = (end: number): void => {
    while (at < end) {
      while ((kept[next]?.[1] ?? Infinity) <= at) next++;
      const [from, to] = kept[next] ?? [end, end];
      const isKept = from <= at;
      const stop = Math.min(isKept ? to : from, end);
      parts.push({ kind: isKept ? "kept" : "code", at: [at, stop] });
      at = stop;
    }
  };
  for (const part of cut) {
    if (part.at[0] < at) continue;
    addUpTo(part.at[0]);
    parts.push(part);
    [, at] = part.at;
  }
  addUpTo(text.length);
  return parts;
}

function byStart(one: Part, other: Part): number {
  return one.at[0] - other.at[0];
}

function keyOf({ startLine, startColumn, endLine, endColumn }: CodeRange): string {
  return [startLine, startColumn, endLine, endColumn].join(" ");
}

class GapWriter {
  readonly gaps = new Map<number, Gap>();
  text = "";
  #gap: Gap | undefined;
  /** Only blanks since the line began. */
  #isIndent = true;

  add(words: string): void {
    this.end();
    this.text += words;
  }

  addCode(words: string): void {
    for (const [word] of words.matchAll(/[ \t\v\f]+|\r\n|\r|\n|[^ \t\v\f\r\n]+/g)) {
      if (/^[^ \t\v\f\r\n]/.test(word)) this.add(word);
      else this.#addBlank(word);
    }
  }

  addComment(words: string): void {
    const gap = this.#open();
    gap.raw += words;
    gap.hasComment = true;
    gap.hasLongComment ||= /[\r\n]/.test(words);
    this.#isIndent = false;
  }

  /** Notes the gap that is open. */
  end(): void {
    if (this.#gap !== undefined) this.gaps.set(this.text.length, this.#gap);
    this.#gap = undefined;
    this.#isIndent = false;
  }

  #addBlank(word: string): void {
    const gap = this.#open();
    const isBreak = /[\r\n]/.test(word);
    gap.raw += isBreak ? "\n" : word;
    gap.hasBreak ||= isBreak;
    if (isBreak) gap.indent = "";
    else if (this.#isIndent) gap.indent += word;
    this.#isIndent ||= isBreak;
  }

  #open(): Gap {
    this.#gap ??= {
      raw: "",
      hasComment: false,
      hasLongComment: false,
      hasBreak: this.text === "",
      indent: "",
    };
    return this.#gap;
  }
}

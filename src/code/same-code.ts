import type { CodeAnalysis, Stretches } from "./code-analysis.ts";
import type { Stretch } from "./directives.ts";
import { flattenSymbols } from "./symbols.ts";
import { countWhile } from "../base/text/lines.ts";

const nothing: Gap = {
  raw: "",
  hasComment: false,
  hasLongComment: false,
  hasBreak: false,
  indent: "",
};

/**
 * Whether two texts differ in nothing but comments, blank lines and blanks at line ends. Where a comment
 * came, went or changed, the blanks beside it may differ as well, as long as it joins and splits no
 * words, signs or lines of code. Indentation is code.
 */
export function isSameCode(before: BareCode, after: BareCode): boolean {
  if (before.text !== after.text || before.isGuess !== after.isGuess) return false;
  let line = 0;
  for (const place of mergePlaces(before.gaps.keys(), after.gaps.keys())) {
    const absent = place === 0 ? { ...nothing, hasBreak: true } : nothing;
    const [was, is] = [before.gaps.get(place) ?? absent, after.gaps.get(place) ?? absent];
    if (was.hasBreak) line = place;
    if (!isSameGap(was, is, { ...before, place, line })) return false;
  }
  return true;
}

/** Two rising rows of numbers as one, each number once. */
function* mergePlaces(one: Iterator<number>, other: Iterator<number>): Iterable<number> {
  let [a, b] = [one.next(), other.next()];
  while (a.done !== true || b.done !== true) {
    const place = Math.min(
      a.done === true ? Infinity : a.value,
      b.done === true ? Infinity : b.value,
    );
    yield place;
    if (a.done !== true && a.value === place) a = one.next();
    if (b.done !== true && b.value === place) b = other.next();
  }
}

/** The code as text, for people and for patterns: without comments, blank lines and blanks at line ends. */
export function printBareCode(code: BareCode): string {
  let printed = "";
  let at = 0;
  for (const [place, gap] of code.gaps) {
    printed += code.text.slice(at, place);
    at = place;
    if (place < code.text.length) printed += printGap(gap, { ...code, place, line: 0 });
  }
  return printed + code.text.slice(at);
}

interface Place extends BareCode {
  place: number;
  /** Where the line begins. */
  line: number;
}

function isSameGap(was: Gap, is: Gap, place: Place): boolean {
  const [left, right] = around(place);
  // Nothing comes after the last line.
  if (right === "") return true;
  // A backslash needs the line to end right behind it; blanks before a tag of markup are text.
  if (left === "\\" || (left === "" && right === "<")) return was.raw === is.raw;
  if (was.hasBreak || is.hasBreak) return was.hasBreak === is.hasBreak && was.indent === is.indent;
  if (was.hasLongComment !== is.hasLongComment) return false;
  if (!was.hasComment && !is.hasComment) return was.raw === is.raw;
  return (was.raw === "") === (is.raw === "") || !isBorder(place);
}

function printGap(gap: Gap, place: Place): string {
  if (gap.hasBreak) return (place.place === 0 ? "" : "\n") + gap.indent;
  if (!gap.hasComment) return gap.raw;
  return /^[ \t]|[ \t]$/.test(gap.raw) || isBorder(place) ? " " : "";
}

function around({ text, place }: Place): readonly [left: string, right: string] {
  return [text.charAt(place - 1), text.charAt(place)];
}

/** Whether it can matter that something stands between the two characters, such as `a` and `b`. */
function isBorder(place: Place): boolean {
  const [left, right] = around(place);
  // `#define A (x)` is a value, `#define A(x)` a macro with a parameter.
  if (right === "(" && place.text.charAt(place.line) === "#") return true;
  const [one, other] = [kindOf(left), kindOf(right)];
  if (one === "bracket" || other === "bracket") return false;
  return place.isGuess || one === other || left === "." || right === ".";
}

function kindOf(character: string): "bracket" | "sign" | "word" {
  if (/[()[\]{},;]/.test(character)) return "bracket";
  return /[-+*/%<>=!&|^~?:.]/.test(character) ? "sign" : "word";
}

// Code without its comments: what has to stay where only comments may change.

export interface BareCode {
  /** The characters of the code without its gaps; strings with all that is inside of them. */
  text: string;
  /** What stood between them, in order, by the place in `text` before which it did. */
  gaps: ReadonlyMap<number, Gap>;
  /** No grammar tells where a word or a sign ends. */
  isGuess: boolean;
}

/** Blanks, line breaks and comments between two characters of code. */
interface Gap {
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
 * Cuts the comments and docstrings out of a text. Strings stay as they are, and so do comments
 * that are directives.
 */
export function bareCode(analysis: CodeAnalysis): BareCode {
  const { text } = analysis.source;
  const writer = new GapWriter();
  // Whoever asks for the symbols first has them made.
  void analysis.symbols;
  const docstrings = docstringsOf(analysis);
  const parts = joinParts(text, listCuts(analysis, docstrings), listKept(analysis, docstrings));
  for (const { kind, at } of parts) {
    const words = text.slice(...at);
    if (kind === "code") writer.addCode(words);
    else if (kind === "comment") writer.addComment(words);
    else writer.add(kind === "body" ? emptyBody : words);
  }
  writer.end();
  return { text: writer.text, gaps: writer.gaps, isGuess: analysis.language === undefined };
}

/** What is cut, in order: docstrings, and all comments except directives. */
function* listCuts({ offsets }: CodeAnalysis, docstrings: readonly Part[]): Iterable<Part> {
  const { comments, directives } = offsets;
  let next = 0;
  let directive = 0;
  for (let index = 0; index < comments.count; index++) {
    const at = stretchAt(comments, index);
    while (directive < directives.count && directives.start(directive) < at[0]) directive++;
    if (directives.start(directive) === at[0] && directive < directives.count) continue;
    for (
      let doc = docstrings[next];
      doc !== undefined && doc.at[0] < at[0];
      doc = docstrings[next]
    ) {
      yield doc;
      next++;
    }
    yield { kind: "comment", at };
  }
  yield* docstrings.slice(next);
}

/** What stays as it is, in order: directives, and all strings except docstrings. */
function* listKept({ offsets }: CodeAnalysis, docstrings: readonly Part[]): Iterable<Stretch> {
  const { directives, strings } = offsets;
  const isDocstring = new Set(docstrings.map(({ at }) => at[0]));
  let next = 0;
  for (let index = 0; index < strings.count; index++) {
    const at = stretchAt(strings, index);
    for (; next < directives.count && directives.start(next) < at[0]; next++)
      yield stretchAt(directives, next);
    if (!isDocstring.has(at[0])) yield at;
  }
  for (; next < directives.count; next++) yield stretchAt(directives, next);
}

/** Strings that document, in order; other doc comments are comments anyway. */
function docstringsOf({ docComment, offsets, source, symbols }: CodeAnalysis): Part[] {
  const own = { docComment, body: undefined };
  const parts = [own, ...flattenSymbols(symbols)].flatMap(({ docComment: range, body }): Part[] => {
    if (range === undefined) return [];
    const at = source.offsetsOf(range);
    if (endOf(offsets.strings, at[0]) !== at[1]) return [];
    const isAll =
      body !== undefined &&
      isEmpty(source.text, at[1], source.offsetsOf(body)[1], offsets.comments);
    return [{ kind: isAll ? "body" : "comment", at }];
  });
  return parts.sort((one, other) => one.at[0] - other.at[0]);
}

function isEmpty(text: string, start: number, end: number, comments: Stretches): boolean {
  let at = start;
  for (let next = at; at < end; at = next) {
    next = endOf(comments, at) ?? (/\s/.test(text.charAt(at)) ? at + 1 : at);
    if (next === at) return false;
  }
  return true;
}

/** Where the stretch ends that starts here; undefined if none does. */
function endOf(stretches: Stretches, start: number): number | undefined {
  const low = countWhile(stretches.count, (nth) => stretches.start(nth) < start);
  const isThere = low < stretches.count && stretches.start(low) === start;
  return isThere ? stretches.end(low) : undefined;
}

function stretchAt(stretches: Stretches, index: number): Stretch {
  return [stretches.start(index), stretches.end(index)];
}

/** All of the text, in order. Comments inside of strings, which interpolation has, are cut as well. */
function* joinParts(
  text: string,
  cuts: Iterable<Part>,
  kept: Iterable<Stretch>,
): Generator<Part, void, void> {
  const keeps = kept[Symbol.iterator]();
  let keep = keeps.next();
  let at = 0;
  const upTo = function* (end: number): Iterable<Part> {
    while (at < end) {
      while (keep.done !== true && keep.value[1] <= at) keep = keeps.next();
      const [from, to] = keep.done === true ? [end, end] : keep.value;
      const isKept = from <= at;
      const stop = Math.min(isKept ? to : from, end);
      yield { kind: isKept ? "kept" : "code", at: [at, stop] };
      at = stop;
    }
  };
  for (const part of cuts) {
    if (part.at[0] < at) continue;
    yield* upTo(part.at[0]);
    yield part;
    [, at] = part.at;
  }
  yield* upTo(text.length);
}

class GapWriter {
  readonly gaps = new Map<number, Gap>();
  readonly #parts: string[] = [];
  #length = 0;
  #gap: Gap | undefined;
  /** Only blanks since the line began. */
  #isIndent = true;

  get text(): string {
    return this.#parts.join("");
  }

  add(words: string): void {
    this.end();
    this.#parts.push(words);
    this.#length += words.length;
  }

  addCode(words: string): void {
    let isBlank = true;
    for (const piece of words.split(/([ \t\v\f]+|\r\n|\r|\n)/)) {
      isBlank = !isBlank;
      if (piece === "") continue;
      if (isBlank) this.#addBlank(piece);
      else this.add(piece);
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
    if (this.#gap !== undefined) this.gaps.set(this.#length, this.#gap);
    this.#gap = undefined;
    this.#isIndent = false;
  }

  #addBlank(word: string): void {
    const gap = this.#open();
    const isBreak = word === "\n" || word.startsWith("\r");
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
      hasBreak: this.#length === 0,
      indent: "",
    };
    return this.#gap;
  }
}

import { findTextChanges } from "../edit/unified-diff.ts";
import type { CodeAnalysis, Stretches } from "./code-analysis.ts";
import type { Stretch } from "./directives.ts";
import { flattenSymbols } from "./symbols.ts";
import { countWhile, isSolid, joinLines, linesOf } from "../base/text/lines.ts";

/**
 * Whether two texts differ in nothing but comments, blank lines and blanks at line ends. Where a comment
 * came, went or changed, the blanks beside it may differ as well, as long as it joins and splits no
 * words, signs or lines of code. Indentation is code.
 */
export function isSameCode(before: BareCode, after: BareCode): boolean {
  if (before.text !== after.text || before.isGuess !== after.isGuess) return false;
  const places = new Set([...before.gaps.keys(), ...after.gaps.keys()]);
  let line = 0;
  for (const place of Uint32Array.from(places).sort()) {
    const [was, is] = [gapAt(place, before), gapAt(place, after)];
    if (hasBreak(was)) line = place;
    if (!isSameGap(was, is, { ...before, place, line })) return false;
  }
  return true;
}

interface Place extends BareCode {
  place: number;
  /** Where the line begins. */
  line: number;
}

function gapAt(place: number, { gaps }: BareCode): Gap {
  return gaps.get(place) ?? { raw: "", shape: place === 0 ? "\n" : "" };
}

function isSameGap(was: Gap, is: Gap, place: Place): boolean {
  const [left, right] = around(place);
  // Nothing comes after the last line.
  if (right === "") return true;
  // A backslash needs the line to end right behind it; blanks before a tag of markup are text.
  if (left === "\\" || (left === "" && right === "<")) return was.raw === is.raw;
  if (hasBreak(was) || hasBreak(is))
    return hasBreak(was) === hasBreak(is) && indentOf(was) === indentOf(is);
  const isLong = ({ shape }: Gap): boolean => shape.includes(longComment);
  if (isLong(was) !== isLong(is)) return false;
  if (!/[#=]/.test(was.shape + is.shape)) return was.raw === is.raw;
  return (was.raw === "") === (is.raw === "") || !isBorder(place);
}

/** Whether a line ends there, and not only inside of a comment. */
function hasBreak({ shape }: Gap): boolean {
  return shape.includes("\n");
}

/** The blanks that its last line begins with. */
function indentOf({ shape }: Gap): string {
  return /^[^#=]*/.exec(shape.slice(shape.lastIndexOf("\n") + 1))?.[0] ?? "";
}

function around({ text, place }: Place): readonly [left: string, right: string] {
  return [text.charAt(place - 1), text.charAt(place)];
}

/** Whether it can matter that something is between the two characters, such as `a` and `b`. */
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
  /** As written, with `\n` as line end. */
  raw: string;
  /** The same with a sign for each comment, and a line end at the start of a text. */
  shape: string;
}

/** For a comment in a gap; for one that goes over several lines. */
const [shortComment, longComment] = ["#", "="];

/** What a docstring that is all of a body is as good as. */
const emptyBody = "...";

type Part = { kind: "code" | "kept" | "comment" | "body"; at: Stretch };

/**
 * Cuts the comments and docstrings out of a text. Strings stay as they are, and so do comments
 * that are directives.
 */
export function bareCode(analysis: CodeAnalysis): BareCode {
  const { text } = analysis.source;
  const gaps = new Map<number, Gap>();
  const parts: string[] = [];
  let length = 0;
  let gap: Gap | undefined;
  const add = (words: string): void => {
    gap = undefined;
    parts.push(words);
    length += words.length;
  };
  const addGap = (raw: string, shape = raw): void => {
    gap ??= { raw: "", shape: length === 0 ? "\n" : "" };
    gap.raw += raw;
    gap.shape += shape;
    gaps.set(length, gap);
  };
  // Whoever asks for the symbols first has them made.
  void analysis.symbols;
  for (const { kind, at } of listParts(analysis)) {
    const words = text.slice(...at);
    if (kind === "comment") addGap(words, /[\r\n]/.test(words) ? longComment : shortComment);
    else if (kind !== "code") add(kind === "body" ? emptyBody : words);
    else
      for (const piece of words.split(/([ \t\v\f]+|\r\n|\r|\n)/)) {
        if (piece === "") continue;
        if (/^[ \t\v\f]/.test(piece)) addGap(piece);
        else if (/^[\r\n]/.test(piece)) addGap("\n");
        else add(piece);
      }
  }
  return { text: parts.join(""), gaps, isGuess: analysis.language === undefined };
}

/**
 * All of the text, in order: what is cut (docstrings, and all comments except directives), what stays as it is
 * (directives, and all strings except docstrings), and the code. Comments inside of strings, which interpolation has,
 * are cut as well.
 */
function* listParts(analysis: CodeAnalysis): Generator<Part, void, void> {
  const { offsets, source } = analysis;
  const docstrings = docstringsOf(analysis);
  const directives = listAll(offsets.directives);
  const apart = new Set([...directives, ...docstrings.map(({ at }) => at)].map(([start]) => start));
  const isUsual = ([start]: Stretch): boolean => !apart.has(start);
  const comments = listAll(offsets.comments).filter(isUsual);
  const cuts: Part[] = [...docstrings, ...comments.map((at) => ({ kind: "comment", at }) as const)];
  cuts.sort((a, b) => a.at[0] - b.at[0]);
  const kept = [...directives, ...listAll(offsets.strings).filter(isUsual)];
  kept.sort((a, b) => a[0] - b[0]);
  let next = 0;
  let at = 0;
  const end: Part = { kind: "code", at: [source.text.length, source.text.length] };
  for (const part of [...cuts, end]) {
    if (part.at[0] < at) continue;
    while (at < part.at[0]) {
      while ((kept[next]?.[1] ?? Infinity) <= at) next += 1;
      const [from, to] = kept[next] ?? [Infinity, Infinity];
      const isKept = from <= at;
      const stop = Math.min(isKept ? to : from, part.at[0]);
      yield { kind: isKept ? "kept" : "code", at: [at, stop] };
      at = stop;
    }
    yield part;
    [, at] = part.at;
  }
}

function listAll(stretches: Stretches): Stretch[] {
  return Array.from({ length: stretches.count }, (_, nth) => [
    stretches.start(nth),
    stretches.end(nth),
  ]);
}

/** Strings that document; other doc comments are comments anyway. */
function docstringsOf({ docComment, offsets, source, symbols }: CodeAnalysis): Part[] {
  const own = { docComment, body: undefined };
  return [own, ...flattenSymbols(symbols)].flatMap(({ docComment: range, body }): Part[] => {
    if (range === undefined) return [];
    const at = source.offsetsOf(range);
    if (endOf(offsets.strings, at[0]) !== at[1]) return [];
    const isAll =
      body !== undefined &&
      isEmpty(source.text, at[1], source.offsetsOf(body)[1], offsets.comments);
    return [{ kind: isAll ? "body" : "comment", at }];
  });
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

/** Where a key may document the keys beside it, by language id. */
const settings = /^(?:terraform|hcl|ya?ml|jsonc?|toml|graphql)$/i;
const describing =
  /^\s*["']?(?:description|summary|title|comment|\$comment)["']? *[:=] ?(?:"(?:[^"\\]|\\.)*"|'[^']*'),?$/;

/** A text of settings without the keys that document others, and without what these change around them: columns and commas. */
export function withoutDescriptions(text: string, language: string): string {
  if (!settings.test(language)) return text;
  const lines = linesOf(text).filter((line) => !describing.test(line));
  return joinLines(lines.map((line) => line.replaceAll(/(?<! ) {1,80}(?=[=:] )|,$/g, "")));
}

const commenting = /^\s*(?:\/\/.*|(?:--+|'+|#+|;+|%+)(?:\s.*)?)$/;

/**
 * Whether two texts differ by lines that are comments in one language or another, where no text of several lines is open: for
 * languages of which nothing is known.
 */
export function differsByComments(before: string, after: string): boolean {
  const restOf = (text: string): string =>
    joinLines(linesOf(text).filter((line) => isSolid(line) && !commenting.test(line)));
  if (restOf(before) !== restOf(after)) return false;
  const places = new Set(findTextChanges(before, after).map(({ startLine }) => startLine - 1));
  const open = new Set<string>();
  return linesOf(before).every((line, at) => {
    if (places.has(at) && open.size > 0) return false;
    for (const [sign] of line.matchAll(/"""|'''|`/g)) if (!open.delete(sign)) open.add(sign);
    const end = /<<[-~]?["']?([A-Za-z_]\w*)/.exec(line)?.[1];
    if (!open.delete(line.trim()) && end !== undefined) open.add(end);
    return true;
  });
}

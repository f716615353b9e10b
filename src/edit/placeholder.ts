// Lines that stand for code left out: "...", "// ... existing code ...", "# 其余代码保持不变", in any comment style.
import { hasPlaceholderWord, readPlaceholderWords } from "./placeholder-words.ts";
import { isSolid, indentOf } from "../base/text/lines.ts";

/**
 * How sure it is that a line stands for code left out. `words` say it, and so do the dots of a `comment`. A
 * `phrase` may be a usual comment as well ("// other methods"), and bare `dots` may be code (Python has such
 * a statement): both count only where quoted lines would be lost otherwise.
 */
export type Placeholder = "words" | "comment" | "phrase" | "dots";

/** In characters: a longer line is no placeholder. */
const maxLine = 200;

const opener =
  /^(?:\/\/[/!]*|\/\*+|<!--+|<%--|<%#|\{\/\*+|\{\{!(?:--)?|\{#|\{-|\(\*+|--\[=*\[|--|@\*|#+!?|;+|%+|"""|'''|REM(?= )|\*+|'|")/;
const closer = /(?:\*\/\}?|-->|--%>|%>|\*\)|#\}|-\}|\]=*\]|\*@|--\}\}|\}\}|"""|''')$/;
const dotsAlone = /^(?:\.{3,}|[…⋯]+|。{3,}|．{3,})$/;
const dotsFirst = /^(?:\.{3}|[…⋯]|。{3}|．{3})/;
const dotsLast = /(?:\.{3}|[…⋯]|。{3}|．{3})$/;
const dotSigns = ".…⋯。．";
const bracketsFirst = "[(<{（【「《";
const bracketsLast = "])>}）】」》";
const frameSigns = "-=~*_#|:：!！ \t";
/** A spread, a rest element or a variadic: a name or a bracket right after the dots. */
const spread = /^\.{3}[\w$([{"'`@&*!~+-]/;

/** Says whether a line stands for code left out, and how sure that is. */
export function placeholderOf(line: string): Placeholder | undefined {
  if (line.length > maxLine || !mayHoldPlaceholder(line)) return undefined;
  const trimmed = line.trim();
  const [start] = opener.exec(trimmed) ?? [];
  if (start === undefined) return judgeBare(trimmed);
  const inside = trimmed.slice(start.length).trim();
  // A string, not a comment of Vim or Visual Basic.
  if (/^["']$/.test(start) && inside.includes(start)) return undefined;
  // The star of a list or of a comment that goes on; a name may follow it in code.
  if (start.startsWith("*") && /^\*+[\w(*]/.test(trimmed)) return undefined;
  const [end = ""] = closer.exec(inside) ?? [];
  const content = inside.slice(0, inside.length - end.length).trim();
  if (dotsAlone.test(content.replaceAll(" ", ""))) {
    return /^["'*]/.test(start) && end === "" ? "dots" : "comment";
  }
  return judgeComment(content, start);
}

/** Not to be taken for code, even where nothing else speaks for a placeholder. */
export function isSurePlaceholder(placeholder: Placeholder | undefined): boolean {
  return placeholder === "words" || placeholder === "comment";
}

/** Whether the line is all that a block of Python does, but for a docstring: then bare dots are a statement. */
export function isPythonBody(lines: readonly string[], at: number): boolean {
  const indent = indentOf(lines[at] ?? "").length;
  const below = lines.slice(at + 1).find(isSolid);
  if (below !== undefined && indentOf(below).length >= indent) return false;
  let isDocstring = false;
  for (let above = at - 1; above >= 0; above -= 1) {
    const line = lines[above] ?? "";
    if (!isSolid(line)) continue;
    const quotes = line.match(/"""|'''/g)?.length ?? 0;
    const isQuoted = isDocstring || quotes > 0;
    if (quotes % 2 === 1) isDocstring = !isDocstring;
    if (!isQuoted) return indentOf(line).length < indent && /:\s*(?:#.*)?$/.test(line);
  }
  return false;
}

/** A quick look: most texts hold nothing of the kind. */
export function mayHoldPlaceholder(text: string): boolean {
  return /\.{3}|[…⋯]|。{3}|．{3}/.test(text) || hasPlaceholderWord(text);
}

const inlineComment = /\/\*[^*]{0,200}\*\/|<!--[^-]{0,200}-->/g;

/** A part of a line of code that stands for code left out: `{ ... }`, or a comment that says so with dots. */
export function inlinePlaceholders(line: string): string[] {
  if (line.length > maxLine || !/\.{3}|…/.test(line)) return [];
  const comments = (line.match(inlineComment) ?? []).filter(
    (comment) => /\.{3}|…/.test(comment) && isSurePlaceholder(placeholderOf(comment)),
  );
  const tail = /[^\s/:'"`]\s+(\/\/[^/]*|#[^#]*)$/.exec(line)?.[1] ?? "";
  const hasTail = /\.{3}|…/.test(tail) && placeholderOf(tail) === "words";
  const body = /\{ ?(?:\.{3}|…) ?\}/.exec(line)?.[0];
  return [...comments, ...(hasTail ? [tail] : []), ...(body === undefined ? [] : [body])];
}

interface Dress {
  words: string;
  hasDotsFirst: boolean;
  hasDotsLast: boolean;
  hasBrackets: boolean;
}

/** Takes dots, brackets and drawn lines off both ends. */
function undress(content: string): Dress {
  const dress = { words: "", hasDotsFirst: false, hasDotsLast: false, hasBrackets: false };
  let [from, to] = [0, content.length];
  const isOf = (signs: string, at: number) => signs.includes(content.charAt(at));
  for (; from < to; from += 1) {
    if (dotsFirst.test(content.slice(from, from + 3))) dress.hasDotsFirst = true;
    else if (isOf(bracketsFirst, from)) dress.hasBrackets = true;
    else if (!isOf(dotSigns, from) && !isOf(frameSigns, from)) break;
  }
  for (; to > from; to -= 1) {
    if (dotsLast.test(content.slice(Math.max(from, to - 3), to))) dress.hasDotsLast = true;
    else if (isOf(bracketsLast, to - 1)) dress.hasBrackets = true;
    else if (!isOf(dotSigns, to - 1) && !isOf(frameSigns, to - 1)) break;
  }
  return { ...dress, words: content.slice(from, to) };
}

function judgeComment(content: string, start: string): Placeholder | undefined {
  const { words, hasDotsFirst, hasDotsLast, hasBrackets } = undress(content);
  const { isAll, isClear, hasKey, startsWithKey, count } = readPlaceholderWords(words);
  const hasDots = hasDotsFirst || hasDotsLast;
  // Code that was commented out.
  if (spread.test(content) && !hasDotsLast && count < 2) return hasKey ? "phrase" : undefined;
  if (isAll && hasKey && (hasDots || hasBrackets)) return "words";
  if (hasDotsFirst && hasDotsLast) return hasKey || isAll ? "words" : "phrase";
  if (hasDotsFirst) return startsWithKey && words.length <= 80 ? "words" : undefined;
  if (hasDotsLast && startsWithKey && isClear) return "words";
  if (!isAll || !hasKey) return undefined;
  // Such a line may be a heading of Markdown.
  const isHeading = start === "#" && /^\p{Lu}/u.test(words);
  return isClear && !isHeading ? "words" : "phrase";
}

function judgeBare(line: string): Placeholder | undefined {
  if (dotsAlone.test(line.replaceAll(" ", ""))) return "dots";
  const { words, hasDotsFirst, hasDotsLast, hasBrackets } = undress(line);
  // Signs of code, which words do not have; a string that ends in dots ends in a quote.
  if (/["'`=$&;+\\@]|[,;{([]$/.test(line)) return undefined;
  const { isAll, isClear, hasKey, count } = readPlaceholderWords(words);
  if (!isAll || !hasKey) return undefined;
  if (spread.test(line) && !hasDotsLast && !(count > 1 && isClear)) return undefined;
  if (hasDotsFirst && (hasDotsLast || count > 1)) return "words";
  if (hasDotsLast && count > 1 && isClear) return "words";
  if (/[,.]/.test(words)) return hasDotsLast ? "phrase" : undefined;
  if (hasBrackets && count > 1) return isClear || !line.startsWith("<") ? "words" : undefined;
  // A sentence of a text begins with a capital.
  if (isClear && count > 2 && !/^\p{Lu}|\.$/u.test(line)) return "words";
  return count > 1 || hasDotsLast ? "phrase" : undefined;
}

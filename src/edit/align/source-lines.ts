// A text as the aligner sees it: the lines that hold something, and what they tell by themselves, in any language.
import type { LineRange } from "../edit-unit.ts";
import { columnsOf, isSolid, trimEndSigns } from "../../base/text/lines.ts";

/** The solid lines of a text; all numbers count them from 0. */
export interface SourceLines {
  /** All lines, those without text included. */
  all: readonly string[];
  /** The numbers of the solid lines in `all`. */
  numbers: readonly number[];
  /** Their texts without spaces at both ends. */
  texts: readonly string[];
  /** Their indentation, in columns. */
  columns: readonly number[];
}

/** The indentation of lines in a string: they belong to what begins above them. */
export const deep = 1_000;

export function sourceLines(all: readonly string[]): SourceLines {
  const inside = linesInStrings(all);
  const numbers = all.flatMap((line, nth) => (isSolid(line) ? [nth] : []));
  const lines = numbers.map((nth) => all[nth] ?? "");
  const columns = numbers.map((nth, at) => (inside.has(nth) ? deep : columnsOf(lines[at] ?? "")));
  return { all, numbers, texts: lines.map((line) => line.trim()), columns };
}

/** The solid lines [from, to) of a text, with the empty ones between them. */
export function partOf(source: SourceLines, from: number, to: number): SourceLines {
  const [first = source.all.length, last = first - 1] = [
    source.numbers[from],
    source.numbers[to - 1],
  ];
  return {
    all: source.all.slice(first, last + 1),
    numbers: source.numbers.slice(from, to).map((number) => number - first),
    texts: source.texts.slice(from, to),
    columns: source.columns.slice(from, to),
  };
}

/** Lines that begin inside of a string over several lines: their spaces are text. */
export function linesInStrings(lines: readonly string[]): Set<number> {
  const inside = new Set<number>();
  let sign: string | undefined;
  for (const [nth, line] of lines.entries()) {
    if (sign !== undefined) inside.add(nth);
    if (!/`|"""|'''/.test(line)) continue;
    for (const [found] of line.matchAll(/`|"""|'''/g))
      if (sign === undefined) sign = found;
      else if (sign === found) sign = undefined;
  }
  return sign === undefined ? inside : new Set();
}

/** Whether an empty line comes before a solid line, or the text begins there. */
export function isAfterGap({ numbers }: SourceLines, at: number): boolean {
  return (numbers[at] ?? 0) > (numbers[at - 1] ?? -2) + 1;
}

/** The indentation of the outermost lines. */
export function leastColumn({ columns }: SourceLines): number {
  return columns.reduce((least, column) => Math.min(least, column), Infinity);
}

/** Of a line or a text; what comes behind tells nothing more. */
const maxCharacters = 5_000;

export function wordsOf(text: string): Set<string> {
  return new Set(text.slice(0, maxCharacters).match(/[\p{L}\p{N}_]+/gu));
}

/** The share of words that two texts have in common (Dice), from 0 to 1. */
export function likenessOfWords(one: string, other: string): number {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const shared = [...words].filter((word) => others.has(word)).length;
  return (2 * shared) / (words.size + others.size || 1);
}

const slots = 4_096;
const wide = /[\p{L}\p{N}]/u;

/** The words of a text, each once, as numbers, which are the same for two different words once in millions. */
export function createWordReader(): (text: string) => readonly number[] {
  const seen = new Int32Array(slots);
  const textOf = new Int32Array(slots);
  let texts = 0;
  return (text) => {
    const words: number[] = [];
    texts += 1;
    let hash = 0;
    for (let at = 0; at <= text.length; at += 1) {
      const code = at < text.length && at < maxCharacters ? text.charCodeAt(at) : 0;
      if (isWordSign(code)) {
        hash = Math.imul(hash ^ code, 16_777_619);
        continue;
      }
      if (hash !== 0) {
        // In case of doubt a word counts twice.
        const slot = (hash ^ (hash >>> 12)) & (slots - 1);
        if (textOf[slot] !== texts || seen[slot] !== hash) words.push(hash);
        [textOf[slot], seen[slot]] = [texts, hash];
        hash = 0;
      }
      if (at >= maxCharacters) break;
    }
    return words;
  };
}

function isWordSign(code: number): boolean {
  if (code > 127) return wide.test(String.fromCharCode(code)) || (code >= 0xd800 && code <= 0xdfff);
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95;
}

/** Whether as many brackets close as open. */
export function isEven(texts: readonly string[]): boolean {
  return bracketsOf(texts)
    .slice(0, -1)
    .every((count) => count === 0);
}

/** Lines with tags; and with one that nothing closes. */
const tagLine = /^<(?![!?])|^\/?>|\/>$/;
const voidTag = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b/i;
const tagParts = /<\/|<(?=[A-Za-z>])|\/>/g;

/**
 * Opening brackets less closing ones, by kind, those in strings that end on their line aside; 1 where a string over
 * several lines begins or ends that has no other end; and opening tags less closing ones.
 */
export function bracketsOf(texts: readonly string[]): number[] {
  const net = [0, 0, 0, 0, 0];
  let isVoid = false;
  for (const text of texts) {
    if (tagLine.test(text)) {
      const isEnd = !text.startsWith("<");
      isVoid = isEnd ? isVoid : voidTag.test(text);
      for (const [sign] of isVoid ? [] : text.matchAll(tagParts))
        net[4] = (net[4] ?? 0) + (sign === "<" ? 1 : -1);
      isVoid &&= !isEnd;
    }
    if (/"""|'''/.test(text)) net[3] = ((net[3] ?? 0) + text.split(/"""|'''/).length - 1) % 2;
    if (!/[()[\]{}]/.test(text)) continue;
    let quote = "";
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charAt(at);
      if (quote !== "") {
        if (sign === "\\") at += 1;
        else if (sign === quote) quote = "";
      } else if (/["'`]/.test(sign) && text.lastIndexOf(sign) > at) quote = sign;
      const kind = quote === "" ? "([{)]}".indexOf(sign) : -1;
      if (kind !== -1) net[kind % 3] = (net[kind % 3] ?? 0) + (kind < 3 ? 1 : -1);
    }
  }
  return net;
}

/** Both have as many open brackets. */
export function hasSameBrackets(one: readonly string[], other: readonly string[]): boolean {
  const net = bracketsOf(other);
  return bracketsOf(one).every((count, kind) => count === net[kind]);
}

const declaring =
  /(?:^|\s)(?:function|func|fun|fn|def|sub|proc|class|struct|interface|trait|enum|union|impl(?:<[^<>]*>)?|module|namespace|object|protocol|extension|record|defmodule|defp?|type)(?!\w)[ *&]*(?:\([^)]*\) ?)?([\w$.:~]+[?!]?|`[^`]+`)/;
/** A rule of CSS. */
const selector = /^(?:[.#&:*>+~[]|@(?:media|supports|layer|keyframes)\b)[^{};]*(?= ?\{$)/;
/** A property, or a variable of R, that holds a function. */
const property =
  /^["']?([\w$.]+)["']?(?:: ?| ?<- ?)(?:async )?(?:function\b|(?:\([^()]*\)|[\w$]+) ?=>)/;
/** A property that is read from a body: of Dart, `int get size => ...`, and of C#, `public int Size => ...`. */
const accessor =
  /^(?:(?:[\w.<>[\],?]+ )*get|(?:(?:public|private|protected|internal|static|virtual|override|readonly) )+[\w.<>[\],?]+) ([\w$]+)(?= ?(?:=>|\{ ?get\b|\{$))/;
/** SQL's way to declare. */
const creating =
  /^create\s+(?:or\s+replace\s+|unique\s+|temp(?:orary)?\s+|materialized\s+)*(?:table|view|index|function|procedure|trigger|type|sequence)\s+(?:if\s+not\s+exists\s+)?([\w$."`[\]]+)/i;
const control =
  /^(?:[})\]]\s*)*(?:if|elif|elsif|else|for|foreach|while|until|unless|do|switch|match|case|default|when|try|catch|except|rescue|ensure|finally|with|using|lock|guard|repeat|loop|return|throw|raise|yield|await|go|defer|new|delete|assert|print|echo|goto|break|continue|pass|puts|super)\b/;
const comment =
  /^(?:\/\/|\/\*|\*(?![\w(*])|#(?!\[|include|define|if|else|end|pragma)|--(?!\w)|<!--|;;|%%|"""|''')/;
/** What Elixir says of a function in this way, and Java's own word, are none. */
const attribute = /^(?:@(?!(?:interface|spec|callback)\b)\w|#\[|\[[\w<])/;
const importing =
  /^(?:@testable )?(?:import|from|use(?!\()|using(?! var\b| ?\()|require|require_once|include|#include|package|namespace|open|module|extern crate|mod|load|source)\b|^(?:const|let|var)\b.*\brequire\(/;

export function isComment(text: string): boolean {
  return comment.test(text);
}

/** An annotation, or a comment: it belongs to what follows, unless that begins on the same line. */
export function isHeadline(text: string): boolean {
  return isComment(text) || (isAttribute(text) && withoutAttributes(text.slice(0, 300)) === "");
}

/** The line behind the comments that a text begins with. */
export function headerEnd({ texts }: SourceLines): number {
  let at = 0;
  while (at < texts.length && isComment(texts[at] ?? "")) {
    const end = texts.findIndex((text, line) => line >= at && text.includes("*/"));
    at = texts[at]?.startsWith("/*") === true && end !== -1 ? end + 1 : at + 1;
  }
  return at;
}

/** How a comment begins; "" for a line within one, and for what is no comment. */
export function commentSign(text = ""): string {
  return /^(?:\/\*\*?|\/\/[/!]?|#(?!\[)|---?|<!--|;;|%%)/.exec(text)?.[0] ?? "";
}

/** It begins with an annotation. */
export function isAttribute(text: string): boolean {
  return attribute.test(text);
}

/** What a line has behind its annotations: nothing where they go on below. */
function withoutAttributes(text: string): string {
  let at = 0;
  while (isAttribute(text.slice(at))) {
    const rest = text.slice(at);
    const word = /^@[\w.]+(?: (?:true|false|"[^"]*"|:\w+)$)?|^#|^/.exec(rest)?.[0].length ?? 0;
    let depth = 0;
    let end = word;
    for (; end < rest.length; end += 1) {
      if ("([".includes(rest.charAt(end))) depth += 1;
      else if (depth > 0 && ")]".includes(rest.charAt(end))) depth -= 1;
      if (depth === 0) break;
    }
    const isInBrackets = "([".includes(rest.charAt(word));
    at += isInBrackets ? end + 1 : word;
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
  }
  return text.slice(at);
}

/** The first of the comments and annotations right above a line; the line itself if there are none. */
export function headlinesAbove(source: SourceLines, line: number): number {
  let first = line;
  while (!isAfterGap(source, first) && isHeadline(source.texts[first - 1] ?? ""))
    first = docStart(source, first) ?? first - 1;
  return first;
}

/** Where the documenting string begins that ends right above a line. */
function docStart(source: SourceLines, line: number): number | undefined {
  if (!stringEnds(source.texts[line - 1] ?? "")) return undefined;
  for (let at = line - 1; at >= Math.max(0, line - maxDoc); at -= 1)
    if (docEnd(source, at) === line) return at;
  return undefined;
}

/** Lines. */
const maxDoc = 200;
const stringEnds = (text: string): boolean => text.endsWith('"""');

/** The line behind a string that documents what is right below it, as in Julia and Elixir; undefined where there is none. */
export function docEnd(source: SourceLines, at: number): number | undefined {
  const { texts, columns } = source;
  const [, rest] = /^(?:@\w*doc\s+(?:~S)?)?"""(.*)$/.exec(texts[at] ?? "") ?? [];
  if (rest === undefined) return undefined;
  let last = at;
  if (!stringEnds(rest))
    do last += 1;
    while (last < Math.min(texts.length, at + maxDoc) && !stringEnds(texts[last] ?? ""));
  const isBelow = columns[last + 1] === columns[at] && !isAfterGap(source, last + 1);
  return isBelow ? last + 1 : undefined;
}

/** A line that closes what it takes the place of, with the comma with which that goes on to what is below it. */
export function closedAs(was: string | undefined, line: string): string {
  const isSame = isCloser(line.trim()) && was?.trim() === `${line.trim()},`;
  return isSame ? `${line},` : line;
}

/** A string that is a statement of its own begins: it documents what is above. */
export function isDocstring(text: string): boolean {
  return /^[rRuU]?(?:"""|''')/.test(text);
}

/** The line behind the docstring below a head; the line behind the head if there is none. */
export function docstringEnd({ texts }: SourceLines, head: number): number {
  const sign = /^[rRuU]?("""|''')/.exec(texts[head + 1] ?? "")?.[1];
  if (sign === undefined) return head + 1;
  const isOne = (texts[head + 1] ?? "").split(sign).length > 2;
  if (isOne) return head + 2;
  const end = texts.findIndex((text, line) => line > head + 1 && text.includes(sign));
  return end === -1 ? head + 1 : end + 1;
}

export function isStyleRule(text: string): boolean {
  return selector.test(text);
}

export function isImport(text: string): boolean {
  return importing.test(text) && !/^(?:namespace|module|mod|package)\b.*\{$/.test(text);
}

/** An import, or one of a list of them, as Go has it: a path in quotes, and nothing else but a name. */
export function isImportLine(text: string): boolean {
  return isImport(text) || /^(?:[\w.]+ )?"[^"\s]+"$/.test(text);
}

const blockEnd =
  /^(?:[)\]}]|(?:end(?:case|module|function|task|if|for|foreach|while|switch|generate|class|package)?|fi|done|esac)\b(?! ?[(:=])|<\/)/;

/** Something that ends a block which was begun at the same indentation. */
export function isCloser(text: string): boolean {
  return blockEnd.test(text);
}

/** `let name`; of `const Type name = ...` the second word, but not of `const name int = ...`. */
function nameBehindWord(text: string): string | undefined {
  const [all = "", word, name] =
    /^(?:[a-z]+\s+){0,5}(const|let|va[lr])\s+(?:mut\s+)?([\w$]+)/.exec(text) ?? [];
  const [, own, type] =
    /^\s+(((?:u?int|float|complex)\d*|string|bool|byte|rune)\b|[\w$]+)\s*=/.exec(
      word === "const" ? text.slice(all.length) : "",
    ) ?? [];
  return type === undefined ? (own ?? name) : name;
}

/** The name that a line declares, with parameters or a body; undefined if it seems to declare nothing. */
export function declaredName(line: string): string | undefined {
  const text = withoutAttributes(line.slice(0, 300));
  if (isComment(text) || control.test(text) || isCloser(text) || /^\d/.test(text)) return undefined;
  const word = declaring.exec(text)?.[1];
  if (word !== undefined && !/^(?:type|use|[:.]+)$/.test(word)) return word;
  const bound = nameBehindWord(text);
  if (bound !== undefined) return bound;
  const named =
    creating.exec(text)?.[1] ??
    property.exec(text)?.[1] ??
    accessor.exec(text)?.[1] ??
    selector.exec(text)?.[0].trim();
  if (named !== undefined) return named;
  // What is called with a name and a body: `router.get("/users", async (request) => {`.
  const [, callee, first] = /^([\w$]+(?:\.[\w$]+)+)\((["'`][^"'`]*["'`])[^;]*\{$/.exec(text) ?? [];
  if (callee !== undefined) return `${callee}(${first}`;
  const operator = /\boperator ?(?:\(\)|[^\s\w($]+)(?= ?\()/.exec(text)?.[0];
  if (operator !== undefined)
    return /[;,]$/.test(text) && !text.includes("=> ") ? undefined : operator;
  // `int size() => count;`
  const member = /^(?:[\w<>[\],.?]+ )+([\w$]+)\([^()]*\) =>.*;$/.exec(text)?.[1];
  if (member !== undefined) return member;
  // `resource "kind" "name" {`, `context "a name" do`
  const [block] = /^[\w.-]+(?: (?:"[^"]*"|'[^']*'),?)+(?= (?:\{|do\b))/.exec(text) ?? [];
  if (block !== undefined) return block;
  // `name(...) {`, `Type name(...)`: what is called ends otherwise, or comes behind a point or a sign.
  const call = text.indexOf("(");
  let from = call;
  while (from > 0 && /[\w$.]/.test(text.charAt(from - 1))) from -= 1;
  const isCall =
    text.slice(from, call).includes(".") || text.slice(0, from).trimEnd().endsWith("=");
  const isHead = /[{):]$|=>$|\b(?:throws|where|const|override|noexcept)\b/.test(text);
  if (isCall || !isHead || /[;,]$/.test(text) || isOperand(text, call)) return undefined;
  // What is called with a name in quotes declares that: `test("a name", () => {`.
  const [, called, quoted = ""] =
    /^(?:[\w$<>[\],.?*&:@~]+\s+)*[*&]*([\w$~:]+) ?(?:<[^>]*>)? ?\(("[^"]*"|'[^']*')?/.exec(text) ??
    [];
  if (called === "function") return undefined;
  return called === undefined || quoted === "" ? called : `${called}(${quoted}`;
}

/** An operator comes behind what is called: nothing is declared so. */
function isOperand(text: string, call: number): boolean {
  let depth = 0;
  for (let at = call; at < text.length; at += 1) {
    if (text.charAt(at) === "(") depth += 1;
    if (text.charAt(at) === ")") depth -= 1;
    if (depth === 0) return /^\)\s*(?:[-+*%|?.<]|\/(?![/*]))(?!>)/.test(text.slice(at));
  }
  return false;
}

/** The solid lines [from, to) that are in a range; from -1 where there are none. */
export function solidLinesIn(
  { startLine, endLine }: LineRange,
  { numbers }: SourceLines,
): { from: number; to: number } {
  const isMeant = (number: number): boolean => number >= startLine - 1 && number < endLine;
  return { from: numbers.findIndex(isMeant), to: numbers.findLastIndex(isMeant) + 1 };
}

/** In characters: what a longer line begins with tells as much, and patterns over millions of them run out of stack. */
export const maxHead = 2_000;

const modified =
  /^(?:public|private|protected|internal|static|final|readonly|volatile|override|lateinit) /;
const typed =
  /^(?:[A-Z][\w.]*|int|long|short|unsigned|char|bool|boolean|float|double|byte|string)[<[ ]/;
const namedTag = /^(<[\w:-]+) (?:[^<>]* )?(?:name|id|key)=("[^"]+"|'[^']+')/;

/** `private Map<String, Price> prices = ...`, `private $db;` */
function fieldIn(text: string): string | undefined {
  const set = text.search(/ =(?![=>~])/);
  if (!modified.test(text) && (set === -1 || !typed.test(text))) return undefined;
  const [head = ""] = trimEndSigns(set === -1 ? text : text.slice(0, set), ";,").split(/: /, 1);
  return /[(){}=]/.test(head) ? undefined : /(?<=[ *&])[$@]?\w+$/.exec(head)?.[0];
}

/** What a block has once: a field or a constant by its name, a key before its colon, a tag with its name. */
export function memberName(line: string): string | undefined {
  const text = line.slice(0, maxHead);
  const [, kind, id] = namedTag.exec(text) ?? [];
  return keyIn(text) ?? fieldIn(text) ?? (kind && `${kind} ${id}`);
}

function keyIn(text: string): string | undefined {
  return /^["']?[\w.$-]+["']?(?=\s?:(?![:=]))/.exec(text)?.[0];
}

/** What a line declares, or sets: all that is before its `=`, or the key before its colon. */
export function nameSetBy(line: string): string | undefined {
  const text = line.slice(0, maxHead);
  const [set = ""] = /^[^(=]+(?==(?![=>~]))/.exec(text) ?? [];
  return declaredName(text) ?? keyIn(text) ?? (set.trim() || undefined);
}

/** The same for all lines that declare a member, or set something: to set a member elsewhere is something else. */
export function settingOf(line: string): string | undefined {
  const member = memberName(line);
  const isWord = nameBehindWord(line.slice(0, maxHead)) !== undefined;
  return member === undefined || isWord ? nameSetBy(line) : `${member}:`;
}

/**
 * The first solid line behind what a line begins: deeper lines, what is open in brackets, and the line that closes it.
 *
 * @param at the number of a solid line
 */
export function unitEnd({ texts, columns }: SourceLines, at: number): number {
  const own = columns[at] ?? 0;
  const tag = /^<([A-Za-z][\w-]*)(?:\s[^<>]*)?>$/.exec(texts[at] ?? "")?.[1];
  if (tag !== undefined) return tagEnd({ texts, columns }, at, tag);
  const semicolon = query.test(texts[at] ?? "") ? queryEnd(texts, at) : undefined;
  if (semicolon !== undefined) return semicolon;
  if (isTable({ texts }, at)) {
    let end = at + 1;
    while (texts[end]?.startsWith("|") === true) end += 1;
    return end;
  }
  let isOpen = opensMore(texts[at] ?? "");
  let to = at + 1;
  for (; to < texts.length; to += 1) {
    const text = texts[to] ?? "";
    if ((columns[to] ?? 0) > own) continue;
    if ((columns[to] ?? 0) < own) return to;
    if (text.startsWith("{") && !isOpen) {
      isOpen = true;
      continue;
    }
    if (goesOn.test(text)) continue;
    if (!isCloser(text) || (text.startsWith("</") && !texts[at]?.startsWith("<"))) return to;
    if (!opensMore(text)) return to + 1;
  }
  return to;
}

/** The head of a table of Markdown: all rows below it are of it. */
export function isTable({ texts }: Pick<SourceLines, "texts">, at: number): boolean {
  return texts[at]?.startsWith("|") === true && /^\|[-:| ]+\|$/.test(texts[at + 1] ?? "");
}

/** The line behind the settings below `[name]`; undefined where there are none. */
export function sectionEnd({ texts }: SourceLines, at: number): number | undefined {
  const isHead = /^\[[^\]]+\]{1,2}$/.test(texts[at] ?? "");
  if (!isHead || !/^["']?[\w.-]+["']? ?=(?![=>])/.test(texts[at + 1] ?? "")) return undefined;
  const next = texts.findIndex((text, line) => line > at && text.startsWith("["));
  return next === -1 ? texts.length : next;
}

/** What is as deep as the head of a block, and belongs to it. */
const goesOn =
  /^(?:else|elif|elsif|catch|except|rescue|ensure|finally)\b|^(?:public|protected|private)(?: \w+)? ?:$/;

/** A statement of SQL goes on to its semicolon, whatever its lines are indented by. */
const query = /^(?:CREATE|SELECT|INSERT INTO|UPDATE|DELETE FROM|ALTER TABLE|WITH)\b(?!.*[({;]$)/;

/** The line behind the semicolon that is outside of `$$`; undefined where another statement begins before. */
function queryEnd(texts: readonly string[], at: number): number | undefined {
  let isQuoted = false;
  for (let line = at; line < Math.min(texts.length, at + maxElement); line += 1) {
    const text = texts[line] ?? "";
    if (text.split("$$").length % 2 === 0) isQuoted = !isQuoted;
    if (!isQuoted && text.endsWith(";")) return line + 1;
    if (!isQuoted && line > at && /^CREATE\b/.test(text)) return undefined;
  }
  return undefined;
}

/** In lines: a longer element is taken as one that nothing closes. */
const maxElement = 2_000;

/** The line behind the closing tag, which is as deep and comes before the next element of this name; else the next one. */
function tagEnd(
  { texts, columns }: Pick<SourceLines, "texts" | "columns">,
  at: number,
  tag: string,
): number {
  const [own = 0, opening, closing] = [columns[at], `<${tag}`, `</${tag}>`];
  for (let line = at + 1; line < Math.min(texts.length, at + maxElement); line += 1) {
    const [column = 0, text = ""] = [columns[line], texts[line]];
    if (column < own || (column === own && text.startsWith(opening))) break;
    if (column === own && text === closing) return line + 1;
  }
  return at + 1;
}

/** A line without a comment behind its code. */
export function codeIn(text: string): string {
  const comments = [" //", " #", " /*", " -- "].map((sign) => text.indexOf(sign));
  return text.slice(0, Math.min(text.length, ...comments.filter((at) => at > 0))).trimEnd();
}

/** A line that is followed by what it holds. */
function opensMore(text: string): boolean {
  const bare = codeIn(text);
  return /[{([:]$|=>$|\b(?:do|then|begin)$/.test(bare) || /^[)\]}].*->.*[:{]?$/.test(bare);
}

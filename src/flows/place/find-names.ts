// Names of code in what a person asks: found by how they are written, before anybody knows which of them exist.
import { type LineRange, encloses } from "../../edit/edit-unit.ts";
import { isFence } from "../../base/text/fence.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/symbols.ts";
import type { SourceText } from "../../code/source-text.ts";
import type { Locale } from "../../base/errors/locale.ts";

/** Lines, and the symbol that they hold, by which they are found again if the file has changed. */
export interface NamedLines extends LineRange {
  name?: string;
}

export interface AskedNames {
  /** Names that may be of code, with what is around them: `Cart.total` is `["Cart", "total"]`. */
  names: string[][];
  /** With the word before them, as in `total, lines 3-9`. */
  lines: NamedLines[];
  /** The question without its fenced blocks; files are looked for in it by their names. */
  text: string;
}

/** In characters; people put the question first, and logs after it. */
const maxQuestion = 8_000;
const maxNames = 50;
const quoted = /`([^`\n]{1,200})`/g;
/** A name with what it is reached by, and the parenthesis of a call; `item(s)` is a plural. */
const named =
  /([\p{ID_Start}_$][\p{ID_Continue}$]*(?:(?:\.|::|#|->)[\p{ID_Start}_$~][\p{ID_Continue}$]*)*)(\((?!e?s\)))?/gu;
const steps = /\.|::|#|->/;
/** Letters of scripts that are written without spaces around names. */
const unspaced = /[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]+/g;
const asked =
  /\blines? \d{1,7}(?: ?(?:[-–—~]|to) ?\d{1,7})?|第 ?\d{1,7}(?: ?(?:[-–—~～]|至|到) ?第? ?\d{1,7})? ?行|\d{1,7} ?(?:[-–—~～]|至|到) ?\d{1,7} ?行/gi;

/**
 * What a question may name. A word counts as a name of code only where it is written as one: in backticks, as a
 * call (`total()`), with what it is reached by (`Cart.total`), or in camelCase or snake_case. Lines count as
 * `lines 10-20`, `line 10`, `第 10 至 20 行`. Fenced blocks are material, and not looked at.
 */
export function findNames(question: string): AskedNames {
  const text = withoutBlocks(question.slice(0, maxQuestion))
    .replaceAll("（", "(")
    .replaceAll("）", ")");
  const inQuotes = [...text.matchAll(quoted)].map(([, code = ""]) => readCode(code));
  const plain = text.replace(quoted, (code) => " ".repeat(code.length));
  const written = [...readMarked(plain), ...readMarked(plain.replace(unspaced, " "))];
  const once = new Map([...inQuotes, ...written].map((path) => [path.join("."), path]));
  const names = [...once.values()].slice(0, maxNames);
  const lines = [...plain.matchAll(asked)].flatMap((match) => readAsked(plain, match));
  return { names, lines: lines.slice(0, maxNames), text };
}

function withoutBlocks(question: string): string {
  let isInside = false;
  return question
    .split("\n")
    .filter((line) => {
      if (isFence(line)) isInside = !isInside;
      return !isFence(line) && !isInside;
    })
    .join("\n");
}

/** The name that a piece of code is, with or without the arguments of a call; a symbol may have any name. */
function readCode(code: string): string[] {
  const name = code.trim();
  const called = name.indexOf("(");
  return (called > 0 ? name.slice(0, called) : name).split(steps);
}

function readMarked(text: string): string[][] {
  return [...text.matchAll(named)].flatMap(([, name = "", call]) => {
    const path = name.split(steps);
    return call !== undefined || path.length > 1 || isCased(name) ? [path] : [];
  });
}

/** `countLines`, `count_lines`, `HTTPServer`; not `Count`, `HTTP` or `APIs`. */
function isCased(name: string): boolean {
  return /[a-z\d][A-Z]|[A-Z]{2}[a-z]{2}|[A-Za-z\d]_+[A-Za-z\d]|^_+[A-Za-z]/.test(name);
}

function readAsked(text: string, { 0: words, index }: RegExpExecArray): NamedLines[] {
  // "Keep lines 80 characters long" names none.
  if (/^lines \d+$/i.test(words)) return [];
  const lines = readLines(words);
  if (lines === undefined) return [];
  const [, name] =
    /([^\s,，。:：]{1,200})[,，] ?$/u.exec(text.slice(Math.max(0, index - 210), index)) ?? [];
  return [name === undefined ? lines : { ...lines, name }];
}

// Which files of a request a question names, with the lines that it names of them.

export interface NamedFile {
  path: string;
  /** Written as `@path`. */
  isMentioned: boolean;
  lines: LineRange | undefined;
}

/** Paths that are looked for. */
const maxPaths = 500;
/** Places of a text that are looked at: of a text that repeats the names of many files, the first. */
const maxTries = 20_000;
/** In characters; people do not write longer paths. */
const maxPath = 1_000;
/** Folders of a path that are compared with what is written before its name. */
const maxFolders = 30;
const suffix = /^(?::(\d{1,7})(?:-(\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?)/;

/**
 * The paths that a text names by an end of theirs: `app.ts`, `src/app.ts:10-20`, `@src/app.ts#L10`. One without
 * an ending, such as `Makefile`, counts only in backticks, after `@`, or with its folder.
 */
export function matchFiles(text: string, paths: readonly string[]): NamedFile[] {
  const tries = { left: maxTries };
  return paths.slice(0, maxPaths).flatMap((path) => matchFile(text, path, tries) ?? []);
}

function matchFile(text: string, path: string, tries: { left: number }): NamedFile | undefined {
  if (path.length > maxPath) return undefined;
  const segments = path.split(/[\\/]+/).filter((segment) => segment !== "");
  const name = segments.at(-1);
  if (name === undefined || name.length < 2) return undefined;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (tries.left-- <= 0) return undefined;
    const end = at + name.length;
    // What follows tells at once that most are another name.
    if (/^[\w-]|^\.\w/.test(text.slice(end, end + 2))) continue;
    const start = startOf(text, at, segments);
    if (start === undefined) continue;
    if (!name.includes(".") && start === at && !/[@`]/.test(text.charAt(start - 1))) continue;
    const lines = readSuffix(text.slice(end, end + 20));
    return { path, isMentioned: text.charAt(start - 1) === "@", lines };
  }
  return undefined;
}

/** Where the path begins whose last segment is at `at`; undefined where the text names a longer or another one. */
function startOf(text: string, at: number, segments: readonly string[]): number | undefined {
  let start = at;
  const last = segments.length - 2;
  for (let nth = last; /[\\/]/.test(text.charAt(start - 1)); nth--) {
    if (nth < last - maxFolders) return undefined;
    const segment = segments[nth];
    const before = text.charAt(start - 2);
    if (before === ".") return start - 2;
    if (segment === undefined) return /[\w-]/.test(before) ? undefined : start - 1;
    const from = start - 1 - segment.length;
    if (from < 0 || text.slice(from, start - 1) !== segment) return undefined;
    start = from;
  }
  return /[\w.-]/.test(text.charAt(start - 1)) ? undefined : start;
}

function readSuffix(text: string): LineRange | undefined {
  const [, first, last, firstBehind = first, lastBehind = last] = suffix.exec(text) ?? [];
  return firstBehind === undefined ? undefined : toRange(firstBehind, lastBehind);
}

/** The first is never after the last. */
function toRange(first: string, last = first): LineRange {
  const lines = [Number(first), Number(last)];
  return { startLine: Math.min(...lines), endLine: Math.max(...lines) };
}

// Which symbols and files of a request a question names.

/** Of one name, and of a question: more than a person chooses from. */
const maxPlaces = 200;

type NamedCode = Pick<CodeAnalysis, "symbols" | "source">;

/** A place of the editor's file that is named. */
export interface FoundPlace extends NamedLines {
  /** Undefined: the lines themselves are named. */
  symbol: CodeSymbol | undefined;
}

/**
 * The places that are named, in the order of the text. One that holds another says only where that is, and
 * goes; of a name, so does one inside of another of the same name.
 */
export function matchNames(
  { names, lines }: Pick<AskedNames, "names" | "lines">,
  analysis: NamedCode,
): FoundPlace[] {
  const index = Map.groupBy(flattenSymbols(analysis.symbols), ({ name }) => name);
  const bySymbol = names.map((path) => outermost(matchPath(path, index)).map(toPlace));
  const allNamed = bySymbol.flat().slice(0, maxPlaces);
  const found = [
    ...bySymbol.flatMap((places) => insideOf(places, allNamed)),
    ...lines.flatMap((one) => matchLines(one, analysis) ?? []),
  ];
  const once = new Map(found.map((place) => [`${place.startLine} ${place.endLine}`, place]));
  const places = [...once.values()].slice(0, maxPlaces);
  return places
    .filter((place) => !places.some((other) => holds(place, other)))
    .toSorted((a, b) => a.startLine - b.startLine);
}

export function toPlace(symbol: CodeSymbol): FoundPlace {
  const { startLine, endLine } = symbol.range;
  return { name: fullName(symbol), startLine, endLine, symbol };
}

/** The symbols of that name; one that is declared apart from its body is where the body is. */
function matchPath(path: readonly string[], index: SymbolIndex): CodeSymbol[] {
  const called = index.get(path.at(-1) ?? "") ?? [];
  const found = called.filter((symbol) => isReached(symbol, path, index));
  const whole = found.filter(({ body }) => body !== undefined);
  return (whole.length > 0 ? whole : found).slice(0, maxPlaces);
}

/** Whether the symbol is what the path says: its types are around it, or an object of such a type is. */
function isReached(symbol: CodeSymbol, path: readonly string[], index: SymbolIndex): boolean {
  const around = path.slice(0, -1);
  if (around.length === 0) return true;
  const types = (symbol.container ?? "").split(".");
  if (around.every((name, nth) => name === types[types.length - around.length + nth])) return true;
  const owner = around.at(-1)?.toLowerCase() ?? "";
  const type = types.at(-1) ?? "";
  if (around.length > 1) return false;
  return /^(?:this|self|super)$/.test(owner)
    ? symbol.container !== undefined
    : type.toLowerCase() === owner && index.has(type);
}

/** Of several symbols of a name, those inside of another that is named, too: `total` in `Cart`. */
function insideOf(places: readonly FoundPlace[], all: readonly FoundPlace[]): FoundPlace[] {
  const inside = places.filter((place) => all.some((other) => holds(other, place)));
  return inside.length > 0 ? inside : [...places];
}

function outermost(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.filter(({ range }) => !symbols.some((other) => holds(other.range, range)));
}

/** The symbol of the name that is nearest to the lines, else the lines; undefined where the file has nothing there. */
export function matchLines(
  { name, ...lines }: NamedLines,
  { source, symbols }: NamedCode,
): FoundPlace | undefined {
  const symbol = name === undefined ? undefined : nearestSymbol(symbols, name, lines.startLine);
  if (symbol !== undefined) return toPlace(symbol);
  const range = linesWithin(source, lines);
  return range && { ...range, symbol: undefined };
}

function holds(one: LineRange, other: LineRange): boolean {
  return encloses(one, other) && !encloses(other, one);
}

/** With the types around it: `Cart.total`. */
export function fullName({ container, name }: CodeSymbol): string {
  return [container, name].filter((part) => part !== undefined && part !== "").join(".");
}

/** The symbols of a file by their names, each in the order of the text. */
type SymbolIndex = ReadonlyMap<string, readonly CodeSymbol[]>;

/** Of the symbols of a whole name, else of a name without its types, the one that is nearest to a line. */
function nearestSymbol(
  symbols: readonly CodeSymbol[],
  name: string,
  line: number,
): CodeSymbol | undefined {
  const all = flattenSymbols(symbols);
  const whole = all.filter((symbol) => fullName(symbol) === name);
  const found = whole.length > 0 ? whole : all.filter((symbol) => symbol.name === name);
  const distanceOf = ({ range }: CodeSymbol): number => Math.abs(range.startLine - line);
  return found.toSorted((one, other) => distanceOf(one) - distanceOf(other))[0];
}

/** The lines that a text has of a range; undefined where it has none, or nothing is on them. */
export function linesWithin(source: SourceText, range: LineRange): LineRange | undefined {
  const { text, lineCount } = source;
  // The end of the last line is not a line of its own.
  const count = /[\r\n]$/.test(text.slice(-1)) ? lineCount - 1 : lineCount;
  const startLine = Math.max(1, range.startLine);
  const endLine = Math.min(range.endLine, count);
  if (startLine > endLine || !/\S/.test(textOfLines(source, startLine, endLine))) return undefined;
  return { startLine, endLine };
}

/** The text of lines, 1-based and inclusive, with `\n` between them and without the last line's end. */
export function textOfLines(source: SourceText, startLine: number, endLine: number): string {
  const length = Math.max(0, Math.min(endLine, source.lineCount) - startLine + 1);
  return Array.from({ length }, (_, nth) => source.line(startLine + nth)).join("\n");
}

// A place as people write it, `total, lines 3-9` or `total，第 3 至 9 行`: printed in one language, read in both.

/** A longer text does not name a symbol, and a longer line does not name a place. */
const maxName = 200;
const maxWords = 300;

const english = /^lines? (\d{1,7})(?: ?(?:[-–—~～]|to) ?(\d{1,7}))?$/i;
const chinese = /^第? ?(\d{1,7})(?: ?(?:[-–—~～]|至|到) ?第? ?(\d{1,7}))? ?行$/;

/** Lines alone: `lines 3-9`, `line 3`. */
export function printLines({ startLine, endLine }: LineRange, locale: Locale): string {
  const isOne = startLine >= endLine;
  if (locale === "zh") return isOne ? `第 ${startLine} 行` : `第 ${startLine} 至 ${endLine} 行`;
  return isOne ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

/** A name that would not be read back is left out. */
export function printPlace({ name, ...lines }: NamedLines, locale: Locale): string {
  const words = printLines(lines, locale);
  if (name === undefined || !isPlain(name)) return words;
  return `${name}${locale === "zh" ? "，" : ", "}${words}`;
}

/** Undefined for a text that is anything but a place. */
export function readPlace(text: string): NamedLines | undefined {
  if (text.length > maxWords) return undefined;
  const words = text.trim();
  const comma = Math.max(words.lastIndexOf(","), words.lastIndexOf("，"));
  const lines = readLines(words.slice(comma + 1).trim());
  if (lines === undefined || comma === -1) return lines;
  const name = words.slice(0, comma);
  return isPlain(name) ? { ...lines, name } : undefined;
}

/** `lines 3-9` in either language. */
function readLines(words: string): LineRange | undefined {
  const [, first, last] = english.exec(words) ?? chinese.exec(words) ?? [];
  return first === undefined ? undefined : toRange(first, last);
}

function isPlain(name: string): boolean {
  return name === name.trim() && /^[^\r\n\u2028\u2029`]+$/.test(name) && name.length <= maxName;
}

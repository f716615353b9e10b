// What code consists of, as far as a parser or, without one, its lines show.
import { foldSpaces, linesOf } from "../../base/text/lines.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import type { CodeAnalysis, CodeRange, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols, symbolAt } from "../../code/symbols.ts";
import type { Subject } from "../../turn/chat-model.ts";
import type { OfflineTexts } from "./texts.ts";

export interface CodePlace extends LineRange {
  /** Lines of the person's file above the text that was sent. */
  linesAbove: number;
  isWholeFile: boolean;
}

export interface Scene {
  subject: Subject;
  analysis: CodeAnalysis;
  place: CodePlace;
  texts: OfflineTexts;
}

/** Characters of a quote, and items of a list, that are shown. */
const [maxQuote, maxItems] = [120, 40];

/** The lines of `subject.file` that are meant: its place, else what is selected or visible, else all. */
export function placeOf({ place, file, text, startLine }: Subject): CodePlace {
  const count = Math.max(1, linesOf(file).length);
  // Where only the selection was sent, it is the file.
  const linesAbove = file === text ? startLine - 1 : 0;
  const first = file === text ? 1 : startLine;
  const lines = place ?? { startLine: first, endLine: first + linesOf(text).length - 1 };
  const endLine = Math.min(lines.endLine, count);
  return {
    startLine: Math.min(lines.startLine, endLine),
    endLine,
    linesAbove,
    isWholeFile: lines.startLine <= 1 && endLine === count,
  };
}

/** Tells what the place of a subject consists of; claims nothing that the text does not show. */
export function explainCode({ subject, analysis, place, texts }: Scene): string {
  const { startLine, endLine, linesAbove } = place;
  const { symbols, source, language } = analysis;
  const lines = linesOf(source.text.replace("\uFEFF", ""));
  const range = { startLine, startColumn: 1, endLine: endLine + 1, endColumn: 1 };
  const print = (symbol: CodeSymbol): string =>
    texts.symbol(symbol.kind, code(nameOf(symbol)), symbol.range, linesAbove);
  const shown = flattenSymbols(symbols).filter((one) => startsIn(one.range, place));
  const around = symbolAt(analysis, startLine);
  const outline = itemsOf(symbols, "", (symbol) => {
    if (!startsIn(symbol.range, place)) return undefined;
    const doc = symbol.docComment && firstSentence(lines, symbol.docComment);
    return texts.entry(print(symbol), code(symbol.signature), doc ? code(doc) : "");
  });
  // Of a single function, or of a part of one.
  const isSingle = shown.filter(isCallable).length < 2;
  const branches = (isSingle ? analysis.branchesIn(range) : []).map((one) =>
    texts.branch(one.kind, one.text && code(one.text), one.range.startLine + linesAbove),
  );
  const imports = analysis.imports.filter((one) => startsIn(one.range, place));
  const own = lines.slice(startLine - 1, endLine);
  const blank = own.filter((line) => line.trim() === "").length;
  const id = subject.language === "" ? "" : code(subject.language);
  const name = subject.path === "" ? texts.unnamed : code(subject.path);
  return paragraphs(
    texts.place(name, id, startLine + linesAbove, endLine + linesAbove),
    texts.counts(own.length, blank),
    around === undefined || startsIn(around.range, place) ? "" : texts.inside(print(around)),
    shown.length === 0 && around === undefined ? texts.noOutline : "",
    list(language === undefined ? texts.plainOutline : texts.outline, outline, texts.more),
    list(texts.branches, branches, texts.more),
    list(texts.imports, [...new Set(imports.map((one) => one.source))].map(code), texts.more),
  );
}

/** A method with what holds it: `Cart.total`. */
export function nameOf(symbol: CodeSymbol): string {
  const { name, container } = symbol;
  return container === undefined || !isCallable(symbol) ? name : `${container}.${name}`;
}

/** What is inside of others comes below them. */
function itemsOf(
  symbols: readonly CodeSymbol[],
  indent: string,
  print: (symbol: CodeSymbol) => string | undefined,
): string[] {
  return symbols.flatMap((symbol) => {
    const item = print(symbol);
    if (item === undefined) return itemsOf(symbol.children, indent, print);
    return [`${indent}${item}`, ...itemsOf(symbol.children, `${indent}  `, print)];
  });
}

function firstSentence(lines: readonly string[], range: CodeRange): string {
  const words = lines
    .slice(range.startLine - 1, range.endLine)
    .map((line) => line.replace(commentSigns, "").trimEnd())
    .join("\n")
    .replace(/(?:\*\/|"""|'''|-->)$|<\/?\w+>/gm, " ");
  const text = foldSpaces(words);
  return /^.*?[.!?。！？](?=\s|$)/u.exec(text)?.[0] ?? text;
}

const commentSigns = /^\s*(?:\/\*+!?|\*(?!\/)|\/\/[/!]?|#+|--+\[*|[rbu]*"""|[rbu]*'''|<!--)?/i;

/**
 * The function or type that is meant: the one at the place. Of a whole file the only function; else what runs and is
 * what other files may use, or what comes first.
 */
export function symbolOf({ analysis, place }: Scene): CodeSymbol | undefined {
  const all = flattenSymbols(analysis.symbols);
  const { startLine, isWholeFile } = place;
  if (!isWholeFile)
    return symbolAt(analysis, startLine) ?? all.find(({ range }) => startsIn(range, place));
  const known = all.filter(({ kind }) => kind !== "module");
  const running = known.filter((symbol) => isCallable(symbol) && symbol.body !== undefined);
  if (running.length === 1) return running[0];
  const outer = known.filter(({ children }) => children.some(isCallable)).concat(running);
  const shown = outer.find(({ isExported }) => isExported) ?? outer[0];
  return shown ?? known.find(({ kind }) => kind !== "variable") ?? known[0];
}

function startsIn({ startLine }: CodeRange, place: LineRange): boolean {
  return startLine >= place.startLine && startLine <= place.endLine;
}

export function isCallable({ kind }: CodeSymbol): boolean {
  return kind === "function" || kind === "method" || kind === "constructor";
}

/** Prints text as inline code, whatever it holds: one line, of bounded length, that cannot break out. */
export function code(text: string): string {
  const line = cut(foldSpaces(text), maxQuote);
  const runs = line.match(/`+/g) ?? [];
  const ticks = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length === 0 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}

/** No character is cut in two. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/**
 * A list below its title; nothing where there are no items.
 *
 * @param more says how many items are left out
 */
export function list(
  title: string,
  items: readonly string[],
  more: (count: number) => string,
): string {
  if (items.length === 0) return "";
  const left = items.length - maxItems;
  const shown = items.slice(0, maxItems).map((item) => item.replace(/^ */, "$&- "));
  return [`${title}\n`, ...shown, ...(left > 0 ? [`- ${more(left)}`] : [])].join("\n");
}

/** Paragraphs of an answer; those without text are left out. */
export function paragraphs(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => (part.endsWith("\n") ? part : `${part}\n`))
    .join("\n");
}

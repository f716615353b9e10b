// What code consists of, as far as a parser or, without one, its lines show.
import { isPause, type Steps } from "../../edit/steps.ts";
import type { CodeAnalysis, CodeImport, CodeRange, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/flatten-symbols.ts";
import { symbolAt } from "../../code/symbol-at.ts";
import type { Subject } from "../../turn/chat-model.ts";
import { type CodePlace, isCallable, startsIn } from "./place.ts";
import { code, list, paragraphs } from "./print.ts";
import type { OfflineTexts } from "./texts.ts";
import { linesOfFile } from "./units.ts";

/** Lines that an analysis without a grammar sees. */
const maxPlainLines = 20_000;

/** Characters of a line that are looked at. */
const maxLine = 2000;

interface Scene {
  analysis: CodeAnalysis;
  place: CodePlace;
  texts: OfflineTexts;
  lines: readonly string[];
  masked: readonly string[];
  range: CodeRange;
}

/** Tells what the place of a subject consists of; claims nothing that the text does not show. */
export function* explainCode(
  { file, path, language }: Subject,
  analysis: CodeAnalysis,
  place: CodePlace,
  texts: OfflineTexts,
): Steps<string> {
  const docs = flattenSymbols(analysis.symbols).flatMap(({ docComment }) => docComment ?? []);
  const lines = linesOfFile(file);
  const masked = yield* maskComments(file, analysis, docs);
  const { startLine, endLine, linesAbove } = place;
  const endColumn = (lines[endLine - 1]?.length ?? 0) + 1;
  const whole = { startLine, startColumn: 1, endLine, endColumn };
  const scene = { analysis, place, texts, lines, masked, range: whole };
  const name = path === "" ? texts.unnamed : code(path);
  const id = language === "" ? "" : code(language);
  const where = texts.place(name, id, startLine + linesAbove, endLine + linesAbove);
  const isCut = analysis.language === undefined && endLine > maxPlainLines;
  const shown = flattenSymbols(analysis.symbols).filter(({ range }) => startsIn(range, place));
  const parts = [where, isCut ? texts.partlyRead(maxPlainLines) : ""];
  const heads = [countLines, printAround, printOutline, printLongest];
  for (const print of [...heads, printBranches, printImports, printTodos]) {
    yield;
    parts.push(print(scene, shown));
  }
  return paragraphs(...parts);
}

function countLines({ analysis, place, texts, lines, masked }: Scene): string {
  const { startLine, endLine } = place;
  const own = lines.slice(startLine - 1, endLine);
  const isBlank = (line: string | undefined): boolean => line?.trim() === "";
  const blank = own.filter(isBlank).length;
  const silent = masked.slice(startLine - 1, endLine).filter(isBlank).length;
  // Without a grammar a comment is a guess.
  const comments = analysis.language === undefined ? undefined : silent - blank;
  return texts.counts(own.length, blank, comments);
}

/** The function or type that the place is a part of. */
function printAround({ analysis, place, texts }: Scene): string {
  const symbol = symbolAt(analysis, place.startLine);
  if (symbol === undefined || startsIn(symbol.range, place)) return "";
  return texts.inside(printSymbol(symbol, place, texts));
}

function printOutline({ analysis, texts, lines, place }: Scene, shown: CodeSymbol[]): string {
  if (shown.length === 0)
    return symbolAt(analysis, place.startLine) === undefined ? texts.noOutline : "";
  const items = itemsOf(analysis.symbols, "", (symbol) => {
    if (!startsIn(symbol.range, place)) return undefined;
    const doc = symbol.docComment && firstSentence(lines, symbol.docComment);
    return texts.entry(
      printSymbol(symbol, place, texts),
      code(symbol.signature),
      doc ? code(doc) : "",
    );
  });
  const title = analysis.language === undefined ? texts.plainOutline : texts.outline;
  return list(title, items, texts.more);
}

function printSymbol(symbol: CodeSymbol, { linesAbove }: CodePlace, texts: OfflineTexts): string {
  const { kind, name, container, range } = symbol;
  const whole = container === undefined || !isCallable(symbol) ? name : `${container}.${name}`;
  return texts.symbol(kind, code(whole), range.startLine + linesAbove, range.endLine + linesAbove);
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
    .map((line) =>
      line
        .replace(commentSigns, "")
        .trimEnd()
        .replace(/(?:\*\/|"""|'''|-->)$/, ""),
    )
    .join(" ")
    .replace(/<\/?\w+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return /^.*?[.!?。！？](?=\s|$)/u.exec(words)?.[0] ?? words;
}

const commentSigns = /^\s*(?:\/\*+!?|\*(?!\/)|\/\/[/!]?|#+|--+\[*|[rbu]*"""|[rbu]*'''|<!--)?/i;

function printLongest({ place, texts }: Scene, shown: readonly CodeSymbol[]): string {
  const size = ({ range }: CodeSymbol): number => range.endLine - range.startLine;
  const [longest, ...others] = shown.filter(isCallable).toSorted((a, b) => size(b) - size(a));
  if (longest === undefined || others.length === 0) return "";
  return texts.longest(printSymbol(longest, place, texts), size(longest) + 1);
}

/** Of a single function, or of a part of one. */
function printBranches({ analysis, place, texts, range }: Scene, shown: CodeSymbol[]): string {
  if (shown.filter(isCallable).length > 1) return "";
  const items = analysis
    .branchesIn(range)
    .map(({ kind, text, range: { startLine } }) =>
      texts.branch(kind, text === "" ? "" : code(text), startLine + place.linesAbove),
    );
  return list(texts.branches, items, texts.more);
}

/** All of a file; of a part what it uses, as far as names tell. */
function printImports({ analysis, place, texts, range }: Scene): string {
  const used = new Set(place.isWholeFile ? [] : analysis.identifiersIn(range));
  const isShown = (one: CodeImport): boolean =>
    place.isWholeFile || startsIn(one.range, place) || one.names.some((name) => used.has(name));
  const sources = new Set(analysis.imports.filter(isShown).map(({ source }) => source));
  return list(texts.imports, [...sources].map(code), texts.more);
}

function printTodos({ analysis, place, texts, lines, masked }: Scene): string {
  const { startLine, endLine, linesAbove } = place;
  const items: string[] = [];
  for (let number = startLine; number <= endLine; number += 1) {
    const line = (lines[number - 1] ?? "").slice(0, maxLine);
    for (const { index } of line.matchAll(/\b(?:TODO|FIXME|XXX|HACK)\b/g)) {
      const isComment =
        analysis.language === undefined
          ? /(?:^|[\s;,{})])(?:\/\/|\/\*|\*|#|--|<!--|;;)/.test(line.slice(0, index))
          : masked[number - 1]?.[index] === " ";
      if (!isComment) continue;
      const [text = ""] = line.slice(index).split(/\*\/|-->/, 1);
      items.push(texts.todo(number + linesAbove, code(text)));
      break;
    }
  }
  return list(texts.todos, items, texts.more);
}

/** The lines of a text, each as long as it was: comments and doc strings are spaces. */
export function* maskComments(
  text: string,
  { offsets: { comments }, source }: CodeAnalysis,
  docs: readonly CodeRange[] = [],
): Steps<string[]> {
  const places = [
    ...docs.map((range) => source.offsetsOf(range)),
    ...Array.from({ length: comments.count }, (_, nth) => {
      return [comments.start(nth), comments.end(nth)] as const;
    }),
  ].toSorted(([a], [b]) => a - b);
  yield;
  const written: string[] = [];
  let next = 0;
  for (const [start, end] of places) {
    if (start < next) continue;
    written.push(text.slice(next, start), text.slice(start, end).replace(/[^\r\n]/g, " "));
    next = end;
    if (isPause(written.length)) yield;
  }
  return linesOfFile(written.join("") + text.slice(next));
}

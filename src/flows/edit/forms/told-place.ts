// Where words put code: "Add this check before the `return` in `find`:", or the heading of a section of Markdown.
import {
  columnsOf,
  indentOf,
  isSolid,
  joinLines,
  linesOf,
  solidPart,
} from "../../../base/text/lines.ts";
import type { CodeAnalysis, CodeSymbol } from "../../../code/code-analysis.ts";
import { flattenSymbols } from "../../../code/symbols.ts";
import { declaredName, headlinesAbove, sourceLines } from "../../../edit/align/source-lines.ts";
import { leavesOut } from "../../../edit/placeholder.ts";
import { findHeadings } from "../../../knowledge/markdown-sections.ts";

const adding = /\b(?:add|insert|put|place|append)\b|加|插入|放/i;
const english =
  /\b(before|above|after|below|behind|under|underneath)\s+(?:(?:the|your|this|existing|current|a|line|call|to|method|function|struct|class|last|closing|statement)\s+){0,4}`([^`]+)`/gi;
const chinese = /`([^`]+)`\s*\p{Script=Han}{0,6}?(之前|之后|前面|后面|上面|下面|上方|下方|前|后)/gu;
const isAbove = (word: string): boolean => /before|above|前|上/i.test(word);

/**
 * The text with the code at the place that the sentence tells: above or below the one symbol, or the one line, that it
 * quotes; within the symbol that it quotes beside that. Undefined if it tells no such place, or the code is not new.
 */
export function addAtToldPlace(
  text: string,
  code: string,
  sentence: string,
  { symbols }: CodeAnalysis,
): string | undefined {
  const told = [
    ...[...sentence.matchAll(english)].map(([, word = "", quoted = ""]) => ({ word, quoted })),
    ...[...sentence.matchAll(chinese)].map(([, quoted = "", word = ""]) => ({ word, quoted })),
  ];
  const [only, ...others] = told;
  if (only === undefined || others.length > 0 || !adding.test(sentence)) return undefined;
  const all = flattenSymbols(symbols);
  const lines = linesOf(text);
  const names = new Set(lines.flatMap((line) => declaredName(line.trim()) ?? []));
  const own = solidPart(linesOf(code));
  const isDeclared = own.some((line) => names.has(declaredName(line.trim()) ?? ""));
  const known = new Set(lines.map((line) => line.trim()));
  const isNew = own.filter((line) => !known.has(line.trim())).length * 2 >= own.length;
  if (own.length === 0 || isDeclared || !isNew) return undefined;
  const named = (quoted: string): CodeSymbol[] =>
    all.filter(({ name }) => name === /^[\w$]+/.exec(quoted)?.[0]);
  const [symbol, ...same] = named(only.quoted);
  const above = isAbove(only.word);
  if (symbol !== undefined && same.length === 0) {
    const source = sourceLines(lines);
    const first = source.numbers.indexOf(symbol.range.startLine - 1);
    const top = source.numbers[headlinesAbove(source, first)] ?? symbol.range.startLine - 1;
    const indent = indentOf(lines[symbol.range.startLine - 1] ?? "");
    const at = above ? top : symbol.range.endLine;
    const shown = indented(own, indent);
    return splice(lines, at, above ? [...shown, ""] : ["", ...shown]);
  }
  const [around, ...more] = [...sentence.matchAll(/`([^`]+)`/g)]
    .filter(([, quoted]) => quoted !== only.quoted)
    .flatMap(([, quoted = ""]) => named(quoted));
  const [from, to] =
    around === undefined || more.length > 0
      ? [0, lines.length]
      : [around.range.startLine, around.range.endLine];
  const starts = lines.flatMap((line, nth) =>
    nth >= from && nth < to && startsWith(line.trim(), only.quoted.trim()) ? [nth] : [],
  );
  const [line, ...equal] = starts;
  if (line === undefined || equal.length > 0) return undefined;
  const below = lines.slice(line + 1).find(isSolid) ?? "";
  const opens = !above && columnsOf(below) > columnsOf(lines[line] ?? "");
  const shown = indented(own, indentOf(opens ? below : (lines[line] ?? "")));
  return splice(lines, above ? line : line + 1, shown);
}

function startsWith(line: string, quoted: string): boolean {
  return line.startsWith(quoted) && !/^[\w$]/.test(line.slice(quoted.length));
}

function splice(lines: readonly string[], at: number, added: readonly string[]): string {
  return joinLines([...lines.slice(0, at), ...added, ...lines.slice(at)]);
}

/** The lines with their outermost ones at an indentation. */
function indented(lines: readonly string[], indent: string): string[] {
  const solid = lines.filter(isSolid).map(indentOf);
  const own = solid.reduce(
    (least, one) => (one.length < least.length ? one : least),
    solid[0] ?? "",
  );
  return lines.map((line) => (isSolid(line) ? indent + line.slice(own.length) : ""));
}

/**
 * The Markdown with a section, and what is below its heading, in place of the only one of that heading; undefined where
 * there is no such one, or the code begins with something else or leaves out lines.
 */
export function replaceSection(text: string, code: string): string | undefined {
  const [lines, own] = [linesOf(text), solidPart(linesOf(code))];
  const [head, ...below] = findHeadings(own);
  const isOne = head?.start === 0 && below.every(({ level }) => level > head.level);
  if (!isOne || leavesOut(code, (line) => lines.includes(line))) return undefined;
  const all = findHeadings(lines);
  const [place, ...twins] = all.filter((one) => one.text === head.text && one.level === head.level);
  if (place === undefined || twins.length > 0) return undefined;
  const next = all.find(({ start, level }) => start > place.start && level <= place.level);
  const end = next?.start ?? lines.length;
  const old = lines.slice(place.start, end);
  const gap = old.slice(old.findLastIndex(isSolid) + 1);
  return joinLines([...lines.slice(0, place.start), ...own, ...gap, ...lines.slice(end)]);
}

// Rules in all the ways that models write them: quoted, in lists, bold, in lower case, with other words.
import { indentOf, trimEndSigns } from "../../../base/text/lines.ts";
import { pathOfLine } from "./path-in-text.ts";
import { type Side, sideOfName, sideOfPhrase } from "../side-words.ts";
import type { Rule } from "../rule-line.ts";
import { withoutWrapper } from "./tags.ts";

/** How the rules of one unit are written; its other lines are told from them by it. */
export interface Dress {
  cover: Cover;
  /** The word of the SEARCH rule, in lower case. */
  word: string;
}

export interface DressedRule {
  rule: Rule;
  dress: Dress;
  /** Named by the rule itself. */
  filePath: string | undefined;
  /** The words are those of the format, so it is meant as a unit even if it cannot be read. */
  isSure: boolean;
}

/** What may be around a rule on its line. */
const ruleStart = /^\uFEFF?(?:\*{1,3}|_{2,3}|`{1,2}|#{1,6}[ \t]+|<!\[CDATA\[)*[ \t]*/;
const opening = /^(?<run>-{3,}|<{3,})[ \t\u00A0]*(?<word>[A-Za-z]+|[\u4E00-\u9FFF]+)/;
const closing = /^(?<run>\+{3,}|>{3,})[ \t\u00A0]*(?<word>[^\s:>+\u00A0]+)/;
const separator = /^={3,}$/;
/** Below this, only angle brackets and the upper-case word of the format make a rule. */
const leastRun = 5;
const maxLine = 400;
const blanks = " \t\u00A0";

/** Reads a line as a SEARCH rule that is not written as `readRule` knows it. */
export function readDressedRule(line: string): DressedRule | undefined {
  if (line.length > maxLine || !/[-<]{3}/.test(line)) return undefined;
  const { cover, content } = coverOf(line);
  const bare = undressed(content);
  const found = opening.exec(bare);
  const { run = "", word = "" } = found?.groups ?? {};
  const tail = bare.slice(found?.[0].length ?? 0);
  const lower = word.toLowerCase();
  if (!namesSide(lower, ["old", "find"])) return undefined;
  if (run.length < leastRun && (word !== "SEARCH" || run.startsWith("-"))) return undefined;
  const after = readTail(tail, run[0] ?? "");
  if (after === undefined) return undefined;
  const isSure = lower === "search" || lower === "搜索" || lower === "查找";
  const rule: Rule = { kind: "search", length: run.length, strict: false };
  return { rule, dress: { cover, word: lower }, filePath: after.filePath, isSure };
}

/**
 * A line of a dressed unit as it would be in a plain one: without quote marks, its rules as `readRule` knows
 * them. Indentation stays.
 */
export function undressLine(line: string, { cover, word }: Dress): string {
  const unquoted = cover.quotes === 0 ? line : withoutQuotes(line, cover);
  if (unquoted.length > maxLine || !/={3}|\+{3}|>{3}/.test(unquoted)) return unquoted;
  const indent = indentOf(unquoted).length;
  if (indent > cover.indent) return unquoted;
  const bare = undressed(unquoted.slice(indent));
  if (separator.test(bare)) return bare;
  const found = closing.exec(bare);
  if (found === null) return unquoted;
  const { run = "", word: last = "" } = found.groups ?? {};
  const tail = bare.slice(found[0].length);
  if (run.length < leastRun && last !== "REPLACE") return unquoted;
  const isNew = namesSide(last.toLowerCase(), ["new", "replace"]);
  const fits = isNew || (word === "head" && run[0] === ">");
  return fits && readTail(tail, run[0] ?? "") !== undefined ? `${run} REPLACE` : unquoted;
}

function namesSide(word: string, sides: readonly Side[]): boolean {
  const side = word === "head" ? "old" : (sideOfName(word) ?? sideOfPhrase(word));
  return side !== undefined && sides.includes(side);
}

function undressed(content: string): string {
  const text = trimEndSigns(withoutWrapper(content).replace(ruleStart, ""), blanks);
  const untagged = text.endsWith(">") ? text.replace(/(?:\]\]>|<\/[A-Za-z_]+>)$/, "") : text;
  return trimEndSigns(untagged, `${blanks}*_\``);
}

/** What may follow the word: a colon, the same signs again, a path, a number or a remark in brackets. */
function readTail(tail: string, sign: string): { filePath: string | undefined } | undefined {
  const rest = tail.replace(/^[ \t\u00A0]*[:：>]*/, "").trim();
  const isNothing =
    rest === "" ||
    trimEndSigns(rest, `${sign}<>`) === "" ||
    /^(?:\([^()]*\)|#?\d{1,4}|block|BLOCK|代码|code)$/.test(rest);
  if (isNothing) return { filePath: undefined };
  const filePath = pathOfLine(rest);
  return filePath === undefined ? undefined : { filePath };
}

// What may be around an edit or a block without being part of it: quote marks, list marks, indentation.

/** Quote marks and indentation that all lines of a block bear. */
export interface Cover {
  /** Levels of block quotes. */
  quotes: number;
  /** Each mark stands without a blank after it. */
  isTight?: boolean;
  /** Characters: up to so many blanks at the start of each line belong to the list around. */
  indent: number;
}

const quote = /^[ \t]{0,3}>[ \t]?/;
const tightQuote = /^[ \t]{0,3}>/;
const listMark = /^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?/;

/** The cover of a line, and what is in it; a list mark counts as indentation. */
export function coverOf(line: string): { cover: Cover; content: string } {
  let rest = line;
  let quotes = 0;
  for (let mark = quote.exec(rest); mark !== null && quotes < 8; mark = quote.exec(rest)) {
    rest = rest.slice(mark[0].length);
    quotes += 1;
  }
  const indent = listMark.exec(rest)?.[0].length ?? 0;
  const isTight = quotes > 0 && !/^[ \t]*>[> \t]*[ \t]/.test(line);
  return { cover: { quotes, indent, isTight }, content: rest.slice(indent) };
}

/** The line without the quote marks of the cover. */
export function withoutQuotes(line: string, { quotes, isTight = false }: Cover): string {
  let rest = line;
  const mark = isTight ? tightQuote : quote;
  for (let level = 0; level < quotes; level += 1) rest = rest.replace(mark, "");
  return rest;
}

/** Lines without the indentation of the cover, if every line that is not blank bears it. */
export function withoutIndent(lines: readonly string[], indent: number): readonly string[] {
  const bears = (line: string) => line.trim() === "" || line.slice(0, indent).trim() === "";
  if (indent === 0 || !lines.every(bears)) return lines;
  return lines.map((line) => line.slice(Math.min(indent, indentOf(line).length)));
}

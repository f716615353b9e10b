// Where words put code: "Add this check before the `return` in `find`:", or the heading of a section of Markdown.
import {
  columnsOf,
  indented,
  indentOf,
  isSolid,
  joinLines,
  linesOf,
  solidPart,
} from "../../../base/text/lines.ts";
import type { LineRange } from "../../../edit/edit-unit.ts";
import type { CodeAnalysis, CodeSymbol } from "../../../code/code-analysis.ts";
import { flattenSymbols } from "../../../code/symbols.ts";
import {
  declaredName,
  headlinesAbove,
  isAfterGap,
  isCloser,
  isComment,
  isDocstring,
  isAttribute,
  isHeadline,
  isImport,
  likenessOfWords,
  nameSetBy,
  sourceLines,
  unitEnd,
  wordsOf,
} from "../../../edit/align/source-lines.ts";
import { keywordOf } from "../../../edit/align/align-units.ts";
import { isOnlyDocs } from "../../../edit/align/place-docs.ts";
import { hasWord, rangesNamed } from "./named-lines.ts";
import {
  asksToReplace,
  ordersIn,
  quotedIn,
} from "../../../edit/read/blocks/told-words.ts";
import { leavesOut, placeholderOf } from "../../../edit/placeholder.ts";
import { findHeadings } from "../../../knowledge/markdown-sections.ts";

const adding = /\b(?:add|insert|put|place|append)\b|加|增|插入|放|补|声明/i;
/** Between a place and what is quoted are words that begin nothing else. */
const english =
  /\b(before|above|after|below|behind|under|underneath|between)\s+((?:(?:the )?line (?:that|which|where|with) |)(?:(?!(?:and|in|from|with|by|when|that|which|it|you|is|are|we|so)\b|(?!closing|opening|existing)\w+ing\b)[a-z]+\s+){0,5})`([^`]+)`/gi;
const chinese =
  /`([^`]+)`\s*(?:(?!的(?!定义|声明|赋值|调用|实现|[那这上下前后]))\p{Script=Han}){0,6}?(之前|之后|之间|前面|后面|上面|下面|上方|下方|前|后)/gu;
const numbered =
  /\b(?<en>before|above|after|below|behind|under|between)\s+lines? (?<at>\d{1,6})\b|第 ?(?<number>\d{1,6}) ?行\s*(?:代码)?的?(?<zh>之前|之后|之间|前面|后面|上面|下面|上方|下方|前|后)/gi;
const atEdge =
  /\b(?:start|beginning|top|end|bottom) of (?:the |your )?(?:\w+ ){0,2}`[^`]+`|`[^`]+`\s*(?:函数|方法)?体?的?(?:开头|开始|起始|最前面|顶部|末尾|结尾|最后面?|底部)/iu;
/** What says so is an order, whatever it orders. */
const placing =
  /\b(?:right|directly|immediately|just) (?:before|above|after|below|behind|under)\b|^\W*(?:before|after|above|below) (?:(?:the (?:\w+ )?)?`[^`]+`|lines? \d+)[,:：]|在\s*`[^`]+`\s*(?:[之以]?[前后]面?(?!的)|[上下]方)|\b(?:top|beginning|start|end|bottom) of (?:the|this|your) file\b|文件的?(?:开头|顶部|末尾|最前|最后)|^[^，。]{0,4}在[^，。]*(?:[前后]面?|[上下]方|开头|末尾|之间)[）)]*[:：]?$/i;
const aShebang = /\b(?:the )?shebang(?: line)?\b(?! ?`)|shebang ?行?/i;
/** When what is added runs leaves it an order. */
const condition = / (?:when|if|before|after)\b(?! lines? \d)[^,:`]*(?=[:：]?$)/gim;
const atEnd = /\b(?:end|bottom) of (?:the |this |your )?file\b|文件的?(?:末尾|最后|结尾|底部)/i;
const isAbove = (word: string): boolean => /before|above|前|上|间/i.test(word);

/** What a sentence quotes, and whether code goes above it. */
interface Told {
  quoted: string;
  isAbove: boolean;
  /** Where that is called. */
  isCall: boolean;
  /** Told by its number, 1-based. */
  line?: number;
  sentence: string;
}

/** The code begins, or ends, with an empty line. */
interface Edges {
  begins: boolean;
  ends: boolean;
}

/**
 * The text with the code at the place that the sentence tells: above or below the one symbol, or the one line, that it
 * quotes; within the symbol that it quotes beside that; or beside the line that the code shows first or last. Undefined
 * if it tells no such place, or the code is not new; the places if there are several such lines.
 *
 * @param within the lines that are meant
 */
export function addAtToldPlace(
  text: string,
  code: string,
  sentence: string,
  analysis: CodeAnalysis,
  within: LineRange | undefined,
): string | LineRange[] | undefined {
  const { symbols } = analysis;
  const said = withoutMe(sentence)
    // What a sentence begins with may be a place as well as a time.
    .replace(/(?<=^[-+*•\d.)\s]{0,8}|[.!?] )before (?=(?:the (?:\w+ )?)?`)/i, "Right before ");
  const orders = ordersIn(said.replace(aShebang, "`#!`").replaceAll(condition, "")).filter(
    (one) => adding.test(one) || placing.test(one),
  );
  const [lines, own] = [linesOf(text), solidPart(linesOf(code))];
  // A string that documents comes below a head.
  if (orders.length === 0 || own.length === 0 || isDocstring(own[0]?.trim() ?? ""))
    return undefined;
  const told = readTold(orders, lines);
  // What comes in at an edge may begin as a line of the file does.
  const isInside = orders.some((one) => atEdge.test(one));
  const shown = isInside ? undefined : addBesideShown(lines, own, told, within);
  if (shown !== undefined) return shown;
  // What is to be added at a line may be what the file has elsewhere.
  const isSaid = told !== undefined && orders.some((one) => adding.test(one));
  if (isInside || !isNewCode(own, lines, isSaid)) return undefined;
  const isThere = lines.includes(own[0] ?? "");
  const isAtEnd = orders.some((one) => atEnd.test(one) && !asksToReplace(one));
  const isOfTold = told !== undefined && isOnlyDocs(own);
  if (isAtEnd && !isOfTold && !isThere)
    return splice(lines, lines.findLastIndex(isSolid) + 1, ["", ...own]);
  // Code that has the line shows what is around it.
  const isAround = (line: string): boolean => isSolid(line) && line.trim() === told?.quoted;
  if (told === undefined || own.some(isAround)) return undefined;
  const named = (quoted: string): CodeSymbol[] =>
    flattenSymbols(symbols).filter(({ name }) => name === /^[\w$]+/.exec(quoted)?.[0]);
  const [symbol, ...same] = named(told.quoted);
  // A statement is no declaration.
  const isLine = told.line !== undefined || lines.some((line) => line.trim() === told.quoted);
  return symbol !== undefined && same.length === 0 && !told.isCall && !isLine
    ? addBesideSymbol(lines, own, symbol, told)
    : addBesideLine(lines, own, told, analysis, within, {
        begins: linesOf(code)[0]?.trim() === "",
        ends:
          linesOf(code).at(-1)?.trim() === "" || /\b(?:blank|empty) line\b|空行/i.test(sentence),
      });
}

/** Whoever says that they would add something gives an order all the same. */
export function withoutMe(sentence: string): string {
  return sentence.replace(
    /\bI(?:['’]d| would|['’]ll| will)(?: also)? (?=add|insert|put|place)/i,
    "",
  );
}

function readTold(orders: readonly string[], lines: readonly string[]): Told | undefined {
  const places = orders.flatMap((one) => [
    ...[...one.matchAll(english)].map(([, word = "", what = "", quoted = ""]) => ({
      word,
      quoted,
      isCall: /\bcalls?\b/i.test(what),
      sentence: one,
    })),
    ...[...one.matchAll(chinese)].map(([all, quoted = "", word = ""]) => ({
      word,
      quoted,
      isCall: all.includes("调用"),
      sentence: one,
    })),
  ]);
  const [numbers, ...more] = orders.flatMap((one) => [...one.matchAll(numbered)]);
  const { en, zh = en ?? "", at, number = at } = numbers?.groups ?? {};
  const text = lines[Number(number) - 1];
  if (text !== undefined && more.length === 0) {
    const told = { quoted: text.trim(), isCall: false, sentence: orders.join(" ") };
    return { ...told, line: Number(number), isAbove: isAbove(zh) };
  }
  // Of several places a line of the file is the nearest.
  const isLine = (one: { quoted: string }): boolean =>
    lines.some((line) => line.trim() === one.quoted);
  const [only, ...others] = places.length > 1 ? places.filter(isLine) : places;
  if (only === undefined || others.length > 0) return undefined;
  const [quoted = ""] = only.quoted.split(/(?<=.)(?:\.{3}|…)/);
  return { ...only, quoted: quoted.trimEnd(), isAbove: isAbove(only.word) };
}

/** The text with one of its imports beside the one where a sentence puts it. */
export function moveImport(text: string, line: string, sentence: string): string {
  const lines = linesOf(text);
  const told = readTold([sentence], lines);
  const rest = lines.filter((one) => one !== line);
  const at = rest.findIndex((one) => one === told?.quoted);
  const isOne = rest.length === lines.length - 1 && isImport(told?.quoted ?? "");
  if (told === undefined || at === -1 || !isOne) return text;
  return splice(rest, told.isAbove ? at : at + 1, [line]);
}

/** Lines that declare something, with its documentation and annotations. */
export function isMember(own: readonly string[]): boolean {
  const names = own.map((line) => declaredName(line.trim()));
  const isBlock = names[0] !== undefined && unitEnd(sourceLines(own), 0) > 1;
  return own.length > 1 && (isHeadline(own[0]?.trim() ?? "") || isBlock);
}

/** A line that is as much like another one may take its place. */
const mostAlike = 0.5;

/** New lines, and before or behind them the line that they come beside. */
function addBesideShown(
  lines: readonly string[],
  own: readonly string[],
  told: Told | undefined,
  within: LineRange | undefined,
): string | LineRange[] | undefined {
  const placesOf = (line = ""): number[] =>
    lines.flatMap((each, nth) => (each.trim() === line.trim() ? [nth] : []));
  const [first, last] = [placesOf(own[0]), placesOf(own.at(-1))];
  const isBelow = first.length > 0;
  const [added, places] = isBelow ? [own.slice(1), first] : [own.slice(0, -1), last];
  const anchor = lines[places[0] ?? -1] ?? "";
  // Where the sentence tells another place, the line is one of the code.
  const isMeant = told === undefined || anchor.includes(told.quoted);
  const tells = /\w{2}/.test(anchor) && !isAttribute(anchor.trim()) && isMeant;
  const isNone = (line: string): boolean =>
    !isSolid(line) || isCloser(line.trim()) || placesOf(line).length === 0;
  const isNamed = told !== undefined && isMeant;
  const isPlain =
    added.some(isSolid) && tells && isNewCode(added, lines) && (isNamed || added.every(isNone));
  if (!isPlain || places.length > maxPlaces) return undefined;
  return atOnePlace(places, within, (at) => {
    const indent = indentOf(lines[at] ?? "");
    const shown = indented(own, indent);
    const isAsDeep = indentOf(shown.at(isBelow ? 0 : -1) ?? "") === indent;
    const around = lines.slice(Math.max(0, at - own.length), at + own.length);
    // What declares something new is no new version, however much it is like another declaration.
    const isSure = (line: string): boolean =>
      isCloser(line.trim()) || declaredName(line.trim()) !== undefined;
    const isNew = added.every(
      (line) => isSure(line) || around.every((near) => likenessOfWords(line, near) < mostAlike),
    );
    return isAsDeep && isNew
      ? [...lines.slice(0, at), ...shown, ...lines.slice(at + 1)]
      : undefined;
  });
}

/** Of what a sentence quotes besides, these may say what the line is in. */
const maxNames = 3;
/** Of more lines that are the same none is meant. */
const maxPlaces = 20;

/** The text that is made at the one line of those that are meant; these lines if there are several, and each makes one. */
function atOnePlace(
  places: readonly number[],
  within: LineRange | undefined,
  make: (at: number) => readonly string[] | undefined,
): string | LineRange[] | undefined {
  const isMeant = (at: number): boolean =>
    within === undefined || (at >= within.startLine - 1 && at < within.endLine);
  const meant = places.length > 1 ? places.filter(isMeant) : places;
  const texts = (meant.length > 0 ? meant : places).map((at) => ({ at, made: make(at) }));
  const [only, ...more] = texts;
  if (only === undefined || texts.some(({ made }) => made === undefined)) return undefined;
  return more.length === 0
    ? only.made && joinLines([...only.made])
    : texts.map(({ at }) => ({ startLine: at + 1, endLine: at + 1 }));
}

/** It leaves nothing out, declares nothing that the file declares, and most of its lines are not in the file. */
export function isNewCode(
  own: readonly string[],
  lines: readonly string[],
  isSaid = false,
): boolean {
  const known = new Set(lines.map((line) => line.trim()));
  const names = new Set(lines.flatMap((line) => declaredName(line.trim()) ?? []));
  const least = Math.min(...own.filter(isSolid).map(columnsOf));
  // What is bound inside of a function may be bound in others.
  const isOld = (line: string): boolean =>
    placeholderOf(line) !== undefined ||
    (columnsOf(line) === least && names.has(declaredName(line.trim()) ?? ""));
  const added = own.filter((line) => !known.has(line.trim()));
  return !own.some(isOld) && (isSaid || added.length * 2 >= own.length);
}

function addBesideSymbol(
  lines: readonly string[],
  own: readonly string[],
  { range }: CodeSymbol,
  told: Told,
): string | undefined {
  const source = sourceLines(lines);
  // What is deeper than it comes into it.
  const least = Math.min(...own.filter(isSolid).map(columnsOf));
  if (least > columnsOf(lines[range.startLine - 1] ?? "")) return undefined;
  const first = source.numbers.indexOf(range.startLine - 1);
  const top = source.numbers[headlinesAbove(source, first)] ?? range.startLine - 1;
  const shown = indented(own, indentOf(lines[range.startLine - 1] ?? ""));
  // One line beside another is not set apart.
  const isLine = shown.length === 1 && range.startLine === range.endLine;
  // Documentation belongs to what is below it.
  const isTight =
    !isAfterGap(source, source.numbers.indexOf(top)) && isSolid(lines[range.endLine] ?? "");
  const gap = isLine || isTight || (told.isAbove && isOnlyDocs(shown)) ? [] : [""];
  return told.isAbove
    ? splice(lines, top, [...shown, ...gap])
    : splice(lines, range.endLine, [...gap, ...shown]);
}

function addBesideLine(
  lines: readonly string[],
  own: readonly string[],
  told: Told,
  analysis: CodeAnalysis,
  within: LineRange | undefined,
  edges: Edges,
): string | LineRange[] | undefined {
  const others = quotedIn(told.sentence)
    .filter((one) => one !== told.quoted)
    .slice(0, maxNames);
  const [around, ...more] = rangesNamed(others, analysis).flat();
  const isAround = around !== undefined && more.length === 0;
  const [from, to] = isAround ? [around.startLine - 1, around.endLine] : [0, lines.length];
  const places =
    told.line === undefined
      ? linesOfQuoted(lines, told).filter((nth) => nth >= from && nth < to)
      : [told.line - 1];
  return atOnePlace(places, within, (line) => besideLine(lines, own, told, line, edges));
}

/** The lines that begin with what is quoted; else those that declare it, or have all of its words, or the one that has it. */
function linesOfQuoted(lines: readonly string[], { quoted, isCall }: Told): number[] {
  const name = quoted.trim();
  const wanted = [...wordsOf(name)];
  const last = (text: string): string | undefined => text.split(/[\s.#:]+/).at(-1);
  const isDeclared = (text: string): boolean => {
    if (!text.includes(name)) return false;
    const set = nameSetBy(text);
    return set !== undefined && last(set)?.replaceAll(/["']/g, "") === name;
  };
  const holds = (text: string): boolean =>
    wanted.length > 1 &&
    wanted.every((word) => text.includes(word)) &&
    declaredName(text) !== undefined &&
    wanted.every((word) => wordsOf(text).has(word));
  const rules: readonly ((text: string) => boolean)[] = isCall
    ? [(text) => text.includes(`${name}(`) && !isDeclared(text)]
    : [(text) => startsWith(text, name), isDeclared, holds];
  for (const isMeant of rules) {
    const found = lines.flatMap((text, nth) => (isMeant(text.trim()) ? [nth] : []));
    if (found.length > 0) return found;
  }
  const [only, ...more] = lines.flatMap((text, nth) => (hasWord(text, name) ? [nth] : []));
  return only === undefined || more.length > 0 ? [] : [only];
}

function besideLine(
  lines: readonly string[],
  own: readonly string[],
  told: Told,
  line: number,
  { begins, ends }: Edges,
): string[] {
  const text = lines[line] ?? "";
  const source = sourceLines(lines);
  const below = lines.slice(line + 1).find(isSolid) ?? "";
  const opens = !told.isAbove && columnsOf(below) > columnsOf(text);
  const [kind, head] = [text, own.find((one) => !isHeadline(one.trim())) ?? ""].map(
    (one) => keywordOf(one.trim()) || (/^\s*(?:- )?[\w$-]+(?=[\s:])/.exec(one)?.[0].trim() ?? ""),
  );
  const [, callee] = /^\s*([\w$.]+)\(/.exec(text) ?? [];
  const least = Math.min(...own.filter(isSolid).map(columnsOf));
  const isAsDeep = least > 0 && least === columnsOf(text);
  // One declaration comes behind another one of its kind or its depth, or a call behind a whole one, and not into it.
  if (opens && ((kind !== "" && kind === head) || told.quoted === callee || isAsDeep)) {
    const end = source.numbers[unitEnd(source, source.numbers.indexOf(line)) - 1] ?? line;
    // Settings are not set apart.
    const isApart = isAfterGap(source, headlinesAbove(source, source.numbers.indexOf(line)));
    const gap = isApart || keywordOf(text.trim()) !== "" || told.quoted === callee ? [""] : [];
    return lines.toSpliced(end + 1, 0, ...gap, ...indented(own, indentOf(text)));
  }
  // Behind the end of a block it may be as deep as it is shown, and not in that.
  const isBehind = !told.isAbove && least >= columnsOf(below) && least < columnsOf(text);
  const [deep = ""] = own.filter((one) => columnsOf(one) === least);
  const shown = indented(own, indentOf(opens ? below : isBehind && least > 0 ? deep : text));
  // A member is set apart as others are.
  const isApart = isAfterGap(source, headlinesAbove(source, source.numbers.indexOf(line)));
  if (isMember(own) && isApart && !told.isAbove && !opens) shown.unshift("");
  // A block is set apart as the line is.
  const isBlock = own.length > 2 && !isHeadline(own.at(-1)?.trim() ?? "");
  const isLineApart = (isBlock || isComment(text.trim())) && lines[line - 1]?.trim() === "";
  if (told.isAbove && (ends || isLineApart)) shown.push("");
  if (!told.isAbove && begins && shown[0] !== "") shown.unshift("");
  if (!told.isAbove && ends && isSolid(lines[line + 1] ?? "")) shown.push("");
  return lines.toSpliced(told.isAbove ? line : line + 1, 0, ...shown);
}

export function startsWith(line: string, quoted: string): boolean {
  const isWhole = !/[\w$]$/.test(quoted) || !/^[\w$]/.test(line.slice(quoted.length));
  return line.startsWith(quoted) && isWhole;
}

function splice(lines: readonly string[], at: number, added: readonly string[]): string {
  return joinLines([...lines.slice(0, at), ...added, ...lines.slice(at)]);
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

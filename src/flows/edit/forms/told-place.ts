// The text of a file with code where the words around it put it, or the lines that the code shows.
import {
  columnsOf,
  countWhile,
  indented,
  indentOf,
  isSolid,
  joinLines,
  linesOf,
  solidPart,
  trimEndSigns,
} from "../../../base/text/lines.ts";
import type { CodeAnalysis } from "../../../code/code-analysis.ts";
import {
  closedAs,
  declaredName,
  isAttribute,
  isComment,
  isImport,
  isDocstring,
  isCloser,
  hasSameBrackets,
  isEven,
  isHeadline,
  leastColumn,
  likenessOfWords,
  nameSetBy,
  solidLinesIn,
  type SourceLines,
  sourceLines,
  unitEnd,
} from "../../../edit/align/source-lines.ts";
import { hasWords } from "../../../edit/align/line-version.ts";
import { firstWord } from "../../../edit/align/place-statements.ts";
import { isOnlyDocs } from "../../../edit/align/place-docs.ts";
import type { LineRange } from "../../../edit/edit-unit.ts";
import { asksToReplace, namesSeveral, sentencesOf } from "../../../edit/read/blocks/told-words.ts";
import { leavesOut, placeholderOf } from "../../../edit/placeholder.ts";
import { findHeadings } from "../../../knowledge/markdown-sections.ts";
import { announcesMore } from "./block-words.ts";
import { hasWord } from "./named-lines.ts";
import { type Gap, type Region, RegionReader } from "./told-region.ts";
import {
  adds,
  edgeOfFile,
  hasPlace,
  isBeside,
  isPlaced,
  keyword,
  maxTold,
  readOrder,
  type Thing,
  thingsIn,
  type Words,
} from "./told-things.ts";

/**
 * The text with the code where the words of a sentence tell: at an edge of what they name, beside it, or in place of it;
 * undefined where they tell no such place, or not all of them the same; the lines, if several of them may be meant.
 *
 * @param within the lines that are meant
 */
export function placeAsTold(
  text: string,
  code: string,
  words: Words,
  analysis: CodeAnalysis,
  within: LineRange | undefined,
): string | LineRange[] | undefined {
  const { order, told } = readOrder(words) ?? {};
  if (order === undefined || told === undefined) return undefined;
  const source = sourceLines(linesOf(text));
  const own = sourceLines(solidPart(linesOf(code)));
  const isPart = leavesOut(code, (line) => source.all.includes(line));
  if (own.texts.length === 0 || isPart) return undefined;
  // Code that shows the head of what it begins comes beside that.
  const isEdge = order.things.some(
    ({ relation, quoted = "" }) =>
      relation === "end" ||
      (relation === "start" && !(quoted !== "" && own.texts[0]?.startsWith(quoted) === true)),
  );
  const isAdded =
    adds(order.one) || edgeOfFile(order.one) !== undefined || order.things.some(isBeside);
  const beside = order.things.filter(isBeside).flatMap(({ quoted = [] }) => quoted);
  // A string that documents comes below a head.
  const isDocs = isDocstring(own.texts[0] ?? "");
  const shown =
    isEdge || isDocs || !isAdded ? undefined : addBesideShown(text, code, beside, within);
  if (shown !== undefined) return shown;
  if (edgeOfFile(words.above) !== undefined && beside.length === 0) {
    const isNew = isNewCode(own.all, source.all) && !source.all.includes(own.all[0] ?? "");
    if (!isNew || isDocs || asksToReplace(order.one)) return undefined;
    const edge = edgeOfFile(order.one);
    if (edge === "first") return joinLines([...own.all, ...source.all]);
    return edge === "end"
      ? joinLines(source.all.toSpliced(source.all.findLastIndex(isSolid) + 1, 0, "", ...own.all))
      : undefined;
  }
  const isMeant = (thing: Thing): boolean => !isPlaced(thing) && thing.word !== undefined;
  if (!order.things.some((thing) => isPlaced(thing) || isMeant(thing))) return undefined;
  const reader = new RegionReader(source, analysis);
  const scope = reader.scopeOf(order.things, told, within);
  if (scope === undefined) return undefined;
  // What is told of before may be something else.
  const wide = reader.scopeOf(order.things, [], undefined) ?? scope;
  const selected = within ? solidLinesIn(within, source) : scope;
  const places = order.things.filter((thing) => isPlaced(thing) && thing.relation !== "in");
  const [first] = places;
  if (places.length > maxPlaced) return undefined;
  if (first === undefined)
    return (
      addToEmpty(source, own, scope, reader) ??
      setAgain(source, own, scope) ??
      replaceSame(source, own, scope, order.things.filter(isMeant), reader)
    );
  if (first.relation === "replace" || first.relation === "from") {
    const find = (thing: Thing): Region | undefined =>
      reader.regionOf(thing, scope) ?? reader.regionOf(thing, within ? selected : wide);
    const region = regionToReplace(places, find, source, own);
    // Of several with one word the most alike is meant.
    const likeness = (line = ""): number => likenessOfWords(own.texts[0] ?? "", line);
    const isOther = (line: string): boolean =>
      firstWord(line) === first.word &&
      likeness(line) > likeness(source.texts[region?.from ?? -1]) + margin;
    const isWord = first.quoted === undefined && own.texts.length === 1;
    if (region === undefined || (isWord && source.texts.slice(scope.from, scope.to).some(isOther)))
      return undefined;
    // Code for a line of a block, and not for its head, takes the place of that line.
    const [was, now] = [source.texts[region.from], own.texts[0]].map((line = "") =>
      nameSetBy(line),
    );
    const isInner = isNested(source, region) && was !== now;
    const inner = isInner ? setAgain(source, own, region) : undefined;
    return inner ?? replaceRegion(source, own, region, scope);
  }
  const isAsked = announcesMore(words.above) || adds(order.one);
  const isNew = words.isMoved === true || isNewCode(own.all, source.all, isAsked);
  if (isDocs || !isNew) return undefined;
  const named = reader.named(order.things.filter((thing) => !isPlaced(thing)));
  // A declaration comes beside one, and not into what was told of before.
  const beyond = isNamedBlock(own) ? gapsIn(wide, places, reader, own) : [];
  let gaps = beyond.length === 1 ? beyond : [];
  for (const lines of [...named, scope, wide])
    if (gaps.length === 0) gaps = gapsIn(lines, places, reader, own);
  const [gap, ...twins] = gaps;
  // What comes in opens and closes as much.
  if (gap === undefined || !hasSameBrackets(own.texts, [])) return undefined;
  if (twins.length > 0)
    return [gap, ...twins].map(({ like }) => {
      const line = (source.numbers[like] ?? 0) + 1;
      return { startLine: line, endLine: line };
    });
  // Code that has a line of those around shows where it is by itself.
  const reach = beside.length > 0 ? 0 : own.texts.length;
  const around = source.texts.slice(Math.max(0, gap.at - 1 - reach), gap.at + 1 + reach);
  const bare = around.map(withoutComma);
  const isShown = (line: string): boolean =>
    /\w{2}/.test(line) && !isCloser(line) && !isHeadline(line) && bare.includes(withoutComma(line));
  if (own.texts.some(isShown)) return undefined;
  const isApart = /\b(?:blank|empty) line\b|空行/i.test(order.one);
  const lines = isApart ? [...linesOf(code), ""] : linesOf(code);
  const sides = new Set(places.map(({ relation }) => relation));
  return insertAt(source, lines, gap, sides.has("before") && sides.has("after"));
}

function isNested(source: SourceLines, { from, to }: Region): boolean {
  const { columns } = source;
  return (columns[from + 1] ?? 0) > (columns[from] ?? 0) && unitEnd(source, from) === to;
}

/** From one thing to another, or things that are next to each other and of which nothing else is used. */
function regionToReplace(
  places: readonly Thing[],
  find: (thing: Thing) => Region | undefined,
  source: SourceLines,
  own: SourceLines,
): Region | undefined {
  const [first, second] = places;
  const isSpan = first?.relation === "from" && second?.relation === "until";
  const regions = places.map(find).toSorted((one, other) => (one?.from ?? 0) - (other?.from ?? 0));
  const [start, end] = [regions[0], regions.at(-1)];
  if (start === undefined || end === undefined || regions.includes(undefined)) return undefined;
  const region = { from: start.from, to: end.to };
  const isMuch = region.to - region.from > mostOfSpan + 3 * own.texts.length;
  if (isSpan) return places.length > 2 || isMuch ? undefined : region;
  const isRow =
    places.every(({ relation }) => relation === "replace") &&
    regions.every((one, nth) => nth === 0 || one?.from === regions[nth - 1]?.to);
  return isRow && !(places.length > 1 && isUsedElsewhere(source, own, region)) ? region : undefined;
}

/** Where all of some things put code, each place once, and as deep as the outermost of them. */
function gapsIn(
  lines: Region,
  places: readonly Thing[],
  reader: RegionReader,
  own: SourceLines,
): Gap[] {
  const all = places.map((thing) => reader.gapsOf(thing, lines, places.length === 1, own));
  return [...Map.groupBy(all.flat(), ({ at }) => at).values()].flatMap((same) => {
    const isOfAll = all.every((gaps) => gaps.some((gap) => same.includes(gap)));
    const columnOf = ({ like }: Gap): number => reader.source.columns[like] ?? Infinity;
    const [outer] = same.toSorted((one, other) => columnOf(one) - columnOf(other));
    const [isStart, isLoose] = [same.some((one) => one.isStart), same.some((one) => one.isLoose)];
    return outer === undefined || !isOfAll ? [] : [{ ...outer, isStart, isLoose }];
  });
}

const withoutComma = (line: string): string => trimEndSigns(line, ",");

/** Lines that go for a few from one thing to another, which nobody shows. */
const mostOfSpan = 20;
/** Of more things in one order none is meant. */
const maxPlaced = 4;

/** A name that the region sets, and the code does not have, is in other lines. */
function isUsedElsewhere({ texts }: SourceLines, own: SourceLines, { from, to }: Region): boolean {
  const rest = texts.toSpliced(from, to - from);
  return texts.slice(from, to).some((line) => {
    const name = nameSetBy(line);
    return (
      name !== undefined &&
      !own.texts.some((one) => hasWord(one, name)) &&
      rest.some((one) => hasWord(one, name))
    );
  });
}

/**
 * The text with new lines beside the one line of the file that the code shows first or last; undefined if there is no such
 * line, or the code is not new; the places if there are several such lines.
 *
 * @param told what a sentence quotes of the line that the code comes beside
 * @param within the lines that are meant
 */
function addBesideShown(
  text: string,
  code: string,
  told: readonly string[],
  within: LineRange | undefined,
): string | LineRange[] | undefined {
  const [lines, own] = [linesOf(text), solidPart(linesOf(code))];
  const placesOf = (line = ""): number[] =>
    lines.flatMap((each, nth) => (each.trim() === line.trim() ? [nth] : []));
  const [first, last] = [placesOf(own[0]), placesOf(own.at(-1))];
  const isBelow = first.length > 0;
  const [added, places] = isBelow ? [own.slice(1), first] : [own.slice(0, -1), last];
  const anchor = lines[places[0] ?? -1] ?? "";
  // Where the sentence tells another place, the line is one of the code.
  const isMeant = told.every((one) => anchor.includes(one));
  const tells = /\w{2}/.test(anchor) && !isAttribute(anchor.trim()) && isMeant;
  const isNone = (line: string): boolean =>
    !isSolid(line) || isCloser(line.trim()) || placesOf(line).length === 0;
  // What shows all of a function shows it anew.
  const isAll = declaredName(own[0]?.trim() ?? "") !== undefined && isCloser(own.at(-1) ?? "");
  if (isBelow && isAll && unitEnd(sourceLines(own), 0) === own.filter(isSolid).length)
    return undefined;
  const isNamed = told.length > 0 && isMeant;
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

/** A line that is as much like another one may take its place. */
const mostAlike = 0.5;

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
function isNewCode(own: readonly string[], lines: readonly string[], isSaid = false): boolean {
  const known = new Set(lines.map((line) => line.trim()));
  const names = new Set(lines.flatMap((line) => declaredName(line.trim()) ?? []));
  const least = Math.min(...own.filter(isSolid).map(columnsOf));
  // What is bound inside of a function may be bound in others.
  const isOld = (line: string): boolean =>
    placeholderOf(line) !== undefined ||
    (columnsOf(line) === least && names.has(declaredName(line.trim()) ?? "")) ||
    (/^[\w.-]+:$/.test(line) && lines.includes(line));
  const added = own.filter((line) => !known.has(line.trim()));
  return !own.some(isOld) && (isSaid || added.length * 2 >= own.length);
}

/** All of it is one block whose head has a name. */
function isNamedBlock(own: SourceLines): boolean {
  const head = own.texts.findIndex((line) => !isHeadline(line));
  const text = own.texts[head] ?? "";
  const isNamed = /^\w+ +["\w]/.test(text) && !keyword.test(firstWord(text));
  return isNamed && own.texts.length > head + 2 && unitEnd(own, head) === own.texts.length;
}

/** Lines that declare something, with its documentation and annotations. */
function isMember(own: readonly string[]): boolean {
  const names = own.map((line) => declaredName(line.trim()));
  const isBlock = names[0] !== undefined && unitEnd(sourceLines(own), 0) > 1;
  return own.length > 1 && (isHeadline(own[0]?.trim() ?? "") || isBlock);
}

/** In the one empty block that is meant. */
function addToEmpty(
  source: SourceLines,
  own: SourceLines,
  scope: Region,
  reader: RegionReader,
): string | undefined {
  const body = reader.bodyOf(scope);
  const isEmpty = body !== undefined && body.from === body.to;
  return isEmpty
    ? insertAt(source, own.all, { at: body.from, like: -1, isAbove: false, isLoose: true })
    : undefined;
}

/** Lines that each set what one line of those that are meant sets, in place of that. */
function setAgain(
  { all, numbers, texts }: SourceLines,
  own: SourceLines,
  { from, to }: Region,
): string | undefined {
  const lines = [...all];
  if (to - from < 2 || to - from === texts.length || !own.texts.every((line) => isEven([line])))
    return undefined;
  for (const line of own.texts) {
    const set = nameSetBy(line);
    const isOne = (text: string, nth: number): boolean =>
      nth >= from && nth < to && nameSetBy(text) === set;
    const [at, ...more] = texts.flatMap((text, nth) => (isOne(text, nth) ? [nth] : []));
    const number = numbers[at ?? -1];
    const isLine =
      at !== undefined && isEven([texts[at] ?? ""]) && declaredName(line) === undefined;
    if (set === undefined || number === undefined || more.length > 0 || !isLine) return undefined;
    lines[number] = `${indentOf(all[number] ?? "")}${line}`;
  }
  return joinLines(lines);
}

/** A statement in place of the one that a word names, or the one of its kind in what is told of which it has all words. */
function replaceSame(
  source: SourceLines,
  own: SourceLines,
  scope: Region,
  [thing, ...more]: readonly Thing[],
  reader: RegionReader,
): string | undefined {
  const { texts } = source;
  const [word, all] = [firstWord(own.texts[0] ?? ""), own.texts.join(" ")];
  const region = thing === undefined ? scope : reader.regionOf(thing, scope);
  const isOne = more.length === 0 && unitEnd(own, 0) === own.texts.length && keyword.test(word);
  const isAll = thing === undefined && scope.to - scope.from === texts.length;
  if (region === undefined || !isOne || isAll) return undefined;
  const [at, ...others] = texts
    .slice(region.from, region.to)
    .flatMap((text, nth) => (firstWord(text) === word ? [region.from + nth] : []));
  const line = texts[at ?? -1] ?? "";
  if (at === undefined || others.length > 0) return undefined;
  return thing !== undefined || hasWords(all, line)
    ? replaceRegion(source, own, { from: at, to: unitEnd(source, at) }, scope)
    : undefined;
}

function insertAt(
  source: SourceLines,
  code: readonly string[],
  { at, like, isAbove, isLoose, isUnit = false, isStart = false }: Gap,
  isBetween = false,
): string | undefined {
  const { all, numbers } = source;
  const own = solidPart(code);
  const [head = "", model = ""] = [all[numbers[at - 1] ?? -1], all[numbers[like] ?? -1]];
  // In an empty block the code is as deep as it is shown.
  const isShown = like === -1 && columnsOf(own[0] ?? "") > columnsOf(head);
  if (like === -1 && !isShown) return undefined;
  // Behind the end of a block code may be as deep as it is shown, and not in that.
  const least = leastColumn(sourceLines(own));
  const isBehind =
    !isAbove &&
    least > 0 &&
    least < columnsOf(model) &&
    least >= columnsOf(all[numbers[at] ?? -1] ?? "");
  const deep = own.find((line) => isSolid(line) && columnsOf(line) === least) ?? "";
  const shown = isShown ? own : indented(own, indentOf(isBehind ? deep : model));
  const [above, below] = [(numbers[at - 1] ?? -1) + 1, numbers[at] ?? all.length];
  // Between two things that are set apart the code is, too, and so is a member among others; else as it is shown.
  const isBlock = isMember(own) || isUnit || (isAbove && !isStart && own.length > 2);
  const isOfNext = isOnlyDocs(own) || (isAbove && isHeadline(own.at(-1)?.trim() ?? ""));
  const isApart = isLoose && isBlock && !isOfNext;
  const begins = !isAbove && (isApart || code[0]?.trim() === "");
  const isAfter = isAbove ? isApart || (isLoose && isComment(all[below]?.trim() ?? "")) : false;
  const isNext = isAbove || isSolid(all[above] ?? "");
  const ends = isAfter || (isNext && code.at(-1)?.trim() === "");
  const gap = isBetween ? all.slice(above, below) : [];
  const line = isAbove || isBetween ? below : above;
  if (gap.length > 0) return joinLines(all.toSpliced(line, 0, ...shown, ...gap));
  return joinLines(
    all.toSpliced(line, 0, ...(begins ? [""] : []), ...shown, ...(ends ? [""] : [])),
  );
}

function replaceRegion(
  { all, numbers, texts }: SourceLines,
  own: SourceLines,
  { from, to }: Region,
  scope: Region,
): string | undefined {
  const rest = [...texts.slice(scope.from, from), ...texts.slice(to, scope.to)];
  const names = new Set(rest.flatMap((line) => declaredName(line) ?? []));
  const [beside, around] = [texts.toSpliced(from, to - from), [texts[from - 1], texts[to]]];
  // What is shown of the lines around is more than a new version, and so is a head of them.
  const isMore = (line: string, nth: number): boolean =>
    line.length > 3 &&
    !isCloser(line) &&
    !keyword.test(trimEndSigns(line, " {:(")) &&
    ((nth === 0 ? beside : /[{:]$/.test(line) ? rest : around).includes(line) ||
      names.has(declaredName(line) ?? ""));
  const [word, old] = [own.texts[0], texts[from]].map((line = "") => firstWord(line));
  // The head of a block is not all of it.
  const isOneLine = to - from > 1 && own.texts.length === 1;
  const isHead = isOneLine && (keyword.test(word ?? "") || /^<\w/.test(word ?? "")) && old === word;
  if (isHead || /(?:[({[,:]|\b(?:do|then))$/.test(own.texts.at(-1) ?? "")) return undefined;
  // Of a block whose head is shown, what is not shown may stay.
  const shownLines = new Set(own.texts);
  const gone = texts.slice(from, to).filter((line) => !shownLines.has(line));
  if (own.texts[0] === texts[from] && gone.length > 2 * own.texts.length) return undefined;
  const isWhole = from < to && isEven(own.texts) && isEven(texts.slice(from, to));
  if (!isWhole || own.texts.some(isMore)) return undefined;
  const [first = 0, last = 0] = [numbers[from], numbers[to - 1]];
  const lines = [...own.all.slice(0, -1), closedAs(texts[to - 1], own.all.at(-1) ?? "")];
  const shown = indented(lines, indentOf(all[first] ?? ""));
  return joinLines(all.toSpliced(first, last + 1 - first, ...shown));
}

/** How much two lines say the same, from 0 to 1, for one to be the other anew. */
const alike = 0.5;
/** The next best place is so much worse. */
const margin = 0.2;
/** Of more lines some may be new versions of others. */
const mostBehind = 3;

/**
 * The text with the code in place of the lines among those that are meant of which it is a new version: its first line and its
 * last one are like theirs, and like no others there. Undefined where nothing less than the file is meant.
 */
export function replaceVersion(
  text: string,
  code: string,
  words: Words,
  analysis: CodeAnalysis,
  within: LineRange | undefined,
): string | undefined {
  const [things = [], ...told] = [words.lead ?? "", words.above]
    .flatMap((one) => sentencesOf(one.slice(-maxTold)))
    .map(thingsIn)
    .toReversed();
  const isNamed = [things, ...told].flat().some(({ quoted }) => quoted !== undefined);
  if (hasPlace({ things }) || namesSeveral(words.above)) return undefined;
  const source = sourceLines(linesOf(text));
  const own = sourceLines(solidPart(linesOf(code)));
  const scope = new RegionReader(source, analysis).scopeOf(things, told.flat(), within);
  const [only = "", ...others] = own.texts;
  const number = others.length === 0 ? lineWithin(source, only, scope) : -1;
  if (number !== -1)
    return joinLines(source.all.with(number, indentOf(source.all[number] ?? "") + only));
  if ((!isNamed && within === undefined) || announcesMore(words.above)) return undefined;
  const isPart = leavesOut(code, (line) => source.all.includes(line));
  if (scope === undefined || own.texts.length === 0 || isPart) return undefined;
  const [from, lines] = [scope.from, source.texts.slice(scope.from, scope.to)];
  if (lines.length * own.texts.length > maxPairs) return undefined;
  const [first = "", last = ""] = [own.texts[0], own.texts.at(-1)];
  const isOne = unitEnd(own, 0) === own.texts.length;
  const endOf = (nth: number): number => Math.min(unitEnd(source, from + nth), scope.to);
  // A block that has all lines of the one that begins as it does comes in place of that.
  const heads = lines.flatMap((line, nth) => (line === first ? [nth] : []));
  const [head = -1] = heads;
  const isKept = (line: string): boolean => own.texts.includes(line);
  if (
    heads.length === 1 &&
    isOne &&
    own.texts.length > 2 &&
    source.texts.slice(from + head, endOf(head)).every(isKept)
  )
    return replaceRegion(source, own, { from: from + head, to: endOf(head) }, scope);
  // All of what is meant, anew: no shorter, and half of its lines stay.
  const isAll =
    head === 0 &&
    lines.length < source.texts.length &&
    own.texts.length >= lines.length &&
    lines.filter(isKept).length * 2 >= lines.length &&
    lines.at(-1)?.at(-1) === last.at(-1);
  if (isAll) return replaceRegion(source, own, scope, scope);
  const isBlock = declaredName(lines[0] ?? "") !== undefined || within === undefined;
  if (heads.length > 0 || lines.length === source.texts.length || !isBlock) return undefined;
  const likeness = (now: string, was: string): number => {
    const isOther =
      [now, was].some((one) => keyword.test(firstWord(one))) && firstWord(now) !== firstWord(was);
    return isOther ? 0 : Math.max(likenessOfWords(now, was), hasWords(now, was) ? alike : 0);
  };
  const places = lines.flatMap((line, nth) => {
    const score = likeness(first, line);
    if (score < alike || nth === 0) return [];
    const start = from + nth;
    if (isOne) return [{ from: start, to: isHeadOf(first, line) ? start + 1 : endOf(nth), score }];
    const ends = lines.slice(nth, nth + 2 * own.texts.length + 2).map((one) => likeness(last, one));
    const [best = 0, second = 0] = ends.toSorted((a, b) => b - a);
    // A new version of one line, and new lines behind it.
    const isOneLine =
      best < alike &&
      own.texts.length <= mostBehind &&
      own.texts.slice(1).every((one) => lines.every((other) => likeness(one, other) < alike));
    if (isOneLine) return [{ from: start, to: endOf(nth), score }];
    return best < alike || best - second < margin
      ? []
      : [{ from: start, to: start + ends.indexOf(best) + 1, score }];
  });
  const [best, second] = places.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score - (second?.score ?? 0) < margin) return undefined;
  if (best.to > best.from + 1 || !isOne) return replaceRegion(source, own, best, scope);
  const at = source.numbers[best.from] ?? 0;
  const now = indented(own.all, indentOf(source.all[at] ?? ""));
  return hasSameBrackets([source.texts[best.from] ?? ""], own.texts)
    ? joinLines(source.all.toSpliced(at, 1, ...now))
    : undefined;
}

/** The text with a line in place of the one that it is with something put in, if that is most of it. */
export function withPutIn(
  text: string,
  line: string,
  within: LineRange | undefined,
): string | undefined {
  const source = sourceLines(linesOf(text));
  const scope = within && solidLinesIn(within, source);
  const number = lineWithin(source, line.trim(), scope);
  const was = source.all[number] ?? "";
  if (was.trim().length * 2 < line.trim().length || source.texts.includes(line.trim()))
    return undefined;
  return joinLines(source.all.with(number, indentOf(was) + line.trim()));
}

/** The number of the one line, of the file or of what is meant, that a line is with something put in; -1 if there is none. */
function lineWithin(
  { texts, numbers }: SourceLines,
  text: string,
  { from, to }: Region = { from: 0, to: texts.length },
): number {
  const found = texts.slice(from, to).flatMap((was, nth) => {
    const head = countWhile(was.length, (at) => text.startsWith(was.slice(0, at + 1)));
    const isSame = was.length >= shortestLine && head > 1 && text.endsWith(was.slice(head));
    return isSame && text !== was ? [from + nth] : [];
  });
  return found.length === 1 ? (numbers[found[0] ?? -1] ?? -1) : -1;
}

const shortestLine = 6;

/** One line is the head of what the other begins, anew. */
function isHeadOf(now: string, was: string): boolean {
  return (
    firstWord(now) === firstWord(was) && now.at(-1) === was.at(-1) && keyword.test(firstWord(now))
  );
}

/** Lines of the code and of what is meant: a product. */
const maxPairs = 50_000;

/** The text with one of its imports beside the one where a sentence puts it. */
export function moveImport(text: string, line: string, sentence: string): string {
  const [place, ...others] = thingsIn(sentence).filter(isBeside);
  const [own, ...twins] = linesOf(text).flatMap((one, at) => (one === line ? [at] : []));
  if (place === undefined || own === undefined || others.length + twins.length > 0) return text;
  const rest = linesOf(withoutLines(text, new Set([own])));
  const at = rest.findIndex((one) => one === place.quoted && isImport(one));
  return at === -1
    ? text
    : joinLines(rest.toSpliced(place.relation === "before" ? at : at + 1, 0, line));
}

/** The text without lines, and without the empty ones that then come behind an empty one. */
export function withoutLines(text: string, gone: ReadonlySet<number>): string {
  const kept: string[] = [];
  let isBehind = false;
  for (const [at, line] of linesOf(text).entries()) {
    const isEmpty = isBehind && !isSolid(line) && !isSolid(kept.at(-1) ?? "");
    if (gone.has(at)) isBehind = true;
    else if (!isEmpty) {
      kept.push(line);
      isBehind = false;
    }
  }
  return joinLines(kept);
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

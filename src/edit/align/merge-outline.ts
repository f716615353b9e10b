// Code that shows a file, a class or settings in part, with marks or without: each member takes the place of the one of its
// name, what the marks stand for stays.
import { type AlignedFile, alignWithin } from "./align-segment.ts";
import {
  addImports,
  addOnlyImports,
  isImportUnit,
  isNewVersion,
  keyOf,
  keywordOf,
  replaceUnit,
  shareOfWay,
  type Unit,
  unitsOf,
} from "./align-units.ts";
import {
  codeIn,
  hasSameBrackets,
  headlinesAbove,
  isAfterGap,
  isCloser,
  isComment,
  isEven,
  isHeadline,
  isImport,
  isStyleRule,
  likenessOfWords,
  nameSetBy,
  partOf,
  type SourceLines,
  sourceLines,
  unitEnd,
  wordsOf,
} from "./source-lines.ts";
import { type Region, regionOf } from "./write-regions.ts";
import { countWhile, indentOf, trimEndSigns } from "../../base/text/lines.ts";
import type { Change } from "../find/merge-replace.ts";

type Regions = readonly (Region | Change)[];

/** The text of each line of the code that stands for what is left out. */
export const markText = "…";

/** Places code with marks that is one function or block: the solid lines [from, to) of the file. */
export type FillUnit = (lines: readonly string[], from: number, to: number) => Regions | undefined;

/** A unit of the file; the numbers count its solid lines. */
interface Sibling {
  unit: Unit;
  from: number;
  head: number;
  to: number;
}

/** Members that the code shows, and those that the file has there. */
interface Level {
  code: SourceLines;
  siblings: readonly Sibling[];
  /** The line behind the last sibling. */
  end: number;
  /** What is not shown stays, also where there is no mark. */
  isOpen: boolean;
  /** Of a class or of settings: no member runs anything. */
  isList: boolean;
  /** Of settings: the first word of a member tells which it is. */
  isData: boolean;
  /** Imports come to those of the file. */
  areImportsApart: boolean;
  /** Nothing says that something goes: members that are not shown stay. */
  keepsRest: boolean;
  fill: FillUnit;
}

/**
 * The changes that the code means; undefined unless that is clear.
 *
 * @param code its marks have {@link markText}
 */
export function mergeOutline(
  code: SourceLines,
  file: AlignedFile,
  fill: FillUnit,
  keepsRest = false,
): Regions | undefined {
  const { source } = file;
  if (!file.mayCompare(pairsOfLine * source.texts.length)) return undefined;
  const units = [...unitsOf(code)];
  // Without a mark there has to be something that is usually shown in part.
  const isPart = units.some((unit) => unit.lines.texts.includes(markText) || isFrame(unit));
  if (!isPart || !units.some((unit) => isBlock(unit) && !isImportUnit(unit))) return undefined;
  const imports = importsOf(units, file);
  const outer = siblingsIn(source, 0, source.texts.length);
  const heads = new Set(outer.map(({ head }) => head));
  const placesOf = ({ name, text }: Unit): readonly number[] =>
    name !== undefined ? file.declaring(name) : areSettings(text) ? file.fewPlaces(text) : [];
  const inner = [...new Set(units.flatMap((unit) => placesOf(unit).slice(0, maxTwins)))]
    .filter((at) => !heads.has(at))
    .flatMap((at) =>
      siblingsIn(source, headlinesAbove(source, at), unitEnd(source, at)).slice(0, 1),
    );
  const siblings = [...outer, ...inner].sort((a, b) => a.from - b.from);
  const kind = {
    isOpen: true,
    isList: false,
    isData: false,
    areImportsApart: true,
    keepsRest,
    fill,
  };
  const changes = mergeLevel({ code, siblings, end: source.texts.length, ...kind }, file);
  return imports && changes && [...imports, ...changes];
}

function importsOf(units: readonly Unit[], file: AlignedFile): Change[] | undefined {
  const imported = units.filter(isImportUnit);
  if (!imported.every(({ lines }) => isEven(lines.texts))) return undefined;
  const known = imported.filter(({ text }) => file.countOf(text) > 0);
  if (known.length === 0 || known.length === imported.length) return addImports(imported, file);
  // Where no mark says that there are others, some may have gone.
  const hasMarks = units.some(({ text }) => text === markText);
  const code = sourceLines(imported.flatMap(({ lines }) => lines.all));
  return hasMarks ? addOnlyImports(code, file, true) : undefined;
}

function siblingsIn(source: SourceLines, from: number, to: number): Sibling[] {
  return [...unitsOf(partOf(source, from, to))].map((unit) => ({
    unit,
    from: from + unit.from,
    head: from + unit.from + unit.head,
    to: from + unit.to,
  }));
}

const lastOf = ({ texts }: SourceLines): string => texts.at(-1) ?? "";
const isBlock = ({ from, to, head }: Unit): boolean => to - from > head + 1;

/** Blocks that declare, and run nothing. */
const framing =
  /^(?:class|struct|interface|trait|impl|module|namespace|object|enum|(?:public|protected|private)(?: \w+)?:)$/;
/** Keys, tables of SQL, resources of Terraform, and the branches of one choice. */
const settings =
  /^(?:- )?["']?[\w.$/-]+["']?:(?: *[{[])?$|^[[{]$|^[\w.-]+(?: "[^"]*")+ \{$|^create table\b.*\($|^(?:match|switch|when|select|case)\b.*\{$/i;

function areSettings(text: string): boolean {
  return isStyleRule(text) || (settings.test(text) && !framing.test(text));
}

function isFrame(unit: Unit): boolean {
  return framing.test(keywordOf(unit.text)) || framing.test(unit.text) || areSettings(unit.text);
}

/** What a pair costs that is not sure, and a member without one. */
const costs = { unsure: 0.1, unlike: 0.6, depth: 0.4, renamed: 0.8, added: 1 };
/** How much of both is the same, at least, where only the first word is, and where the name is another one. */
const [leastLike, leastRenamed] = [0.4, 0.5];
/** A second way that costs so much more is no doubt about the first. */
const clearLead = 0.15;
const maxItems = 60;
/** To read a line of the file as one of a unit takes as long as to compare so many pairs of lines. */
const pairsOfLine = 200;
/** Of more declarations with one name none of them is clear. */
const maxTwins = 50;

function likenessOf(unit: Unit, { from, to, unit: own }: Sibling, file: AlignedFile): number {
  if (!file.compare(unit.lines.texts.length * (to - from))) return 0;
  const heads = likenessOfWords(unit.text, own.text);
  return Math.max(shareOfWay(alignWithin(unit.lines, file, from, to)), 0.8 * heads);
}

/** The sibling of each item, undefined for a new one; nothing at all where another way is nearly as good. */
function pairUp(
  items: readonly Unit[],
  gaps: ReadonlySet<number>,
  { siblings, isOpen, isList, isData }: Level,
  file: AlignedFile,
): (Sibling | undefined)[] | undefined {
  const { length: rows } = items;
  if (rows > maxItems || !file.compare(rows * rows * siblings.length)) return undefined;
  const keys = siblings.map(({ unit }) => ({
    ...keyOf(unit.text, isData),
    isBlock: isBlock(unit),
  }));
  const counts = Map.groupBy(keys, ({ key }) => key);
  const shown = new Set(items.map((item) => keyOf(item.text, isData).key));
  const isGap = (row: number): boolean => isOpen || gaps.has(row);
  const pairs = items.map((item, row) => {
    const { key, isSure } = keyOf(item.text, isData);
    const isOne = isSure && counts.get(key)?.length === 1;
    // What is between others that are shown may have another name.
    const mayBeRenamed = !counts.has(key) && !isGap(row) && !isGap(row + 1);
    return siblings.map((sibling, nth) => {
      const other = keys[nth]?.key ?? "";
      if (other !== key && (!mayBeRenamed || shown.has(other))) return Infinity;
      if (isOne && other === key) return 0;
      const likeness = likenessOf(item, sibling, file);
      if (other !== key) return likeness < leastRenamed ? Infinity : costs.renamed;
      if (!isSure && likeness < leastLike) return Infinity;
      const isAsDeep = item.lines.columns[item.head] === file.source.columns[sibling.head];
      const doubt = (isSure ? 0 : costs.unsure) + (isAsDeep ? 0 : costs.depth);
      return doubt + costs.unlike * (1 - likeness);
    });
  });
  const question: Pairing = {
    pairs,
    added: items.map(() => costs.added),
    // Behind a sibling those come that are not inside of it.
    nexts: siblings.map(({ to }, at) => {
      const more = countWhile(
        siblings.length - at - 1,
        (nth) => (siblings[at + 1 + nth]?.from ?? to) < to,
      );
      return at + 1 + more;
    }),
    // Nobody takes out a whole member without a word.
    mayStay: (row, at) => isGap(row) || (isList && keys[at]?.isSure === true && keys[at].isBlock),
  };
  const best = cheapestPairs(question);
  if (best === undefined) return undefined;
  const isClear = best.chosen.every((chosen, row) => {
    if (chosen === undefined) return true;
    const others = pairs.with(row, (pairs[row] ?? []).with(chosen, Infinity));
    const next = cheapestPairs({
      ...question,
      pairs: others,
      added: question.added.with(row, Infinity),
    });
    return next === undefined || next.cost >= best.cost + clearLead;
  });
  return isClear ? best.chosen.map((at) => siblings[at ?? -1]) : undefined;
}

interface Pairing {
  /** What each pair costs: a row for each item, a column for each sibling. */
  pairs: readonly (readonly number[])[];
  /** What each item costs without a sibling. */
  added: readonly number[];
  /** The first sibling that may come behind each. */
  nexts: readonly number[];
  /** Whether a sibling may be left out above an item. */
  mayStay: (row: number, at: number) => boolean;
}

/** The cheapest pairs that are in order in both; undefined where there are none. */
function cheapestPairs({
  pairs,
  added,
  nexts,
  mayStay,
}: Pairing): { cost: number; chosen: (number | undefined)[] } | undefined {
  const [rows, width] = [pairs.length, nexts.length];
  // What the items from a row on cost, with the siblings from a place on.
  const table = Array.from({ length: rows + 1 }, () => new Float64Array(width + 1).fill(Infinity));
  const cell = (row: number, at: number): number => table[row]?.[at] ?? Infinity;
  const pair = (row: number, at: number): number =>
    (pairs[row]?.[at] ?? Infinity) + cell(row + 1, nexts[at] ?? Infinity);
  const skip = (row: number, at: number): number =>
    mayStay(row, at) ? cell(row, at + 1) : Infinity;
  for (let row = rows; row >= 0; row -= 1)
    for (let at = width; at >= 0; at -= 1) {
      const isEnd = row === rows && at === width;
      const none = (added[row] ?? Infinity) + cell(row + 1, at);
      table[row]?.set([isEnd ? 0 : Math.min(pair(row, at), skip(row, at), none)], at);
    }
  const cost = cell(0, 0);
  if (cost === Infinity) return undefined;
  const chosen: (number | undefined)[] = [];
  for (let [row, at] = [0, 0]; row < rows;) {
    const best = cell(row, at);
    if (pair(row, at) === best) {
      chosen.push(at);
      [row, at] = [row + 1, nexts[at] ?? width];
    } else if (skip(row, at) === best) at += 1;
    else {
      chosen.push(undefined);
      row += 1;
    }
  }
  return { cost, chosen };
}

function mergeLevel(level: Level, file: AlignedFile): Regions | undefined {
  const { code, siblings, isList, isData } = level;
  const units = [...unitsOf(code)];
  const isApart = (unit: Unit): boolean => level.areImportsApart && isImportUnit(unit);
  // A comment that is set apart is of no unit, and one above a mark is of the mark.
  const isNew = (text: string): boolean => file.countOf(text) === 0;
  const isOfUnit = (at: number): boolean => units.some(({ from, to }) => at >= from && at < to);
  if (code.texts.some((text, at) => !isOfUnit(at) && isNew(text))) return undefined;
  const items: Unit[] = [];
  const gaps = new Set<number>();
  for (const unit of units.filter((one) => !isApart(one))) {
    if (unit.text !== markText) items.push(unit);
    else if (isBlock(unit) || unit.lines.texts.slice(0, unit.head).some(isNew)) return undefined;
    else gaps.add(items.length);
  }
  const places = pairUp(items, gaps, level, file);
  if (places === undefined || places.every((place) => place === undefined)) return undefined;
  const regions: (Region | Change)[] = [];
  for (const [nth, item] of items.entries()) {
    const place = places[nth];
    const { key, isSure } = keyOf(item.text, isData);
    const isOnly =
      place !== undefined &&
      siblings.filter(({ unit }) => keyOf(unit.text, isData).key === key).length === 1;
    // What nothing names is what begins and ends as it does; a line of its own may be anything.
    const hasEnds =
      place === undefined ||
      (item.text === place.unit.text && lastOf(item.lines) === lastOf(place.unit.lines));
    const isKnown = isBlock(item) ? isSure || isOnly || hasEnds : isSure && (isList || isOnly);
    const isSame = place !== undefined && isSameUnit(item, place);
    if (!isKnown && !isSame) return undefined;
    const own =
      place === undefined
        ? addItem(nth, items, places, gaps, level, file)
        : mergeItem(item, place, level, file, { any: gaps.size > 0, below: gaps.has(nth + 1) });
    if (own === undefined) return undefined;
    for (const one of own) regions.push(one);
  }
  return regions;
}

/** The list inside of it shows nothing new, and lacks items. */
function losesItems(code: SourceLines, was: SourceLines): boolean {
  const itemsOf = ({ texts }: SourceLines): string[] =>
    texts.filter((text) => text.startsWith("- "));
  const [own, old] = [itemsOf(code), itemsOf(was)];
  return own.length > 0 && own.length < old.length && own.every((text) => old.includes(text));
}

/** With comments that are there as well. */
function isSameUnit({ lines, head }: Unit, { unit }: Sibling): boolean {
  const [own, was] = [lines.texts, unit.lines.texts];
  const isBody = own.slice(head).join("\n") === was.slice(unit.head).join("\n");
  return isBody && own.slice(0, head).every((text) => was.includes(text));
}

function mergeItem(
  item: Unit,
  place: Sibling,
  level: Level,
  file: AlignedFile,
  marks: { any: boolean; below: boolean },
): Regions | undefined {
  const { source } = file;
  const { lines, head } = item;
  const was = partOf(source, place.from, place.to);
  const hasMarks = lines.texts.includes(markText, head + 1);
  // Without what closes it a block may go on where a mark is.
  const [end, ...more] = marks.below && isBlock(item) ? file.fewPlaces(lastOf(lines)) : [];
  const isCut = end !== undefined && more.length === 0 && end >= place.head && end < place.to - 1;
  if (isCut && !isClosed(lines, head)) return undefined;
  if (!hasMarks && isSameUnit(item, place)) return [];
  const texts = isCloser(item.text) ? lines.texts.slice(head + 1) : lines.texts;
  if (isClosed(lines, head) !== isClosed(was, place.head - place.from) || !isEven(texts))
    return undefined;
  const shown = bodyOf(lines, head, lines.texts.length);
  const body = bodyOf(source, place.head, place.to);
  const code = partOf(lines, shown.from, shown.to);
  // The head of a class may go on in more lines: `) : Base() {`.
  const isList = isFrame(item) || (level.isList && isCloser(item.text));
  const isData = areSettings(item.text);
  const inside = (): Regions | undefined => {
    if (shown.from >= shown.to || body.from >= body.to) return undefined;
    const siblings = siblingsIn(source, body.from, body.to);
    const areImportsApart = /^<script\b/.test(item.text);
    const kind = { isOpen: !hasMarks, isList, isData, areImportsApart };
    const found = mergeLevel({ ...level, ...kind, code, siblings, end: body.to }, file);
    const changed = changeEdges(item, place, file);
    const imports = areImportsApart ? importsOf([...unitsOf(code)], file) : [];
    return found && changed && imports && [...changed, ...imports, ...found];
  };
  const fill = (): Regions | undefined => level.fill(lines.all, place.from, place.to);
  const members = [...unitsOf(code)];
  if (code.texts.length > 0 && code.texts.every((text) => text === markText))
    return changeEdges(item, place, file);
  if (hasMarks) {
    const areSure = members.every(({ text }) => text === markText || keyOf(text).isSure);
    if (isList) return inside();
    return areSure ? (inside() ?? fill()) : (fill() ?? inside());
  }
  if (!isList) return replaceItem(item, place, level, file);
  // Where it shows less than half, or is in something that does, the rest is left out; else it may be meant to go.
  const isInPart = level.isList && level.isOpen;
  if (2 * lines.texts.length < was.texts.length || isInPart) return inside();
  // Beside marks what has none inside is shown whole.
  if (!level.isOpen || marks.any) return replaceItem(item, place, level, file);
  const names = new Set(members.map(({ text }) => keyOf(text, isData).key));
  const isLost = ({ unit }: Sibling): boolean => {
    const { key, isSure } = keyOf(unit.text, isData);
    return isSure && !names.has(key);
  };
  const lost = siblingsIn(source, body.from, body.to).filter(isLost);
  if (lost.length === 0 && !losesItems(lines, was)) return replaceItem(item, place, level, file);
  return level.keepsRest && lost.some(({ unit }) => isBlock(unit)) ? inside() : undefined;
}

/** Its last line is as deep as its head: without that the end of a block is not shown. */
function isClosed({ columns }: SourceLines, head: number): boolean {
  return columns.length > head + 1 && columns.at(-1) === columns[head];
}

/** What is between the head of a unit, and a bracket below it, and what closes it. */
function bodyOf(
  { texts, columns }: SourceLines,
  head: number,
  end: number,
): { from: number; to: number } {
  const from = head + (texts[head + 1] === "{" ? 2 : 1);
  const hasCloser = columns[end - 1] === columns[head] && isCloser(texts[end - 1] ?? "");
  return { from, to: hasCloser ? end - 1 : end };
}

/** The head, and the line that closes the block if new words are in it: `}, [userId])`. */
function changeEdges(item: Unit, place: Sibling, file: AlignedFile): Regions | undefined {
  const { lines } = item;
  const end = lines.texts.length - 1;
  const [own, was = ""] = [lastOf(lines), file.source.texts[place.to - 1]];
  const [now, old] = [own, was].map((text) => trimEndSigns(codeIn(text), ",; "));
  const isOther = now !== old && /\w/.test(now ?? "");
  const isEdge = end > item.head && [own, was].every(isCloser) && isOther;
  const head = changeHead(item, place, file);
  if (!isEdge || head === undefined) return head;
  const last = partOf(lines, end, end + 1);
  const way = alignWithin(last, file, place.to - 1, place.to);
  return [...head, replaceUnit({ ...item, lines: last, head: 0 }, file, way)];
}

/**
 * The head anew, if the code has more in it, and the comments above it: who shows a part leaves out what a class has besides
 * its name.
 */
function changeHead(item: Unit, place: Sibling, file: AlignedFile): Regions | undefined {
  const { lines, head } = item;
  const { source } = file;
  const [text = "", was = ""] = [lines.texts[head], source.texts[place.head]];
  const old = wordsOf(was);
  const isOld = [...wordsOf(text)].every((word) => old.has(word));
  const above = source.texts.slice(place.from, place.head);
  const isNew = (one: string): boolean => isComment(one) && !above.includes(one);
  if (isOld && !lines.texts.slice(0, head).some(isNew)) return [];
  if (!isOld && !hasSameBrackets([text], [was])) return undefined;
  const top = partOf(lines, 0, head + 1);
  const shown = isOld ? withLast(top, (line) => indentOf(line) + was) : top;
  const way = alignWithin(shown, file, place.head, place.head + 1);
  return [replaceUnit({ ...item, lines: shown }, file, way)];
}

function withLast(lines: SourceLines, change: (line: string) => string): SourceLines {
  const { all, texts } = lines;
  const last = change(all.at(-1) ?? "");
  return {
    ...lines,
    all: [...all.slice(0, -1), last],
    texts: [...texts.slice(0, -1), last.trim()],
  };
}

const endsMember = (text: string | undefined): boolean => text?.endsWith(",") === true;

function hasCommas({ siblings }: Level, { source }: AlignedFile): boolean {
  return siblings.some(({ to }) => endsMember(source.texts[to - 1]));
}

function replaceItem(
  item: Unit,
  place: Sibling,
  level: Level,
  file: AlignedFile,
): Regions | undefined {
  const was = file.source.texts.slice(place.head, place.to);
  const way = alignWithin(item.lines, file, place.head, place.to);
  const unit = hasCommas(level, file) ? withComma(item, endsMember(was.at(-1))) : item;
  const { texts } = unit.lines;
  const isLine = !isBlock(item) && was.length === 1;
  // Where half of the lines only lack, they may just have been left out.
  const isLeftOut = way.inserted === 0 && 2 * way.deleted >= was.length;
  const isNew = isLine || (!isLeftOut && isNewVersion(unit, file, way));
  if (!isNew || texts.every(isComment) || !hasSameBrackets(texts, was)) return undefined;
  // Comments and annotations that the file has stay with those around them.
  const above = file.source.texts.slice(place.from, place.head);
  const areKnown = texts.slice(0, unit.head).every((text) => above.includes(text));
  const lines = areKnown ? partOf(unit.lines, unit.head, texts.length) : unit.lines;
  return [replaceUnit({ ...unit, lines, head: areKnown ? 0 : unit.head }, file, way)];
}

/** Of a list whose members are set apart by commas the place says whether there is one. */
function withComma(item: Unit, hasComma: boolean): Unit {
  const bare = (line: string): string => line.trimEnd().replace(/,$/, "") + (hasComma ? "," : "");
  return { ...item, lines: withLast(item.lines, bare) };
}

/** It comes below the item that the code has above it, above the one below it, or behind all. */
function addItem(
  nth: number,
  items: readonly Unit[],
  places: readonly (Sibling | undefined)[],
  gaps: ReadonlySet<number>,
  level: Level,
  file: AlignedFile,
): Regions | undefined {
  const { code, siblings, end } = level;
  const { source } = file;
  const item = items[nth];
  const name = item && nameSetBy(item.text);
  // Without a mark it may be that something else has another name now.
  if (item === undefined || name === undefined || (level.isOpen && level.isList)) return undefined;
  const taken = new Set(places);
  const isLike = ({ unit, from, to }: Sibling): boolean =>
    nameSetBy(unit.text) === name || sharesLines(item.lines, partOf(source, from, to));
  if (siblings.some((one) => !taken.has(one) && isLike(one))) return undefined;
  const above = gaps.has(nth) ? undefined : items[nth - 1];
  const last = places.slice(0, nth).findLast((place) => place !== undefined);
  const next = gaps.has(nth + 1) ? undefined : places[nth + 1];
  const isBehindAll = nth === items.length - 1 && gaps.has(nth) && siblings.at(-1)?.to === end;
  const at = above && last ? last.to : (next?.from ?? (isBehindAll ? end : undefined));
  if (at === undefined) return undefined;
  const isListed = endsMember(source.texts[at - 1]) && endsMember(lastOf(item.lines));
  if (hasCommas(level, file) && !isListed) return undefined;
  const emptyAbove =
    above && last
      ? code.all.slice(above.at + above.lines.all.length, item.at)
      : isAfterGap(source, at)
        ? [""]
        : [];
  const { lines } = item;
  const all = [...emptyAbove, ...lines.all];
  const numbers = lines.numbers.map((number) => number + emptyAbove.length);
  const rest = { cost: 0, deleted: 0, replaced: 0, inserted: numbers.length, isInsertion: true };
  const way = { start: at, end: at, at: numbers.map(() => undefined), ...rest };
  return [{ ...regionOf({ ...lines, all, numbers }, way), isBottom: true, isPart: true }];
}

/** A new member has less of one that is not shown, and none of its imports: with more it may be that one under another name. */
const mostShared = 0.3;

function sharesLines(one: SourceLines, other: SourceLines): boolean {
  const [own, others] = [one, other].map(({ texts }) =>
    texts.filter((text) => !isCloser(text) && !isHeadline(text)),
  );
  const known = new Set(others);
  const shared = own?.filter((text) => known.has(text)) ?? [];
  return shared.some(isImport) || shared.length > mostShared * (own?.length ?? 0);
}

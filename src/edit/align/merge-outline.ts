// Code that shows a class, a module or settings in part: what it shows takes the place of what has the same name there,
// marks and what nobody shows stay.
import { placeholderOf } from "../placeholder.ts";
import { type AlignedFile, type Alignment, alignWithin } from "./align-segment.ts";
import {
  addImports,
  isImportUnit,
  isNewVersion,
  keywordOf,
  replaceUnit,
  shareOf,
  type Unit,
  unitsOf,
} from "./align-units.ts";
import {
  hasSameBrackets,
  isAfterGap,
  isCloser,
  isComment,
  isEven,
  isHeadline,
  isStyleRule,
  nameSetBy,
  partOf,
  type SourceLines,
  unitEnd,
  wordsOf,
} from "./source-lines.ts";
import type { Region } from "./write-regions.ts";
import type { Change } from "../find/merge-replace.ts";

type Regions = readonly (Region | Change)[];

/** The text of a line that stands for what is left out, whatever it says. */
export const markText = "…";

export interface OutlineOptions {
  /** Places code with marks within the lines [from, to) of the file, one function or block. */
  fill: (lines: readonly string[], from: number, to: number) => Regions | undefined;
}

/** A unit of the file; all numbers count the file's solid lines. */
interface Sibling {
  unit: Unit;
  from: number;
  head: number;
  to: number;
}

interface Level {
  code: SourceLines;
  siblings: readonly Sibling[];
  /** What the code does not show stays, also where it has no mark. */
  isOpen: boolean;
  /** It is in a class or in settings, whose lines each set something. */
  isList: boolean;
  /** It is in settings: the first word tells which. */
  isData: boolean;
  /** The last line of what the level is in. */
  end: number;
}

/** Costs of a sibling that is not surely the one, and of none. */
const costs = { weak: 0.1, likeness: 0.6, depth: 0.4, other: 0.8, added: 1 };
const [leastLike, leastOther] = [0.4, 0.5];
/** A second way that costs so much more is no doubt about the first. */
const clearLead = 0.15;
const maxItems = 60;

/** The changes that code with marks, of which the lines are those of {@link markText}, means; undefined unless that is clear. */
export function mergeOutline(
  code: SourceLines,
  file: AlignedFile,
  options: OutlineOptions,
): Regions | undefined {
  const units = [...unitsOf(code)];
  const imported = units.filter(isImportUnit);
  const known = imported.filter(({ lines }) => file.countOf(lines.texts[0]) > 0);
  // Between those that are shown some may have gone.
  if (known.length > 0 && known.length < imported.length) return undefined;
  const imports = addImports(imported, file);
  const { source } = file;
  const outer = siblingsIn(source, 0, source.texts.length);
  const heads = new Set(outer.map(({ head }) => head));
  const inner = [...new Set(units.map(({ name }) => name))]
    .flatMap((name) => (name === undefined ? [] : file.declaring(name)))
    .filter((at) => !heads.has(at))
    .flatMap((at) => siblingsIn(source, at, unitEnd(source, at)).slice(0, 1));
  const siblings = [...outer, ...inner].sort((a, b) => a.from - b.from);
  const level = { code, siblings, isOpen: true, isList: false, isData: false, end: source.texts.length };
  // Without a mark it is a part only of what is shown in part.
  const isPart = units.some((unit) => isMark(unit) || unit.lines.texts.includes(markText) || isFrame(unit));
  const hasBlock = units.some((unit) => !isImportUnit(unit) && isBlock(unit));
  const changes = isPart && hasBlock ? mergeLevel(level, file, options) : undefined;
  return imports && changes && [...imports, ...changes];
}

function siblingsIn(source: SourceLines, from: number, to: number): Sibling[] {
  return [...unitsOf(partOf(source, from, to))].map((unit) => ({
    unit,
    from: from + unit.from,
    head: from + unit.from + unit.head,
    to: from + unit.to,
  }));
}

const headOf = ({ lines, head }: Unit): string => lines.texts[head] ?? "";
const isBlock = (unit: Unit | undefined): boolean =>
  unit !== undefined && unit.lines.texts.length > unit.head + 1;
const isMark = (unit: Unit): boolean => headOf(unit) === markText;

/** What a unit is named by: a name, a pattern, what a list has, in settings the first word; else that tells little. */
function keyOf(unit: Unit, isData = false): { key: string; isStrong: boolean } {
  const text = headOf(unit);
  const pattern = /^[^=]+(?==>)/.exec(text)?.[0];
  const name = /^-\s/.test(text) ? text : (nameSetBy(text) ?? pattern);
  const key = name === undefined ? /^\W*[\w$.]+/.exec(text)?.[0] : `${keywordOf(text)} ${name}`;
  return { key: key ?? text, isStrong: name !== undefined || isData };
}

function likenessOf(unit: Unit, { from, to, unit: own }: Sibling, file: AlignedFile): number {
  if (!file.compare(unit.lines.texts.length * (to - from))) return 0;
  const [words, old] = [wordsOf(headOf(unit)), wordsOf(headOf(own))];
  const known = [...words].filter((word) => old.has(word)).length;
  const heads = (2 * known) / (words.size + old.size || 1);
  return Math.max(shareOf(alignWithin(unit.lines, file, from, to)), 0.8 * heads);
}

/** The sibling of each item, or undefined for a new one; undefined where another way is nearly as good. */
function pairUp(
  items: readonly Unit[],
  { siblings, isOpen, isList, isData }: Level,
  isOpenAbove: readonly boolean[],
  file: AlignedFile,
): (Sibling | undefined)[] | undefined {
  const [rows, width] = [items.length, siblings.length];
  if (rows > maxItems || !file.compare(rows * width)) return undefined;
  const keys = siblings.map(({ unit }) => keyOf(unit, isData));
  const counts = Map.groupBy(keys, ({ key }) => key);
  const isGap = (row: number): boolean => isOpen || isOpenAbove[row] === true;
  const shown = new Set(items.map((item) => keyOf(item, isData).key));
  const pairs = items.map((item, row) => {
    const { key, isStrong } = keyOf(item, isData);
    const isOne = isStrong && counts.get(key)?.length === 1;
    // What is between others that are shown may have another name.
    const isHeld = !counts.has(key) && (!isGap(row) || !isGap(row + 1));
    return siblings.map((sibling, nth) => {
      const other = keys[nth]?.key ?? "";
      if (other !== key && (!isHeld || shown.has(other))) return Infinity;
      if (isOne && other === key) return 0;
      const likeness = likenessOf(item, sibling, file);
      const isAsDeep = item.lines.columns[item.head] === file.source.columns[sibling.head];
      if (other !== key) return likeness < leastOther ? Infinity : costs.other;
      if (!isStrong && likeness < leastLike) return Infinity;
      return (isStrong ? 0 : costs.weak) + costs.likeness * (1 - likeness) + (isAsDeep ? 0 : costs.depth);
    });
  });
  // Nobody takes out a whole member without a word.
  const mayStay = (row: number, at: number): boolean =>
    isGap(row) || (isList && keys[at]?.isStrong === true && isBlock(siblings[at]?.unit));
  // What the items before cost, where so many siblings come before; and those behind.
  const above = table(rows + 1, width + 1);
  const below = table(rows + 1, width + 1);
  const cell = (all: readonly Float64Array[], row: number, at: number): number =>
    all[row]?.[at] ?? Infinity;
  const put = (all: readonly Float64Array[], row: number, at: number, cost: number): void => {
    const own = all[row];
    if (own !== undefined && cost < (own[at] ?? 0)) own[at] = cost;
  };
  const nextOf = (at: number): number => {
    let next = at + 1;
    while (next < width && (siblings[next]?.from ?? 0) < (siblings[at]?.to ?? 0)) next += 1;
    return next;
  };
  const nexts = siblings.map((_, at) => nextOf(at));
  put(above, 0, 0, 0);
  for (let row = 0; row <= rows; row += 1)
    for (let at = 0; at <= width; at += 1) {
      const cost = cell(above, row, at);
      if (cost === Infinity) continue;
      if (mayStay(row, at)) put(above, row, at + 1, cost);
      put(above, row + 1, at, cost + costs.added);
      put(above, row + 1, nexts[at] ?? Infinity, cost + (pairs[row]?.[at] ?? Infinity));
    }
  put(below, rows, width, 0);
  for (let row = rows; row >= 0; row -= 1)
    for (let at = width; at >= 0; at -= 1) {
      if (mayStay(row, at)) put(below, row, at, cell(below, row, at + 1));
      put(below, row, at, cell(below, row + 1, at) + costs.added);
      const next = cell(below, row + 1, nexts[at] ?? Infinity);
      put(below, row, at, next + (pairs[row]?.[at] ?? Infinity));
    }
  const best = cell(below, 0, 0);
  if (best === Infinity) return undefined;
  const found: (Sibling | undefined)[] = [];
  for (const row of items.keys()) {
    const ways = siblings.map(
      (_, at) =>
        cell(above, row, at) +
        (pairs[row]?.[at] ?? Infinity) +
        cell(below, row + 1, nexts[at] ?? Infinity),
    );
    const near = siblings.filter((_, at) => (ways[at] ?? Infinity) < best + clearLead);
    if (near.length > 1) return undefined;
    const [only] = near;
    const least = Math.min(...ways);
    found.push(least > best ? undefined : only);
  }
  return found;
}

function table(rows: number, width: number): Float64Array[] {
  return Array.from({ length: rows }, () => new Float64Array(width).fill(Infinity));
}

function mergeLevel(level: Level, file: AlignedFile, options: OutlineOptions): Regions | undefined {
  const { code, siblings, isList, isData } = level;
  const all = [...unitsOf(code)];
  // Comments that are set apart are of no unit.
  const isOfUnit = (at: number): boolean => all.some(({ from, to }) => at >= from && at < to);
  if (code.texts.some((text, at) => !isOfUnit(at) && file.countOf(text) === 0)) return undefined;
  const items: Unit[] = [];
  const isOpenAbove: boolean[] = [false];
  for (const unit of all.filter((one) => !isImportUnit(one)))
    if (isMark(unit)) {
      // What is deeper than a mark belongs to nothing; a comment above it is of the file.
      const above = unit.lines.texts.slice(0, unit.head);
      if (isBlock(unit) || above.some((text) => file.countOf(text) === 0)) return undefined;
      isOpenAbove[items.length] = true;
    } else {
      items.push(unit);
      isOpenAbove[items.length] = false;
    }
  const places = pairUp(items, level, isOpenAbove, file);
  if (places === undefined || !places.some((place) => place !== undefined)) return undefined;
  const regions: (Region | Change)[] = [];
  for (const [nth, item] of items.entries()) {
    const place = places[nth];
    // A line of its own may be anything, unless it sets what nothing else sets there.
    const isLine = !isBlock(item);
    const isSame = place !== undefined && isSameUnit(item, place);
    // What has no name is what begins and ends as it does, or the only one of its kind.
    const isOther =
      place !== undefined &&
      !keyOf(item, isData).isStrong &&
      !isOnly(place, siblings) &&
      (headOf(item) !== headOf(place.unit) ||
        item.lines.texts.at(-1) !== place.unit.lines.texts.at(-1));
    if (isOther) return undefined;
    if (isLine && !isSame && !((isList || (place !== undefined && isOnly(place, siblings))) && keyOf(item, isData).isStrong)) return undefined;
    const own =
      place === undefined
        ? addItem(nth, items, places, isOpenAbove, level, file)
        : mergeItem(item, place, level, file, options);
    if (own === undefined) return undefined;
    for (const one of own) regions.push(one);
  }
  return siblings.length === 0 ? undefined : regions;
}

function isOnly(one: Sibling, siblings: readonly Sibling[]): boolean {
  const { key } = keyOf(one.unit);
  return siblings.filter(({ unit }) => keyOf(unit).key === key).length === 1;
}

/** With comments that are there as well. */
function isSameUnit({ lines, head }: Unit, { unit }: Sibling): boolean {
  const above = lines.texts.slice(0, head);
  return (
    lines.texts.slice(head).join("\n") === unit.lines.texts.slice(unit.head).join("\n") &&
    above.every((text) => unit.lines.texts.includes(text))
  );
}

/** Blocks that declare, and run nothing: what one does not show of them may stay. */
const framing = /^(?:class|struct|interface|trait|impl|module|namespace|object|enum)$/;
const areSettings = (text: string): boolean =>
  isStyleRule(text) ||
  /^create table\b.*\($/i.test(text) ||
  /^(?:match|switch|when|select|case)\b.*\{$/.test(text) ||
  /^(?:- )?["']?[\w.$/-]+["']?:(?:\s*[{[])?$/.test(text) ||
  /^[[{]$/.test(text) ||
  /^[\w.-]+(?: "[^"]*")+ \{$/.test(text);

function isFrame(unit: Unit): boolean {
  return framing.test(keywordOf(headOf(unit))) || areSettings(headOf(unit));
}

function mergeItem(
  item: Unit,
  place: Sibling,
  level: Level,
  file: AlignedFile,
  options: OutlineOptions,
): Regions | undefined {
  const { source } = file;
  const { lines, head } = item;
  const was = partOf(source, place.from, place.to);
  const hasMarks = lines.texts.includes(markText, head + 1);
  if (!hasMarks && isSameUnit(item, place)) return [];
  const isClosed = [lines, was].map(({ texts }) => isCloser(texts.at(-1) ?? ""));
  if (isClosed[0] !== isClosed[1] || !isEven(lines.texts)) return undefined;
  const inside = bodyOf(lines, head);
  const body = bodyOf(source, place.head, place.to);
  const isList = isFrame(item);
  const inner = (): Regions | undefined => {
    const part = partOf(lines, inside.from, inside.to);
    const siblings = siblingsIn(source, body.from, body.to);
    if (inside.from >= inside.to || body.from >= body.to) return undefined;
    const next = {
      code: part,
      siblings,
      isOpen: !hasMarks,
      isList,
      isData: areSettings(headOf(item)),
      end: body.to,
    };
    const found = mergeLevel(next, file, options);
    const changed = headRegion(item, place, inside.from, file);
    return found && changed && [...changed, ...found];
  };
  if (hasMarks) {
    const units = [...unitsOf(partOf(lines, inside.from, inside.to))];
    const areNamed = units.every((unit) => isMark(unit) || keyOf(unit).isStrong);
    const fill = (): Regions | undefined => options.fill(lines.all, place.from, place.to);
    if (isList) return inner();
    return areNamed ? (inner() ?? fill()) : (fill() ?? inner());
  }
  const isPart =
    isList &&
    (2 * lines.texts.length < was.texts.length || (level.isList && level.isOpen)) &&
    inside.from < inside.to;
  if (isPart) return inner();
  return replaceItem(item, place, level, file);
}

/** What is between the head of a unit, and a bracket below it, and what closes it. */
function bodyOf(
  { texts }: SourceLines,
  head: number,
  end = texts.length,
): { from: number; to: number } {
  const from = head + (texts[head + 1] === "{" ? 2 : 1);
  return { from, to: end > from && isCloser(texts[end - 1] ?? "") ? end - 1 : end };
}

/** The head of a frame anew, if the code has another one. */
function headRegion(
  { lines, head }: Unit,
  place: Sibling,
  size: number,
  file: AlignedFile,
): Regions | undefined {
  const text = lines.texts[head] ?? "";
  const was = file.source.texts[place.head] ?? "";
  const [words, old] = [wordsOf(text), wordsOf(was)];
  // Who shows a part leaves out what the class has besides its name.
  if (text === was || [...words].every((word) => old.has(word))) return [];
  if (!hasSameBrackets([text], [was]) || size > head + 2) return undefined;
  const own = partOf(lines, head, head + 1);
  const way = alignWithin(own, file, place.head, place.head + 1);
  return [regionOf(own, way)];
}

function regionOf(lines: SourceLines, way: Alignment, ends = {}): Region {
  return { number: 1, lines, way, isTop: false, isBottom: false, isPart: false, ...ends };
}

function replaceItem(
  item: Unit,
  place: Sibling,
  level: Level,
  file: AlignedFile,
): Regions | undefined {
  const { source } = file;
  const way = alignWithin(item.lines, file, place.head, place.to);
  const isOne = item.lines.texts.length === item.head + 1 && place.to === place.head + 1;
  const { lines } = item;
  if (lines.texts.every(isComment)) return undefined;
  const [was = "", now = ""] = [source.texts[place.to - 1], lines.texts.at(-1)];
  const isList = level.siblings.some(({ to }) => source.texts[to - 1]?.endsWith(",") === true);
  const bare = now.replace(/,$/, "");
  const text = isList ? bare + (was.endsWith(",") ? "," : "") : now;
  const last = lines.all.length - 1;
  const unit = {
    ...item,
    lines: {
      ...lines,
      all: lines.all.with(last, (lines.all[last] ?? "").trimEnd().slice(0, -now.length || undefined) + text),
      texts: lines.texts.with(-1, text),
    },
  };
  // Lines that only lack may just have been left out.
  if (!isOne && (way.inserted === 0 || !isNewVersion(unit, file, way))) return undefined;
  if (!hasSameBrackets(unit.lines.texts, source.texts.slice(place.head, place.to))) return undefined;
  return [replaceUnit(unit, file, way)];
}

/** A new item: below the one that the code has above it, above the one below it, or at the end. */
function addItem(
  nth: number,
  items: readonly Unit[],
  places: readonly (Sibling | undefined)[],
  isOpenAbove: readonly boolean[],
  { code, siblings, isOpen, isList, end }: Level,
  file: AlignedFile,
): Regions | undefined {
  const item = items[nth];
  const isNamed = item !== undefined && nameSetBy(headOf(item)) !== undefined;
  // Without a mark it may be that something else is called otherwise now.
  if (!isNamed || (isOpen && isList)) return undefined;
  const { source } = file;
  const above = nth > 0 && isOpenAbove[nth] !== true ? items[nth - 1] : undefined;
  const next = isOpenAbove[nth + 1] === true ? undefined : places[nth + 1];
  // It may be one that the file has, under another name.
  const taken = new Set(places);
  const name = nameSetBy(headOf(item));
  const isLike = siblings.some(
    (one) =>
      !taken.has(one) &&
      (nameSetBy(headOf(one.unit)) === name ||
        shareOf(alignWithin(item.lines, file, one.from, one.to)) > 0.3),
  );
  if (isLike) return undefined;
  let at = places.slice(0, nth).findLast((place) => place !== undefined)?.to;
  let first = item.at;
  if (above !== undefined && at !== undefined) first = above.at + above.lines.all.length;
  else if (next !== undefined) {
    at = next.from;
  } else if (nth === items.length - 1 && isOpenAbove[nth] === true && isOpenAbove[nth + 1] !== true) {
    at = Math.max(0, ...siblings.map(({ to }) => to), Math.min(end, 0));
    if (at !== end) return undefined;
  } else return undefined;
  const hasCommas = siblings.some(({ to }) => source.texts[to - 1]?.endsWith(",") === true);
  if (hasCommas && !(source.texts[at - 1]?.endsWith(",") === true && item.lines.texts.at(-1)?.endsWith(",")))
    return undefined;
  const gap = first < item.at ? code.all.slice(first, item.at) : isAfterGap(source, at) ? [""] : [];
  const own = code.all.slice(item.at, item.at + item.lines.all.length);
  const all = [...gap, ...own];
  const lines = { ...item.lines, all, numbers: item.lines.numbers.map((one) => one + gap.length) };
  const rest = { cost: 0, deleted: 0, replaced: 0, inserted: own.length, isInsertion: true };
  const way = { start: at, end: at, at: lines.texts.map(() => undefined), ...rest };
  return [regionOf(lines, way, { isBottom: true, isPart: true })];
}

/** Lines with those that stand for what is left out as {@link markText}. */
export function withMarkTexts(lines: SourceLines, marks: ReadonlySet<number>): SourceLines {
  const texts = lines.texts.map((text, nth) =>
    marks.has(lines.numbers[nth] ?? -1) ? markText : text,
  );
  return { ...lines, texts };
}

export const isHeadlineOrMark = (text: string): boolean =>
  isHeadline(text) || placeholderOf(text) !== undefined;

// What the lines of a file become of which some code is a new version: what stays keeps its bytes, what is new gets the
// indentation of the file.
import { describeIndentation, describeWholeFile } from "../describe-error.ts";
import type { EditError } from "../edit-unit.ts";
import {
  findIndentRule,
  identityRule,
  type IndentPair,
  type IndentRule,
  levelRule,
  unitOf,
} from "../find/indentation.ts";
import type { Change } from "../find/merge-replace.ts";
import { type Alignment, oldLine } from "./align-segment.ts";
import {
  declaredName,
  deep,
  closedAs,
  isDocstring,
  leastColumn,
  type SourceLines,
} from "./source-lines.ts";
import { columnsOf, indentOf, isSolid } from "../../base/text/lines.ts";

/** Lines of the code, and the lines of the file of which they are the new version. */
export interface Region {
  /** From 1, for messages. */
  number: number;
  lines: SourceLines;
  way: Alignment;
  /** The code shows the beginning, or the end, of the file with it. */
  isTop: boolean;
  isBottom: boolean;
  /** Between two marks its empty lines tell less than those of the file. */
  isPart: boolean;
  /** Lines of the file that stay, by the line of the code before which they belong. */
  kept?: ReadonlyMap<number, readonly string[]>;
}

/** Lines that are shown by themselves. */
export function regionOf(lines: SourceLines, way: Alignment): Region {
  return { number: 1, lines, way, isTop: false, isBottom: false, isPart: false };
}

/** The changes in their order; a refusal where it is not clear how a new line is indented, or two are at one place. */
export function writeRegions(
  regions: readonly (Region | Change)[],
  source: SourceLines,
): Change[] | EditError {
  const changes: Change[] = [];
  const unit = unitOf(source.all);
  const shown = regions.map((one) => ("way" in one ? pairsOf(one, source) : []));
  for (const [nth, region] of regions.entries()) {
    if (!("way" in region)) {
      changes.push(closed(region, source));
      continue;
    }
    const { start, end } = region.way;
    const own = source.all.slice(source.numbers[start], (source.numbers[end - 1] ?? -1) + 1);
    const isInPlace = region.lines.columns[0] === source.columns[start];
    const rule = indentRule(region, shown[nth] ?? [], shown.flat(), {
      unit: unitOf(own) || unit,
      isInPlace,
    });
    const change = writeRegion(region, source, rule);
    if ("code" in change) return change;
    changes.push(withEnds(closed(change, source), region, source));
  }
  changes.sort((a, b) => a.start - b.start || a.end - b.end);
  const isTwice = changes.some(({ start }, nth) => start < (changes[nth - 1]?.end ?? 0));
  return isTwice ? describeWholeFile("shows the same lines of the file twice") : changes;
}

/** What closes the lines goes on to what is below them as the line did whose place it takes. */
function closed(change: Change, { all }: SourceLines): Change {
  const { start, end, lines } = change;
  const last = lines.at(-1);
  if (last === undefined || start === end) return change;
  return { ...change, lines: [...lines.slice(0, -1), closedAs(all[end - 1], last)] };
}

function writeRegion(
  { lines: code, way, number, isPart, kept: left }: Region,
  source: SourceLines,
  rule: IndentRule | undefined,
): Change | EditError {
  const { start, end, at } = way;
  const lineOf = (solid: number): number => source.numbers[solid] ?? source.all.length;
  // What is added alone follows the line above.
  const first = end > start || start === 0 ? lineOf(start) : lineOf(start - 1) + 1;
  const last = end > start ? lineOf(end - 1) + 1 : first;
  const range = { startLine: first + 1, endLine: last };
  const lines: string[] = [];
  let isDoc = false;
  for (const [nth, line] of at.entries()) {
    const own = code.numbers[nth] ?? 0;
    if (code.columns[nth] !== deep) isDoc = isDocstring(code.texts[nth] ?? "");
    const isNext = isPart && line !== undefined && line > 0 && at[nth - 1] === line - 1;
    if (nth > 0) {
      const empty = isNext
        ? source.all.slice(lineOf(line - 1) + 1, lineOf(line))
        : code.all.slice((code.numbers[nth - 1] ?? 0) + 1, own);
      for (const one of empty) lines.push(one);
    }
    for (const one of left?.get(nth) ?? []) lines.push(one);
    const text = code.all[own] ?? "";
    const kept = line !== undefined && line >= 0 ? source.all[lineOf(line)] : undefined;
    const indent = rule?.map(indentOf(text), nth === 0);
    // The spaces of a line in a string are text, unless that documents.
    const isText = !isPart && code.columns[nth] === deep && !isDoc && rule?.isIdentity !== true;
    const isUnclear = isText ? indent !== indentOf(text) : indent === undefined;
    if (isUnclear && kept === undefined) return describeIndentation(number, range, text);
    // A line that is indented otherwise than the rule says was moved into or out of a block.
    const [was, now] = [indentOf(kept ?? ""), indent ?? ""];
    const isOther = rule?.isIdentity === true ? now !== was : columnsOf(now) !== columnsOf(was);
    const isMoved = indent !== undefined && isOther;
    const stays = kept !== undefined && (isText || !isMoved);
    lines.push(stays ? kept : (indent ?? "") + text.slice(indentOf(text).length));
  }
  return { start: first, end: last, lines };
}

/** With the empty lines of the code above its first line and below its last one, where the file has none there. */
function withEnds(
  change: Change,
  { lines: { all, numbers }, way: { start, end, at }, isTop, isBottom }: Region,
  source: SourceLines,
): Change {
  const isAdded = start === end;
  const isFirst = isTop && start === 0 && !isAdded;
  const isLast = isBottom && end === source.texts.length && !isAdded;
  const isNew = (nth: number, line: number): boolean =>
    at.at(nth) === undefined && isSolid(source.all[line] ?? "");
  const hasAbove = isFirst || (isAdded ? isBottom : isNew(0, change.start - 1));
  const hasBelow = isLast || (isAdded ? isTop : isNew(-1, change.end));
  const above = hasAbove ? all.slice(0, numbers[0]) : [];
  const below = hasBelow ? all.slice((numbers.at(-1) ?? 0) + 1) : [];
  return {
    start: isFirst ? 0 : change.start,
    end: isLast ? source.all.length : change.end,
    lines: [...above, ...change.lines, ...below],
  };
}

interface Pair extends IndentPair {
  /** Of the line of the code, where it is not in a string. */
  column: number;
}

/** How the lines that the file has are indented in both; where it has no outermost one, the first takes the place of the first. */
function pairsOf({ lines, way, isPart }: Region, source: SourceLines): Pair[] {
  const pairOf = (nth: number, line: number): Pair => ({
    column: lines.columns[nth] ?? 0,
    search: indentOf(lines.all[lines.numbers[nth] ?? 0] ?? ""),
    file: indentOf(source.all[source.numbers[line] ?? 0] ?? ""),
  });
  const pairs = way.at.flatMap((line, nth) => {
    const at = oldLine(line);
    const name = declaredName(lines.texts[nth] ?? "");
    // What is declared anew is as deep as it was.
    const isSame =
      at === line || (name !== undefined && name === declaredName(source.texts[at ?? -1] ?? ""));
    return at !== undefined && isSame ? [pairOf(nth, at)] : [];
  });
  const least = leastColumn(lines);
  const hasOutermost = isPart || pairs.some(({ column }) => column === least);
  return hasOutermost ? pairs : [pairOf(0, way.start), ...pairs];
}

/**
 * One rule for all lines of a region: that of its outermost lines, which no new block can have moved; else that of all
 * lines, or of most. Code of which any line is indented as in the file is not shifted.
 *
 * @param unit by which the file is mostly indented
 * @param isInPlace the code begins as deep as what it takes the place of
 */
function indentRule(
  { lines, isPart }: Region,
  own: readonly Pair[],
  all: readonly Pair[],
  { unit, isInPlace }: { unit: string; isInPlace: boolean },
): IndentRule | undefined {
  const least = leastColumn(lines);
  const outermost = own.filter(({ column }) => column === least);
  const hitsOf = (rule: IndentRule): number =>
    own.filter(({ search, file }) => rule.map(search, false) === file).length;
  const isSame = ({ search, file }: IndentPair): boolean => search === file && search !== "";
  // What begins in a block and is as deep there as in the file was not shifted with what is less deep below.
  const [first] = own;
  if (first !== undefined && lines.columns[0] !== least && isSame(first)) return identityRule;
  const shift = outermost.length > 0 ? findIndentRule(outermost) : undefined;
  const [base] = outermost;
  const levels =
    base && !isSame(base) ? levelRule(lines.all, base, unitOf(lines.all), unit) : undefined;
  const [hits, shifted] = [levels, shift].map((rule) => (rule ? hitsOf(rule) : 0));
  const isKept = own.some((pair) => isSame(pair) && pair.column !== least);
  if (isKept && isInPlace) return identityRule;
  const isAll = hits === own.length;
  // Between marks only what all lines say counts.
  const isSure = isPart ? isAll && shifted !== hits : isAll || !isKept;
  if (shift !== undefined && isSure && hits && hits >= (shifted ?? 0)) return levels;
  // Where both have one unit, lines that are indented otherwise were moved.
  const isOneUnit = unitOf(lines.all) === unit;
  if (shift !== undefined && ((isOneUnit && !isPart) || !shift.isIdentity)) return shift;
  if (all.some(isSame)) return identityRule;
  const pairs = own.length > 0 ? own : all;
  const rule = pairs.length === 0 ? identityRule : findIndentRule(pairs);
  if (rule !== undefined && !(rule.isScale === true && isOneUnit)) return rule;
  const groups = [...Map.groupBy(pairs, ({ search, file }) => columnsOf(file) - columnsOf(search))];
  const [most] = groups.sort((a, b) => b[1].length - a[1].length);
  return most !== undefined && most[1].length * 2 > pairs.length
    ? findIndentRule(most[1])
    : undefined;
}

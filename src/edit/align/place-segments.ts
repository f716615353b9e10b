// Code between marks that stand for unchanged text: each segment makes one region of the file new.
import { type LineRange, overlaps } from "../edit-unit.ts";
import {
  type AlignedFile,
  type Alignment,
  alignSegment,
  evidenceOf,
  isBalanced,
} from "./align-segment.ts";
import {
  isEven,
  declaredName,
  docstringEnd,
  headlinesAbove,
  isAfterGap,
  isCloser,
  isComment,
  isHeadline,
  isImport,
  leastColumn,
  type SourceLines,
  unitEnd,
} from "./source-lines.ts";

export interface Segment {
  /** From 1; parts without text count. */
  number: number;
  lines: SourceLines;
  isTop: boolean;
  isBottom: boolean;
  /** The columns of the mark below, where marks are indented as code is. */
  markBelow: number | undefined;
}

/** Why a segment has no place: `ambiguous` with the lines of the results that are as good, counted from 1. */
export interface SegmentFault {
  code: "no-match" | "ambiguous" | "unquoted";
  /** Its number, from 0. */
  nth: number;
  candidates?: LineRange[];
}

const costMargin = 0.75;
const lossMargin = 3;
const insertionMargin = 3;
const leastEvidence = 0.8;

/** The lines of the file that may be meant, and how much deeper the file has them than the code. */
export interface PlaceWindow {
  from: number;
  to: number;
  shift: number;
  /** They are one function or class. */
  isUnit: boolean;
  /** The lines that are meant, where that is less than the file. */
  within?: LineRange | undefined;
}

/** The regions of all segments in their order, or the first segment without a clear one. */
export function placeSegments(
  segments: readonly Segment[],
  file: AlignedFile,
  window: PlaceWindow,
): Alignment[] | SegmentFault {
  const { from, to } = window;
  const ways = segments.map(({ lines, isTop, isBottom, markBelow }) =>
    alignSegment(lines, file, { from, to, isTop, isBottom })
      .map((way) => withDocs(toBlockEnd(way, lines, file, markBelow), lines, file))
      .map((way) => withShift(way, lines, file))
      .map((way) => withSelection(way, file, window))
      .sort((a, b) => a.cost - b.cost),
  );
  const unknown = ways.findIndex((own) => own.length === 0);
  const chain = cheapestChain(ways.filter((own) => own.length > 0)) ?? [];
  const added = segments[unknown];
  if (added !== undefined) {
    const place = borderOf(added, segments.slice(0, unknown), chain, file, window);
    const at = added.lines.texts.map(() => undefined);
    const rest = { cost: 0, at, deleted: 0, replaced: 0, inserted: at.length, isInsertion: true };
    if (place === undefined) return { code: "no-match", nth: unknown };
    chain.splice(unknown, 0, { start: place, end: place, ...rest });
  }
  if (chain.length < segments.length) return { code: "no-match", nth: segments.length - 1 };
  for (const [nth, way] of chain.entries()) {
    const segment = segments[nth];
    if (segment === undefined) continue;
    const low = chain[nth - 1]?.end ?? from;
    const high = chain[nth + 1]?.start ?? to;
    const others = (ways[nth] ?? []).filter((one) => one.start >= low && one.end <= high);
    const code = faultOf(way, others, segment, file, { ...window, low, high });
    if (code === "no-match") return { code, nth };
    if (code !== undefined) {
      const near = others.filter(({ cost }) => cost <= way.cost + costMargin);
      const results = new Map(near.map((one) => [resultOf(one, segment.lines, file), one]));
      return { code, nth, candidates: [...results.values()].map((one) => rangeOf(one, file)) };
    }
  }
  return chain;
}

/**
 * Where the documentation begins and ends that a segment has anew, above the declaration that it begins with or as the
 * docstring at its end: it takes the place of what the file has there, if anything, of which the segment shows all or nothing.
 */
function docsOf(
  { at }: Alignment,
  segment: SourceLines,
  { source }: AlignedFile,
): { start: number | undefined; end: number | undefined } {
  const { texts } = segment;
  const size = texts.length;
  const isNew = (from: number, to: number, first: number, last: number): boolean => {
    const known = new Set(source.texts.slice(first, last).filter((text) => text.length > 3));
    return !texts.slice(from, to).some((text) => known.has(text));
  };
  const head = texts.findIndex((text) => !isHeadline(text));
  const line = at[head] ?? -1;
  // A comment whose first line says nothing began above.
  const isTail = /^(?:\/\/[/!]?|#+|--+|;+|%+|\*.*)$/.test(texts[0] ?? "");
  const isDeclared =
    head > 0 && !isTail && line >= 0 && declaredName(texts[head] ?? "") !== undefined;
  const above = isDeclared ? headlinesAbove(source, line) : line;
  const sign = commentSign(texts[0]);
  const isAlike = sign !== "" && (above === line || sign === commentSign(source.texts[above]));
  const isAbove = isDeclared && isAlike && !hasAttribute(source.texts.slice(above, line), texts);
  // A comment that is set apart is shown, too, where nothing of the file between is left out.
  const first = at.find((own) => own !== undefined && own >= 0) ?? above;
  const shown = new Set(at);
  const between = Array.from({ length: Math.max(0, above - first) }, (_, nth) => first + nth);
  const isSetApart = between.length > 0 && between.every((own) => shown.has(own));
  const isOwn = at[0] === above || (!isSetApart && isNew(0, head, above, line));
  const start = isAbove && isOwn ? above : undefined;
  const doc = texts.findIndex((_, nth) => nth > 0 && docstringEnd(segment, nth - 1) === size);
  const below = doc > 0 ? (at[doc - 1] ?? -1) : -1;
  const last = below >= 0 ? docstringEnd(source, below) : -1;
  const isBelow = below >= 0 && (at[size - 1] === last - 1 || isNew(doc, size, below + 1, last));
  return { start, end: isBelow ? last : undefined };
}

/** How a comment begins; "" for a line within one, and for what is no comment. */
function commentSign(text = ""): string {
  return /^(?:\/\*\*?|\/\/[/!]?|#(?!\[)|--|<!--|;;|%%)/.exec(text)?.[0] ?? "";
}

/** An annotation that the segment does not show: it would go with the comment. */
function hasAttribute(lines: readonly string[], shown: readonly string[]): boolean {
  return lines.some((text) => isHeadline(text) && !isComment(text) && !shown.includes(text));
}

/** A declaration has one documentation: what is new of it leaves nothing of the old one. */
function withDocs(way: Alignment, segment: SourceLines, file: AlignedFile): Alignment {
  const docs = docsOf(way, segment, file);
  const [start, end] = [docs.start ?? way.start, docs.end ?? way.end];
  if (start === way.start && end === way.end) return way;
  const isInside = (line: number): boolean => line >= start && line < end;
  const at = way.at.map((line) =>
    line === undefined || !isInside(line < 0 ? ~line : line) ? undefined : line,
  );
  const shown = at.filter((line) => line !== undefined).length;
  return { ...way, start, end, at, deleted: end - start - shown, inserted: at.length - shown };
}

/** What it costs that a segment is indented otherwise than the file. */
const shiftCost = 1;

function withShift(way: Alignment, { columns }: SourceLines, { source }: AlignedFile): Alignment {
  const isShifted = way.at.some(
    (line, nth) => line !== undefined && line >= 0 && source.columns[line] !== columns[nth],
  );
  return isShifted ? { ...way, cost: way.cost + shiftCost } : way;
}

/** What it costs to be elsewhere than the lines that are meant: more than ways may differ that are both as good. */
const awayCost = 1;

function withSelection(way: Alignment, file: AlignedFile, { within }: PlaceWindow): Alignment {
  const isMeant = within === undefined || overlaps(within, rangeOf(way, file));
  return isMeant ? way : { ...way, cost: way.cost + awayCost };
}

/** After such a statement nothing else of its block runs. */
const jump = /^(?:return|raise|throw|break|continue|exit|yield)(?![\w$])/;

/**
 * Where new lines go that show no line of the file: behind the last mark to the end of the file, or of the block in which
 * the code has them. Those before the first mark may as well take the place of what the file begins with.
 */
function borderOf(
  { lines, isTop, isBottom }: Segment,
  above: readonly Segment[],
  ways: readonly Alignment[],
  file: AlignedFile,
  { to, shift }: PlaceWindow,
): number | undefined {
  const { source } = file;
  if (!isBottom || isTop) return undefined;
  const least = leastColumn(lines);
  const shown = above.flatMap((segment, nth) =>
    segment.lines.columns.map((column, line) => ({ column, place: ways[nth]?.at[line] })),
  );
  const head = shown.findLast(({ column }) => column < least)?.place;
  if (head === undefined || head < 0) {
    const isBehindAll = least === 0 && shown.length === 0 && !isLikeEnd(lines, file, to);
    return isBehindAll ? to : undefined;
  }
  const end = unitEnd(source, head);
  if (end === head + 1) return undefined;
  const last = source.columns.findLastIndex(
    (column, line) => line > head && line < end && column <= least + shift,
  );
  const isOpen = isCloser(source.texts[last] ?? "") || !jump.test(source.texts[last] ?? "");
  // Brackets that are open there, and what comes behind a jump, leave no place for more.
  const isInBlock = last === -1 || source.columns[last] === least + shift;
  return isOpen && isInBlock && isEven(source.texts.slice(head, end)) ? end : undefined;
}

/** New lines that may as well take the place of the last ones of the file, which are about the same. */
function isLikeEnd({ texts }: SourceLines, file: AlignedFile, to: number): boolean {
  const name = declaredName(texts.find((text) => !isHeadline(text)) ?? "");
  if (name !== undefined && file.declaring(name).length === 0) return false;
  let from = to - 1;
  while (from > 0 && !isAfterGap(file.source, from)) from -= 1;
  const firstWord = (text = ""): string => /^[\w$@.-]+/.exec(text)?.[0] ?? "";
  const words = new Set(file.source.texts.slice(from, to).map(firstWord));
  words.delete("");
  const isLike = file.likeLines(texts, from, to).some((likes) => likes.length > 0);
  return isLike || words.has(firstWord(texts[0]));
}

function rangeOf({ start, end }: Alignment, { source }: AlignedFile): LineRange {
  const lineOf = (solid: number): number => source.numbers[solid] ?? source.all.length;
  return {
    startLine: lineOf(start) + 1,
    endLine: end > start ? lineOf(end - 1) + 1 : lineOf(start),
  };
}

/** The cheapest choice of a way for each segment in which none begins before the one above has ended. */
function cheapestChain(ways: readonly (readonly Alignment[])[]): Alignment[] | undefined {
  interface Link {
    way: Alignment;
    cost: number;
    above: Link | undefined;
  }
  let links: Link[] = [];
  for (const [nth, own] of ways.entries()) {
    const above = links.toSorted((a, b) => a.cost - b.cost);
    links = own.flatMap((way): Link[] => {
      const best = above.find((link) => link.way.end <= way.start);
      if (nth > 0 && best === undefined) return [];
      return [{ way, cost: way.cost + (best?.cost ?? 0), above: best }];
    });
  }
  const chain: Alignment[] = [];
  let link = links.toSorted((a, b) => a.cost - b.cost)[0];
  for (; link !== undefined; link = link.above) chain.unshift(link.way);
  return chain.length === ways.length ? chain : undefined;
}

function faultOf(
  best: Alignment,
  others: readonly Alignment[],
  { lines: segment, isTop, isBottom, markBelow }: Segment,
  file: AlignedFile,
  { from, to, isUnit, low, high }: PlaceWindow & { low: number; high: number },
): SegmentFault["code"] | undefined {
  if (best.end === best.start) return undefined;
  const size = segment.texts.length;
  // Lines go between two that are shown; at a border whether they do, or the new ones come beside them, is not said.
  const isOld = (line: number | undefined): boolean => line !== undefined && line >= 0;
  const hasEnds = ({ at }: Alignment): boolean => isOld(at[0]) && isOld(at.at(-1));
  const [first = best.end, last = best.start] = [best.at.find(isOld), best.at.findLast(isOld)];
  const isBlock =
    best.at.at(-1) === undefined && (segment.columns.at(-1) ?? 0) > (markBelow ?? Infinity);
  const docs = docsOf(best, segment, file);
  const isDoc = { above: docs.start === best.start, below: docs.end === best.end };
  const isCutAbove = first > best.start && !(isTop && best.start === from) && !isDoc.above;
  const isCutBelow =
    last < best.end - 1 && !(isBottom && best.end === to) && !isBlock && !isDoc.below;
  if (isCutAbove || isCutBelow) return "no-match";
  if (best.deleted > 12 + 3 * best.inserted) return "unquoted";
  if (!isBalanced(segment, best, file)) return "no-match";
  const isUnchanged =
    best.end - best.start === size && best.at.every((line) => line !== undefined && line >= 0);
  // Without a mark there, what comes before or behind may be meant to go.
  const isCut = (isTop && best.start > from) || (isBottom && best.end < to);
  const isCutAtNew =
    (isTop && best.start > from && best.at[0] === undefined) ||
    (isBottom && best.end < to && best.at.at(-1) === undefined);
  const { all, numbers } = segment;
  const [gapAbove, gapBelow] = [(numbers[0] ?? 0) > 0, (numbers.at(-1) ?? 0) < all.length - 1];
  // Empty lines on both sides only set the marks apart.
  const isMisfit =
    gapAbove !== gapBelow &&
    ((gapAbove && !isAfterGap(file.source, best.start)) ||
      (gapBelow && !isAfterGap(file.source, best.end)));
  const isShort = size <= 3 && (gapAbove || gapBelow);
  // Around a whole function or class, and in one, an empty line only sets the mark apart.
  const isWhole = size > 1 && unitEnd(segment, 0) === size;
  const isUnitOfFile = isWhole && unitEnd(file.source, best.start) === best.end;
  const goesOnInside = isWhole && (markBelow ?? 0) > (segment.columns[0] ?? 0);
  if (
    (isMisfit && !isUnitOfFile && !goesOnInside) ||
    (isUnchanged && (isCut || isShort)) ||
    isCutAtNew
  )
    return "ambiguous";
  if (best.isInsertion && docs.start === undefined && isLikeBeside(best, segment, file))
    return "ambiguous";
  if (isUnchanged && hidesDeletion(best, segment, file, [low, high])) return "ambiguous";
  const units = lostUnits(best, segment, file);
  if (units.filter((line) => !best.at.includes(~line)).length > 1) return "unquoted";
  if (comesTwice(best, segment, file, [low, high])) return "ambiguous";
  const result = resultOf(best, segment, file);
  const lost = best.deleted + best.replaced;
  for (const other of others) {
    const more = other.cost - best.cost;
    const isBeside = other.isInsertion && (units.length > 0 || (hasEnds(other) && !hasEnds(best)));
    if (
      other === best ||
      (!isBeside &&
        (more > insertionMargin || (other.isInsertion && hasEnds(best) && !hasEnds(other))))
    )
      continue;
    if (isUnitOfFile && other.start <= best.start && other.end >= best.end) continue;
    if (!isBalanced(segment, other, file) || resultOf(other, segment, file) === result) continue;
    const isInsertion = other.isInsertion && other.start <= best.end && other.end >= best.start;
    const losesLess = other.deleted <= best.deleted - 2 && more <= lossMargin;
    if (more <= costMargin || losesLess || isBeside || (isInsertion && lost >= 2))
      return "ambiguous";
  }
  // At the end of the block that the code is about, a bracket is enough.
  const isAnchored = isUnit && isBottom && best.end === to;
  if (!isAnchored && evidenceOf(best, file) < leastEvidence) return "no-match";
  return undefined;
}

/** New lines at an end of a segment that are like lines beside them: they may as well take the place of those. */
function isLikeBeside(
  { start, end, at }: Alignment,
  { texts }: SourceLines,
  file: AlignedFile,
): boolean {
  const { source } = file;
  let [from, to] = [start, end];
  if (at[0] === undefined)
    while (from > 0 && (from === start || !isAfterGap(source, from))) from -= 1;
  if (at.at(-1) === undefined)
    while (to < source.texts.length && (to === end || !isAfterGap(source, to))) to += 1;
  const own = texts.filter(
    (text, nth) => at[nth] === undefined && text.length > 3 && !isCloser(text),
  );
  const isBeside = (line: number): boolean => line < start || line >= end;
  return file
    .likeLines(own, from, to)
    .some((likes) => likes.some(([line, likeness]) => likeness >= 0.7 && isBeside(line)));
}

/** The heads of functions and classes that go, of which the segment does not show the name. */
function lostUnits(
  { start, end, at }: Alignment,
  { texts }: SourceLines,
  { source }: AlignedFile,
): number[] {
  const [kept, shown] = [new Set(at), new Set(texts.map(declaredName))];
  const isLost = (line: number): boolean => {
    const name = kept.has(line) ? undefined : declaredName(source.texts[line] ?? "");
    return name !== undefined && !shown.has(name) && unitEnd(source, line) > line + 1;
  };
  return Array.from({ length: end - start }, (_, nth) => start + nth).filter(isLost);
}

/**
 * A line comes a second time that the file has once, outside of what the segment makes new: at an end of the segment it
 * shows another place, and nobody imports twice.
 */
function comesTwice(
  { start, end, at }: Alignment,
  { texts }: SourceLines,
  { places }: AlignedFile,
  [low, high]: readonly [number, number],
): boolean {
  return at.some((line, nth) => {
    const text = texts[nth] ?? "";
    const isEdge = nth === 0 || nth === texts.length - 1;
    if ((line ?? -1) >= 0 || text.length <= 3 || !(isEdge || isImport(text))) return false;
    const [place, ...more] = places.get(text) ?? [];
    const isOutside = place !== undefined && (place < start || place >= end);
    return isOutside && more.length === 0 && place >= low && place < high;
  });
}

/** What the file around becomes: equal for the same change that is found in two ways. */
export function resultOf(
  { start, end }: Alignment,
  { texts }: SourceLines,
  { source }: AlignedFile,
): string {
  // The same lines at both ends belong to neither.
  let [low, high] = [0, 0];
  const isSame = (nth: number, line: number): boolean => texts[nth] === source.texts[line];
  while (low < texts.length && low < end - start && isSame(low, start + low)) low += 1;
  while (
    high < texts.length - low &&
    high < end - start - low &&
    isSame(texts.length - 1 - high, end - 1 - high)
  )
    high += 1;
  const own = texts.slice(low, texts.length - high);
  // A change may be moved along lines that repeat; it is the same then.
  let first = start + low;
  const gone = source.texts.slice(first, end - high);
  const moving = own.length > 0 && gone.length === 0 ? own : own.length === 0 ? gone : [];
  while (moving.length > 0 && first > 0 && source.texts[first - 1] === moving.at(-1)) {
    moving.unshift(moving.pop() ?? "");
    first -= 1;
  }
  return [first, gone.length, ...(moving.length > 0 ? moving : own)].join("\n");
}

/** Farther away, a single line tells nothing. */
const nearLines = 30;

/** Lines that are all in the file may be what is left around some that go: the first or the last of them come once more. */
function hidesDeletion(
  { start, end }: Alignment,
  { texts }: SourceLines,
  file: AlignedFile,
  [low, high]: readonly [number, number],
): boolean {
  const lines = file.source.texts;
  const isAt = (line: number, from: number, to: number): boolean =>
    texts.slice(from, to).every((text, nth) => lines[line + nth] === text);
  const size = texts.length;
  for (let cut = 1; cut < size; cut += 1) {
    for (const line of file.fewPlaces(texts[cut])) {
      const isNear = size - cut > 1 || line <= end + nearLines;
      if (line <= start + cut || !isNear || line + size - cut > high || !isAt(line, cut, size))
        continue;
      if (isEven(lines.slice(start + cut, line))) return true;
    }
    for (const line of file.fewPlaces(texts[0])) {
      const isNear = cut > 1 || line >= start - nearLines;
      if (line >= start || line < low || !isNear || !isAt(line, 0, cut)) continue;
      if (isEven(lines.slice(line + cut, start + cut))) return true;
    }
  }
  return false;
}

/**
 * Where the mark below is less indented than the last line, it stands for what follows the block: new lines at the end of
 * the block take the place of all that it has there.
 */
function toBlockEnd(
  way: Alignment,
  { texts, columns }: SourceLines,
  { source }: AlignedFile,
  markBelow: number | undefined,
): Alignment {
  const last = texts.length - 1;
  const isNew = way.at[last] === undefined;
  if (markBelow === undefined || !isNew || (columns[last] ?? 0) <= markBelow) return way;
  const head = columns.findLastIndex(
    (column, nth) => column <= markBelow && !isCloser(texts[nth] ?? ""),
  );
  const line = way.at[head];
  if (head === -1 || line === undefined || line < 0) return way;
  const own = source.columns[line] ?? 0;
  let end = way.end;
  while (end < source.texts.length && (source.columns[end] ?? 0) > own) end += 1;
  return { ...way, end, deleted: way.deleted + end - way.end };
}

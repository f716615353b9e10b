// Code between marks that stand for unchanged text: each segment makes one region of the file new.
import { type LineRange, overlaps } from "../edit-unit.ts";
import {
  type AlignedFile,
  type Alignment,
  alignSegment,
  blockWord,
  alignWithin,
  namesTwice,
  oldLine,
  rangeOfWay,
  withDocs,
} from "./align-segment.ts";
import {
  isEven,
  declaredName,
  isAfterGap,
  isCloser,
  isHeadline,
  leastColumn,
  settingOf,
  type SourceLines,
  unitEnd,
} from "./source-lines.ts";
import { costMargin, findVeto, firstLeftOut, partVetoes, resultOf } from "./vetoes.ts";

export interface Segment {
  /** From 1; parts without text count. */
  number: number;
  lines: SourceLines;
  isTop: boolean;
  isBottom: boolean;
  /** The columns of the mark below, where marks are indented as code is. */
  markBelow: number | undefined;
  /** The mark below as it is written. */
  markText?: string | undefined;
}

/**
 * Why a segment has no place; lines are counted from 1. `ambiguous` has those of the results that are as good, `unquoted`
 * the first one that the segment leaves out.
 */
export interface SegmentFault {
  code: "no-match" | "ambiguous" | "unquoted";
  /** Its number, from 0. */
  nth: number;
  candidates?: LineRange[];
}

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
  vetoes = partVetoes,
): Alignment[] | SegmentFault {
  const { from, to } = window;
  const ways = segments.map(({ lines, isTop, isBottom, markBelow }) =>
    [
      ...alignSegment(lines, file, { from, to, isTop, isBottom }),
      ...namesakesOf(lines, file, window),
    ]
      .filter((way) => !namesTwice(way, lines, file))
      .map((way) => withDocs(toBlockEnd(way, lines, file, markBelow), lines, file))
      .map((way) => withShift(way, lines, file))
      .map((way) => withSelection(way, file, window))
      .map((way) => withBlocks(way, lines, file))
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
    // Where nothing of it is shown, nothing speaks against it either.
    if (way.end === way.start) continue;
    const candidate = { ...segment, ...window, low, high, best: way, others, file };
    const code = findVeto(vetoes, candidate);
    if (code === "no-match") return { code, nth };
    if (code === "unquoted") {
      const line = firstLeftOut(candidate);
      const startLine = (file.source.numbers[line] ?? 0) + 1;
      return { code, nth, candidates: [{ startLine, endLine: startLine }] };
    }
    if (code !== undefined) {
      const near = others.filter(({ cost }) => cost <= way.cost + costMargin);
      const results = new Map(near.map((one) => [resultOf(one, segment.lines, file), one]));
      return { code, nth, candidates: [...results.values()].map((one) => rangeOfWay(one, file)) };
    }
  }
  return chain;
}

/** The one statement of the window that sets what the segment, which is one statement, sets anew. */
function namesakesOf(
  lines: SourceLines,
  file: AlignedFile,
  { from, to }: PlaceWindow,
): Alignment[] {
  const text = lines.texts[0] ?? "";
  const sets = text.includes("=") || declaredName(text) === undefined;
  const isOne = sets && unitEnd(lines, 0) === lines.texts.length;
  const [start, ...more] = file
    .setting((isOne ? settingOf(text) : undefined) ?? "")
    .filter((line) => line >= from && line < to);
  if (start === undefined || more.length > 0 || file.countOf(text) > 0) return [];
  const way = alignWithin(lines, file, start, unitEnd(file.source, start));
  return [{ ...way, cost: namesakeCost, at: way.at.with(0, ~start) }];
}

const namesakeCost = 2;

/** What it costs that a segment is indented otherwise than the file. */
const shiftCost = 1;

function withShift(way: Alignment, { columns }: SourceLines, { source }: AlignedFile): Alignment {
  const isShifted = way.at.some(
    (line, nth) => line !== undefined && line >= 0 && source.columns[line] !== columns[nth],
  );
  return isShifted ? { ...way, cost: way.cost + shiftCost } : way;
}

/** What it costs that a block has lines of another one. */
const blockCost = 3;
/** What it costs that what closes a new block is that of another kind. */
const kindCost = 5;

function withBlocks(way: Alignment, { texts, columns }: SourceLines, file: AlignedFile): Alignment {
  const { source } = file;
  const lines = way.at.map(oldLine);
  const isOld = (line: number | undefined): boolean => line !== undefined;
  let isOther = false;
  const isTorn = lines.some((line, nth) => {
    if (line === undefined || !isCloser(texts[nth] ?? "")) return false;
    const head = columns.findLastIndex((column, at) => at < nth && column <= (columns[nth] ?? 0));
    const start = lines[head];
    if (start === undefined) isOther ||= closesOther(texts[head], source, line);
    if (start === undefined || source.columns[start] !== source.columns[line]) return false;
    const end = unitEnd(source, start) - 1;
    // Of lines that only go it is not told to which block they belong.
    const [last = end, next = end] = [
      lines.slice(head + 1, nth).findLast(isOld),
      lines.slice(nth + 1).find(isOld),
    ];
    return last > end || next < end;
  });
  const more = (isTorn ? blockCost : 0) + (isOther ? kindCost : 0);
  return more > 0 ? { ...way, cost: way.cost + more } : way;
}

/** What closes a new block closes none of another kind. */
function closesOther(now = "", { texts, columns }: SourceLines, line: number): boolean {
  const kind = blockWord.exec(now)?.[0];
  let head = kind === undefined ? -1 : line - 1;
  while (head >= 0 && (columns[head] ?? 0) > (columns[line] ?? 0)) head -= 1;
  const old = blockWord.exec(texts[head] ?? "")?.[0];
  return old !== undefined && old !== kind;
}

/** What it costs to be elsewhere than the lines that are meant: more than ways may differ that are both as good. */
const awayCost = 1;

function withSelection(way: Alignment, file: AlignedFile, { within }: PlaceWindow): Alignment {
  const isMeant = within === undefined || overlaps(within, rangeOfWay(way, file));
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

/**
 * Where the mark below is less indented than the last line, it stands for what follows the block: new lines at the end of
 * the block, or lines that go deeper there, take the place of all that it has there.
 */
function toBlockEnd(
  way: Alignment,
  { texts, columns }: SourceLines,
  { source }: AlignedFile,
  markBelow: number | undefined,
): Alignment {
  const last = texts.length - 1;
  if (markBelow === undefined || (columns[last] ?? 0) <= markBelow) return way;
  const head = columns.findLastIndex(
    (column, nth) => column <= markBelow && !isCloser(texts[nth] ?? ""),
  );
  const line = way.at[head];
  if (head === -1 || line === undefined || line < 0) return way;
  const own = source.columns[line] ?? 0;
  // A line that is as deep as it was shows no more than itself.
  const old = way.at[last];
  const depth = (columns[last] ?? 0) - (columns[head] ?? 0);
  if (old !== undefined && (source.columns[oldLine(old) ?? -1] ?? 0) - own >= depth) return way;
  let end = way.end;
  while (end < source.texts.length && (source.columns[end] ?? 0) > own) end += 1;
  return { ...way, end, deleted: way.deleted + end - way.end };
}

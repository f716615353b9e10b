// Which lines of two texts are the same: the longest common run of lines, or close to it.
import { commonEdges } from "../base/text/count-text.ts";
import { countWhile } from "../base/text/lines.ts";

/** A line that both texts have: its numbers, from 0. */
export type CommonLine = readonly [number, number];

/** In pairs of lines: texts that have more are cut at lines that occur once in each. */
const maxTable = 250_000;

/**
 * The lines that both texts have in common, in order. Small texts are compared fully; of large ones the
 * lines that occur once in each are matched first (patience), so the cost stays near linear.
 */
export function commonLines(before: readonly string[], after: readonly string[]): CommonLine[] {
  const { head, tail } = commonEdges(before, after);
  const ends: CommonLine = [before.length - tail, after.length - tail];
  const [old, now] = [before.slice(head, ends[0]), after.slice(head, ends[1])];
  const isSmall = old.length * now.length <= maxTable;
  const middle = isSmall ? compareByTable(old, now) : compareBetweenAnchors(old, now);
  const common = Array.from({ length: head }, (_, at): CommonLine => [at, at]);
  for (const [one, other] of middle) common.push([head + one, head + other]);
  for (let at = 0; at < tail; at += 1) common.push([ends[0] + at, ends[1] + at]);
  return common;
}

function compareByTable(before: readonly string[], after: readonly string[]): CommonLine[] {
  const common: CommonLine[] = [];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < before.length && column < after.length;) {
    if (before[row] === after[column]) {
      common.push([row, column]);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return common;
}

/** Without a line that occurs once in both texts, nothing is taken as common. */
function compareBetweenAnchors(before: readonly string[], after: readonly string[]): CommonLine[] {
  const common: CommonLine[] = [];
  const anchors = risingRun(linesOnceInBoth(before, after));
  if (anchors.length === 0) return [];
  let [start1, start2] = [0, 0];
  for (const [end1, end2] of [...anchors, [before.length, after.length] as const]) {
    const between = commonLines(before.slice(start1, end1), after.slice(start2, end2));
    for (const [one, other] of between) common.push([start1 + one, start2 + other]);
    common.push([end1, end2]);
    [start1, start2] = [end1 + 1, end2 + 1];
  }
  return common.slice(0, -1);
}

function linesOnceInBoth(before: readonly string[], after: readonly string[]): CommonLine[] {
  const places = placesOf(after);
  const both: CommonLine[] = [];
  for (const [line, place] of placesOf(before)) {
    const other = places.get(line) ?? -1;
    if (place !== -1 && other !== -1) both.push([place, other]);
  }
  return both;
}

/** Where each line stands; -1 for one that is there more than once. */
function placesOf(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at);
  return places;
}

/** The longest run in which the second numbers rise as well. */
function risingRun(pairs: readonly CommonLine[]): CommonLine[] {
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [at, [, second]] of pairs.entries()) {
    const low = countWhile(ends.length, (nth) => (pairs[ends[nth] ?? 0]?.[1] ?? 0) < second);
    previous.push(low > 0 ? (ends[low - 1] ?? -1) : -1);
    ends[low] = at;
  }
  const run: CommonLine[] = [];
  for (let at = ends.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) run.push(pair);
  }
  return run.toReversed();
}

/** Lines [from, to) of each text, of which none is in common. */
export interface Gap {
  old: readonly [from: number, to: number];
  now: readonly [from: number, to: number];
}

/** Where two texts differ: what is before, between and behind the lines in common, in order. */
export function gapsBetween(
  before: readonly string[],
  after: readonly string[],
  common: readonly CommonLine[] = commonLines(before, after),
): Gap[] {
  const gaps: Gap[] = [];
  let [old, now] = [0, 0];
  for (const [nextOld, nextNow] of [...common, [before.length, after.length] as const]) {
    if (nextOld > old || nextNow > now) gaps.push({ old: [old, nextOld], now: [now, nextNow] });
    [old, now] = [nextOld + 1, nextNow + 1];
  }
  return gaps;
}

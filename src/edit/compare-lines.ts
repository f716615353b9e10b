// Which lines of two texts are the same: the longest common run of lines, or close to it.
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
  const common: CommonLine[] = [];
  compare({ before, after, common }, 0, before.length, 0, after.length);
  return common;
}

interface Texts {
  before: readonly string[];
  after: readonly string[];
  common: CommonLine[];
}

function compare(texts: Texts, from1: number, to1: number, from2: number, to2: number): void {
  const { before, after, common } = texts;
  let [start1, end1, start2, end2] = [from1, to1, from2, to2];
  while (start1 < end1 && start2 < end2 && before[start1] === after[start2]) {
    common.push([start1, start2]);
    start1 += 1;
    start2 += 1;
  }
  let tail = 0;
  while (start1 < end1 && start2 < end2 && before[end1 - 1] === after[end2 - 1]) {
    tail += 1;
    end1 -= 1;
    end2 -= 1;
  }
  if (start1 < end1 && start2 < end2) {
    if ((end1 - start1) * (end2 - start2) <= maxTable) {
      compareByTable(texts, start1, end1, start2, end2);
    } else {
      compareBetweenAnchors(texts, start1, end1, start2, end2);
    }
  }
  for (let k = 0; k < tail; k += 1) common.push([end1 + k, end2 + k]);
}

function compareByTable(
  texts: Texts,
  from1: number,
  to1: number,
  from2: number,
  to2: number,
): void {
  const { before, after, common } = texts;
  const width = to2 - from2 + 1;
  const lengths = new Uint32Array((to1 - from1 + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = to1 - from1 - 1; row >= 0; row -= 1) {
    for (let column = to2 - from2 - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[from1 + row] === after[from2 + column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < to1 - from1 && column < to2 - from2;) {
    if (before[from1 + row] === after[from2 + column]) {
      common.push([from1 + row, from2 + column]);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
}

/** Without a line that occurs once in both texts, nothing is taken as common. */
function compareBetweenAnchors(
  texts: Texts,
  from1: number,
  to1: number,
  from2: number,
  to2: number,
): void {
  const anchors = risingRun(linesOnceInBoth(texts, from1, to1, from2, to2));
  if (anchors.length === 0) return;
  let [start1, start2] = [from1, from2];
  for (const [anchor1, anchor2] of anchors) {
    if (anchor1 < start1 || anchor2 < start2) continue;
    compare(texts, start1, anchor1, start2, anchor2);
    texts.common.push([anchor1, anchor2]);
    [start1, start2] = [anchor1 + 1, anchor2 + 1];
  }
  compare(texts, start1, to1, start2, to2);
}

function linesOnceInBoth(
  { before, after }: Texts,
  from1: number,
  to1: number,
  from2: number,
  to2: number,
): CommonLine[] {
  const places2 = placesOf(after, from2, to2);
  const both: CommonLine[] = [];
  for (const [line, place1] of placesOf(before, from1, to1)) {
    const place2 = places2.get(line) ?? -1;
    if (place1 !== -1 && place2 !== -1) both.push([place1, place2]);
  }
  return both.sort((a, b) => a[0] - b[0]);
}

/** Where each line stands; -1 for one that is there more than once. */
function placesOf(lines: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? "";
    places.set(line, places.has(line) ? -1 : at);
  }
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

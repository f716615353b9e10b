// Where a file may be cut, and how its lines are put together to passages.
import { isSolid } from "../base/text/lines.ts";
import { estimateTokens } from "../turn/tokens.ts";

/** Lines by index: from `start` on, and before `end`. */
export interface LineSpan {
  start: number;
  end: number;
}

/** How well a file may be cut above a line: the higher, the better; 0 forbids it. */
export type Borders = readonly number[];

/** Above blank lines, and above any other line, where nothing says more. */
export const blankBorder = 2;
export const anyBorder = 1;

/** The borders of text: best where blank lines are. */
export function textBorders(lines: readonly string[]): Borders {
  return lines.map((_, at) => (isSolid(lines[at - 1] ?? "") ? anyBorder : blankBorder));
}

interface Cost {
  lines: number;
  tokens: number;
}

/** A passage with more is not joined with the next any more. */
const some: Cost = { lines: 19, tokens: 249 };
/** A range with more is cut, unless it may not be. */
const maxRange: Cost = { lines: 60, tokens: 400 };
/** What has no more says nothing alone: a heading above a long table, a last line below it. */
const little: Cost = { lines: 5, tokens: 60 };

/**
 * Cuts a range at its best borders, what is still too large at the next best, and joins small
 * neighbours again. The ranges answered cover the range given, in order.
 */
export function cutRange(range: LineSpan, lines: readonly string[], borders: Borders): LineSpan[] {
  const sums = [0];
  for (const line of lines.slice(range.start, range.end))
    sums.push((sums.at(-1) ?? 0) + (isSolid(line) ? estimateTokens(`${line}\n`) : 0));
  const costOf = ({ start, end }: LineSpan): Cost => ({
    lines: end - start,
    tokens: (sums[end - range.start] ?? 0) - (sums[start - range.start] ?? 0),
  });
  // What is very short goes to what comes next, or else to what came before.
  return joinNeighbours(cut(range, borders, costOf), (above, piece) => {
    const both = { start: above.start, end: piece.end };
    const isShort = [above, piece].some((each) => fits(costOf(each), little));
    return isShort && fits(costOf(both), maxRange) ? both : undefined;
  });
}

function cut(range: LineSpan, borders: Borders, costOf: (of: LineSpan) => Cost): LineSpan[] {
  const inside = borders.slice(range.start + 1, range.end);
  const best = inside.reduce((most, border) => Math.max(most, border), 0);
  if (best === 0 || fits(costOf(range), maxRange)) return [range];
  const pieces = splitAt(range, borders, best);
  const joined = joinNeighbours(pieces, (above, piece) => {
    const both = { start: above.start, end: piece.end };
    return fits(costOf(above), some) && fits(costOf(both), maxRange) ? both : undefined;
  });
  return joined.flatMap((piece) => cut(piece, borders, costOf));
}

/** Puts each item together with those above it, where `join` gives both as one. */
export function joinNeighbours<Item>(
  items: readonly Item[],
  join: (above: Item, item: Item) => Item | undefined,
): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const above = joined.at(-1);
    const both = above === undefined ? undefined : join(above, item);
    if (both === undefined) joined.push(item);
    else joined[joined.length - 1] = both;
  }
  return joined;
}

function splitAt({ start, end }: LineSpan, borders: Borders, least: number): LineSpan[] {
  const pieces: LineSpan[] = [];
  let from = start;
  for (let at = start + 1; at <= end; at++) {
    if (at < end && (borders[at] ?? 0) < least) continue;
    pieces.push({ start: from, end: at });
    from = at;
  }
  return pieces;
}

function fits({ lines, tokens }: Cost, most: Cost): boolean {
  return lines <= most.lines && tokens <= most.tokens;
}

import { commonEdges } from "../common-edges.ts";
import { looseText } from "./loose-text.ts";

/** Lines are taken as the same line, misquoted, from this similarity on. */
const leastSimilarity = 0.6;
/** In characters: what differs between two lines is compared up to this length, so that a long line costs no more. */
const maxMiddle = 400;

/** What a comparison costs besides its characters. */
const overhead = 16;

/** How much comparing may still cost; below 0 nothing is found similar any more. */
export interface ComparisonBudget {
  characters: number;
}

/**
 * The share of characters by which two lines differ, 0 to 1 (Levenshtein distance by the longer length,
 * blanks and typography as in {@link looseText}); undefined if they are not similar.
 */
export function lineDistance(
  first: string,
  second: string,
  budget?: ComparisonBudget,
): number | undefined {
  if (budget !== undefined && (budget.characters -= first.length + second.length + overhead) < 0)
    return undefined;
  const [short, long] = first.length < second.length ? [first, second] : [second, first];
  // Blanks count as one, so only the visible lengths can rule a pair out; 4 is a generous bound for blanks.
  if (long.length > 10_000 || short.length * 4 + 16 < long.length) return undefined;
  const one = looseText(first);
  const other = looseText(second);
  const longest = Math.max(one.length, other.length);
  if (longest === 0) return 0;
  const most = Math.floor(longest * (1 - leastSimilarity));
  if (Math.abs(one.length - other.length) > most) return undefined;
  const { head, tail } = commonEdges(one, other);
  const middle1 = one.slice(head, one.length - tail);
  const middle2 = other.slice(head, other.length - tail);
  if (Math.max(middle1.length, middle2.length) > maxMiddle) return undefined;
  if (budget !== undefined) budget.characters -= middle1.length * middle2.length;
  const distance = levenshtein(middle1, middle2);
  return distance <= most ? distance / longest : undefined;
}

function levenshtein(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const change = (row[column - 1] ?? 0) + (one[at] === other[column - 1] ? 0 : 1);
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

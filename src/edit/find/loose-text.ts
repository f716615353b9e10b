// Lines compared as a reader sees them: blanks at the ends do not count, blanks inside count as one,
// any quotes count as one kind, typographic dashes and full-width signs as the plain ones, and letters with
// marks the same whether they are written as one character or as two.
import { distance } from "fastest-levenshtein";
import { commonEdges } from "../../base/text/count-text.ts";

const space = 32;
const dot = 46;
const ellipsis = 0x2026;

/** The plain form of a character code; -1 for a character that nobody sees. */
function foldCode(code: number): number {
  if (code < 0x80) {
    if (code === 9 || code === 11 || code === 12 || code === 13) return space;
    return code === 34 ? 39 : code;
  }
  if (code < 0x2000) return code === 0xa0 || code === 0x1680 ? space : code;
  if (code >= 0x3000) return foldWide(code);
  if (code === 0x202f || code === 0x205f || code <= 0x200a) return space;
  if (code === 0x2028 || code === 0x2029) return space;
  if (code >= 0x2018 && code <= 0x201f) return 39;
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212) return 45;
  return code >= 0x200b && code <= 0x200d ? -1 : code;
}

/** Full-width signs as the plain ones; what only chooses how a character is drawn cannot be seen. */
function foldWide(code: number): number {
  if (code >= 0xff01 && code <= 0xff5e) return foldCode(code - 0xfee0);
  if (code === 0xfeff || (code >= 0xfe00 && code <= 0xfe0f)) return -1;
  if (code > 0x3011) return code;
  if (code === 0x3000) return space;
  if (code === 0x3001) return 44;
  if (code === 0x3002) return dot;
  if (code === 0x300a) return 60;
  if (code === 0x300b) return 62;
  if (code === 0x3010) return 91;
  return code === 0x3011 ? 93 : code;
}

/** The loose form of a line; "" if nothing of it can be seen. Most lines have it: then looking is all that it costs. */
export function looseText(line: string): string {
  let text = line.trim();
  if (/[^\0-\x7f]/.test(text))
    text = text
      .normalize("NFC")
      .replaceAll(/[^\0-\x7f]/g, foldCharacter)
      .trim();
  if (/[\t\v\f\r]| {2}/.test(text)) text = text.replaceAll(/[ \t\v\f\r]+/g, " ");
  return text.includes('"') ? text.replaceAll('"', "'") : text;
}

function foldCharacter(character: string): string {
  const code = foldCode(character.charCodeAt(0));
  if (code === ellipsis) return "...";
  return code === -1 ? "" : String.fromCharCode(code);
}

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
  return mayBeSimilar(first, second, budget)
    ? looseDistance(looseText(first), looseText(second), budget)
    : undefined;
}

/** Whether two lines are near enough in length; takes what that costs off the budget. */
export function mayBeSimilar(first: string, second: string, budget?: ComparisonBudget): boolean {
  if (budget !== undefined && (budget.characters -= first.length + second.length + overhead) < 0)
    return false;
  const [short, long] = first.length < second.length ? [first, second] : [second, first];
  // Blanks count as one, so only the visible lengths can rule a pair out; 4 is a generous bound for blanks.
  return long.length <= 10_000 && short.length * 4 + 16 >= long.length;
}

/** As {@link lineDistance}, of lines in their loose form. */
export function looseDistance(
  one: string,
  other: string,
  budget?: ComparisonBudget,
): number | undefined {
  const longest = Math.max(one.length, other.length);
  if (longest === 0) return 0;
  const most = Math.floor(longest * (1 - leastSimilarity));
  if (Math.abs(one.length - other.length) > most) return undefined;
  const { head, tail } = commonEdges(one, other);
  const middle1 = one.slice(head, one.length - tail);
  const middle2 = other.slice(head, other.length - tail);
  if (Math.max(middle1.length, middle2.length) > maxMiddle) return undefined;
  // It compares 32 characters of one with each of the other at a time.
  if (budget !== undefined) budget.characters -= Math.ceil(middle1.length / 32) * middle2.length;
  const edits = distance(middle1, middle2);
  return edits <= most ? edits / longest : undefined;
}

// Lines compared as a reader sees them: blanks at the ends do not count, blanks inside count as one,
// any quotes count as one kind, typographic dashes and full-width signs as the plain ones, and letters with
// marks the same whether they are written as one character or as two.
import { distance } from "fastest-levenshtein";
import { commonEdges } from "../../base/text/count-text.ts";

/** Signs that look alike, and the one that stands for all of them; "" for what nobody sees. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201f]/g, "'"],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g, " "],
  [/[\u200b-\u200d\ufeff]|\p{Variation_Selector}/gu, ""],
  [/…/g, "..."],
  [/、/g, ","],
  [/。/g, "."],
  [/《/g, "<"],
  [/》/g, ">"],
  [/【/g, "["],
  [/】/g, "]"],
];

/** The loose form of a line; "" if nothing of it can be seen. Most lines have it: then looking is all that it costs. */
export function looseText(line: string): string {
  let text = line.trim();
  if (/[^\0-\x7f]/.test(text)) text = foldSigns(text.normalize("NFC")).trim();
  if (/[\t\v\f\r]| {2}/.test(text)) text = text.replaceAll(/[ \t\v\f\r]+/g, " ");
  return text.includes('"') ? text.replaceAll('"', "'") : text;
}

/**
 * The loose form without the blanks that part no words, and without signs that a language leaves to who writes: around the
 * one parameter of an arrow, between digits, and at the end of a tag.
 */
export function tightText(line: string): string {
  return looseText(line)
    .replaceAll(/(?<![\p{L}\p{N}_$]) | (?![\p{L}\p{N}_$])/gu, "")
    .replaceAll(/\(([\w$]+)\)(?==>)|(?<=\d)_(?=\d)|\/(?=>$)/g, "$1");
}

function foldSigns(text: string): string {
  const toPlain = (wide: string): string => String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
  return alike.reduce(
    (folded, [signs, plain]) => folded.replaceAll(signs, plain),
    text.replaceAll(/[\uff01-\uff5e]/g, toPlain),
  );
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

/** Whether two lines are near enough in length; takes what that costs off the budget. */
export function mayBeSimilar(first: string, second: string, budget: ComparisonBudget): boolean {
  budget.characters -= first.length + second.length + overhead;
  if (budget.characters < 0) return false;
  const [short, long] = first.length < second.length ? [first, second] : [second, first];
  // Blanks count as one, so only the visible lengths can rule a pair out; 4 is a generous bound for blanks.
  return long.length <= 10_000 && short.length * 4 + 16 >= long.length;
}

/**
 * The share of characters by which two lines in their loose form differ, 0 to 1 (Levenshtein distance by the longer length);
 * undefined if they are not similar.
 */
export function looseDistance(
  one: string,
  other: string,
  budget: ComparisonBudget,
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
  budget.characters -= Math.ceil(middle1.length / 32) * middle2.length;
  const edits = distance(middle1, middle2);
  return edits <= most ? edits / longest : undefined;
}

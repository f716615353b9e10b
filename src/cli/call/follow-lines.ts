import { commonEdges } from "../../edit/common-edges.ts";
import { type LineRange, splitLines } from "./collect/line-range.ts";

/**
 * Where lines stand after the text was changed. Changes inside and above move their ends; where an end
 * itself lies in what was changed, they grow to hold all of that. What was put right above the first
 * line, such as a doc comment, belongs to them.
 *
 * @param before the text that the range belongs to
 */
export function followLines({ first, last }: LineRange, before: string, after: string): LineRange {
  const [old, now] = [splitLines(before), splitLines(after)];
  const { head, tail } = commonEdges(old, now);
  const grown = now.length - old.length;
  /** The last line that was changed. */
  const end = old.length - tail;
  const from = first <= head + 1 ? first : first > end ? first + grown : head + 1;
  const to = last <= head ? last : Math.max(last, end) + grown;
  const start = Math.min(from, now.length);
  return { first: start, last: Math.max(start, to) };
}

// Code without its comments.
import { isPause, type Steps } from "../../edit/steps.ts";
import type { CodeAnalysis, CodeRange } from "../../code/code-analysis.ts";
import { linesOfFile } from "./units.ts";

/** The lines of a text, each as long as it was: comments and doc strings are spaces. */
export function* maskComments(
  text: string,
  { offsets: { comments }, source }: CodeAnalysis,
  docs: readonly CodeRange[] = [],
): Steps<string[]> {
  const places = [
    ...docs.map((range) => source.offsetsOf(range)),
    ...Array.from({ length: comments.count }, (_, nth) => {
      return [comments.start(nth), comments.end(nth)] as const;
    }),
  ].toSorted(([a], [b]) => a - b);
  yield;
  const written: string[] = [];
  let next = 0;
  for (const [start, end] of places) {
    if (start < next) continue;
    written.push(text.slice(next, start), text.slice(start, end).replace(/[^\r\n]/g, " "));
    next = end;
    if (isPause(written.length)) yield;
  }
  return linesOfFile(written.join("") + text.slice(next));
}

// Code in which comments and strings cannot be taken for code.
import { isPause, type Steps } from "../../edit/steps.ts";
import type { CodeAnalysis, CodeRange, Stretches } from "../../code/code-analysis.ts";
import { linesOfFile } from "./units.ts";

/** Stands for each character of a string, its quotes included. */
const stringMark = "\0";

/**
 * The lines of a text, each as long as it was: comments and doc strings are blanks, strings are marks, and
 * so is what a PHP file holds beside its code.
 */
export function* maskCode(
  text: string,
  { offsets, source, language }: CodeAnalysis,
  docs: readonly CodeRange[] = [],
): Steps<string[]> {
  const { comments, strings } = offsets;
  const parts = [
    ...listParts(comments, " "),
    ...docs.map((range): Part => ({ at: source.offsetsOf(range), filler: " " })),
    ...listParts(strings, stringMark),
  ].toSorted((a, b) => a.at[0] - b.at[0]);
  yield;
  const written: string[] = [];
  let next = 0;
  for (const { at, filler } of parts) {
    const [start, end] = at;
    if (start < next) continue;
    written.push(text.slice(next, start), fill(text.slice(start, end), filler));
    next = end;
    if (isPause(written.length)) yield;
  }
  const masked = written.join("") + text.slice(next);
  yield;
  return linesOfFile(language === "php" ? masked.replace(besidePhp, fillMarks) : masked);
}

interface Part {
  at: readonly [start: number, end: number];
  filler: string;
}

function listParts(stretches: Stretches, filler: string): Part[] {
  return Array.from({ length: stretches.count }, (_, index) => ({
    at: [stretches.start(index), stretches.end(index)],
    filler,
  }));
}

const besidePhp = /^[\s\S]*?<\?(?:php|=)|\?>[\s\S]*?(?:<\?(?:php|=)|$)/g;

function fillMarks(text: string): string {
  return fill(text, stringMark);
}

function fill(text: string, filler: string): string {
  return text.replace(/[^\r\n]/g, filler);
}

// Code in which comments and strings cannot be taken for code.
import { isPause, type Steps } from "../edit/steps.ts";
import type { CodeAnalysis, CodeRange } from "../symbols/code-analysis.ts";
import { createSourceText } from "../symbols/source-text.ts";
import { linesOfFile } from "./offline-units.ts";

/** Stands for each character of a string, its quotes included. */
export const stringMark = "\0";

/**
 * The lines of a text, each as long as it was: comments and doc strings are blanks, strings are marks, and
 * so is what a PHP file holds beside its code.
 */
export function* maskCode(
  text: string,
  { comments, strings, language }: Pick<CodeAnalysis, "comments" | "strings" | "language">,
  docs: readonly CodeRange[] = [],
): Steps<string[]> {
  const source = createSourceText(text);
  const parts = [
    ...[...comments, ...docs].map((range) => ({ offsets: source.offsetsOf(range), filler: " " })),
    ...strings.map((range) => ({ offsets: source.offsetsOf(range), filler: stringMark })),
  ].toSorted((a, b) => a.offsets[0] - b.offsets[0]);
  yield;
  const written: string[] = [];
  let at = 0;
  for (const { offsets, filler } of parts) {
    const [start, end] = offsets;
    if (start < at) continue;
    written.push(text.slice(at, start), fill(text.slice(start, end), filler));
    at = end;
    if (isPause(written.length)) yield;
  }
  const masked = written.join("") + text.slice(at);
  yield;
  return linesOfFile(language === "php" ? masked.replace(besidePhp, fillMarks) : masked);
}

const besidePhp = /^[\s\S]*?<\?(?:php|=)|\?>[\s\S]*?(?:<\?(?:php|=)|$)/g;

function fillMarks(text: string): string {
  return fill(text, stringMark);
}

function fill(text: string, filler: string): string {
  return text.replace(/[^\r\n]/g, filler);
}

/**
 * The brackets of Python code that are open where each line starts, outermost first: `(` for a group,
 * `c` for a call, `[` and `{`.
 */
export function bracketsAtLines(masked: readonly string[]): string[] {
  let open = "";
  return masked.map((line) => {
    const here = open;
    open = followBrackets(open, line);
    return here;
  });
}

/** Nobody writes code that deep; and what is open is kept for every line. */
const deepest = 200;
/** Stays from then on: what is open cannot be told any more. */
const lost = "?";

/** What is open after more code. */
export function followBrackets(open: string, code: string): string {
  if (open === lost) return lost;
  for (const { 0: sign, index } of code.matchAll(/[()[\]{}]/g)) {
    if (")]}".includes(sign)) open = open.slice(0, -1);
    else if (open.length === deepest) return lost;
    else open += sign === "(" && isCalled(code.slice(Math.max(0, index - 40), index)) ? "c" : sign;
  }
  return open;
}

function isCalled(before: string): boolean {
  const word = /(?:\w{1,40}|[\])])$/.exec(before.trimEnd())?.[0];
  return word !== undefined && !keywords.has(word);
}

const keywords: ReadonlySet<string> = new Set(
  "and assert elif else for if in is lambda not or return while yield".split(" "),
);

// Which code is tested: a click may have named it, in a mark that travels in the prompt.
import type { CodeAnalysis, CodeSymbol } from "../symbols/code-analysis.ts";
import { flattenSymbols } from "../symbols/flatten-symbols.ts";
import type { Turn } from "../turn/turn.ts";
import type { EditTarget } from "./edit-target.ts";
import { type Place, placeOf } from "./place.ts";

const linesPattern = /\[lines (\d+)-(\d+)\]\s*/;
const callable = /^(?:function|method|constructor)$/;

/** The functions and methods of a file, from which one is chosen if nothing is selected. */
export function functionsOf({ symbols }: CodeAnalysis): CodeSymbol[] {
  return flattenSymbols(symbols).filter(
    ({ kind, body }) => callable.test(kind) && body !== undefined,
  );
}

/** Names the place of a symbol in a prompt. */
export function markLines({ range }: CodeSymbol, { linesAbove }: EditTarget): string {
  return `[lines ${range.startLine + linesAbove}-${range.endLine + linesAbove}]`;
}

/** What the person wants, without the marks of a place: a client may join the prompts of several clicks. */
export function withoutMark(prompt: string): string {
  return prompt.replaceAll(new RegExp(linesPattern, "g"), "").trim();
}

/** The place that a click has named; else the selection, the function at the cursor, or the file. */
export function findTestPlace(turn: Turn, target: EditTarget, analysis: CodeAnalysis): Place {
  const match = linesPattern.exec(turn.context.userInputPrompt ?? "");
  if (match === null) return placeOf(turn, target, analysis);
  const startLine = Number(match[1]) - target.linesAbove;
  const endLine = Number(match[2]) - target.linesAbove;
  const symbol = functionsOf(analysis).find(({ range }) => range.startLine === startLine);
  return { kind: "symbol", startLine, endLine, symbol };
}

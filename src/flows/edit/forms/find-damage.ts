import type { CodeAnalysis } from "../../../code/code-analysis.ts";
import { listOwned } from "./namesake.ts";

/** What shows that code was not put in its right place: a sentence for the model; undefined if nothing does. */
export function findDamage(was: CodeAnalysis, is: CodeAnalysis): string | undefined {
  if (is.problems.length > was.problems.length) {
    const line = is.problems[0]?.range.startLine;
    return `With the code blocks in place the file would have a syntax error at line ${line}.`;
  }
  const names = new Set(listOwned(is.symbols).map(({ symbol }) => symbol.name));
  const lost = listOwned(was.symbols).find(({ symbol }) => !names.has(symbol.name));
  return lost && `With the code blocks in place the file would lose ${lost.symbol.name}.`;
}

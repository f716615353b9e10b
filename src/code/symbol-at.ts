import type { CodeAnalysis, CodeSymbol } from "./code-analysis.ts";
import { flattenSymbols } from "./flatten-symbols.ts";

const callable: ReadonlySet<CodeSymbol["kind"]> = new Set(["function", "method", "constructor"]);

/**
 * The innermost function or method around a 1-based line, its doc comment included; if there is
 * none, the innermost symbol.
 */
export function symbolAt(
  { symbols }: Pick<CodeAnalysis, "symbols">,
  line: number,
): CodeSymbol | undefined {
  const around = flattenSymbols(symbols).filter((symbol) => covers(symbol, line));
  return around.findLast(({ kind }) => callable.has(kind)) ?? around.at(-1);
}

function covers({ range, docComment }: CodeSymbol, line: number): boolean {
  const start = Math.min(range.startLine, docComment?.startLine ?? range.startLine);
  return line >= start && line <= range.endLine;
}

import type { CodeSymbol } from "./code-analysis.ts";

/** All symbols, each before its children. */
export function flattenSymbols(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  const flat: CodeSymbol[] = [];
  const left = symbols.toReversed();
  for (let symbol = left.pop(); symbol !== undefined; symbol = left.pop()) {
    flat.push(symbol);
    for (const child of symbol.children.toReversed()) left.push(child);
  }
  return flat;
}

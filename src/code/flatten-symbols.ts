import type { CodeSymbol } from "./code-analysis.ts";

/** All symbols, each before its children. */
export function flattenSymbols(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  const flat: CodeSymbol[] = [];
  const left = symbols.toReversed();
  for (let symbol = left.pop(); symbol !== undefined; symbol = left.pop()) {
    flat.push(symbol);
    for (let at = symbol.children.length - 1; at >= 0; at--) {
      const child = symbol.children[at];
      if (child !== undefined) left.push(child);
    }
  }
  return flat;
}

import type { CodeAnalysis, CodeSymbol } from "./code-analysis.ts";

export interface Definition<File> {
  file: File;
  symbol: CodeSymbol;
}

/**
 * The symbols of the given files that have one of the names, in the order of the names, then of the
 * files. What is local to a function defines nothing for others.
 */
export function findDefinitions<File extends { analysis: Pick<CodeAnalysis, "symbols"> }>(
  names: readonly string[],
  files: readonly File[],
): Definition<File>[] {
  const wanted = new Set(names);
  const found = files.flatMap((file) =>
    reachable(file.analysis.symbols)
      .filter(({ name }) => wanted.has(name))
      .map((symbol) => ({ file, symbol })),
  );
  const byName = Map.groupBy(found, ({ symbol }) => symbol.name);
  return [...wanted].flatMap((name) => byName.get(name) ?? []);
}

function reachable(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => [
    symbol,
    ...(/^(?:function|method|constructor)$/.test(symbol.kind) ? [] : reachable(symbol.children)),
  ]);
}

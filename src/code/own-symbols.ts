import type { CodeSymbol } from "./code-analysis.ts";

/** A symbol that is not local to a function. */
export interface OwnedSymbol {
  symbol: CodeSymbol;
  /** The name of the type that it is a member of, also where it is written apart from it. */
  owner: string | undefined;
  /** That type, where it is written around it. */
  holder: CodeSymbol | undefined;
}

/** All symbols but those that are local to functions, each before its members. */
export function listSymbols(symbols: readonly CodeSymbol[]): OwnedSymbol[] {
  const listed: OwnedSymbol[] = [];
  const left = symbols.map((symbol) => own(symbol, undefined)).toReversed();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    listed.push(next);
    const { symbol } = next;
    if (symbol.kind === "function" || symbol.kind === "method" || symbol.kind === "constructor")
      continue;
    // What a module or a constant holds belongs to nobody.
    const isType = symbol.kind !== "module" && symbol.kind !== "variable";
    for (const child of symbol.children.toReversed())
      left.push(own(child, isType ? symbol : undefined));
  }
  return listed;
}

function own(symbol: CodeSymbol, holder: CodeSymbol | undefined): OwnedSymbol {
  const apart = symbol.kind === "method" || symbol.kind === "constructor";
  const container = apart ? symbol.container?.split(".").at(-1) : undefined;
  return { symbol, owner: holder?.name ?? container, holder };
}

// Places and symbols as the plugin protocol writes them: from 0, with an exclusive end.
import type { CodeSymbol, SymbolKind } from "../../../code/code-analysis.ts";
import type { CodeRange } from "../../../code/code-range.ts";

export interface WireRange {
  start: { line: number; character: number };
  end: { line: number; character: number };
}

export interface WireSymbol {
  name: string;
  /** As VS Code names its kinds of symbols. */
  kind: string;
  range: WireRange;
  children: WireSymbol[];
}

/** Symbols of one file that are sent. */
const maxSymbols = 2_000;

const kinds: Record<SymbolKind, string> = {
  function: "Function",
  method: "Method",
  constructor: "Constructor",
  class: "Class",
  interface: "Interface",
  struct: "Struct",
  trait: "Interface",
  enum: "Enum",
  type: "TypeParameter",
  module: "Module",
  variable: "Variable",
  property: "Property",
};

/** From lines and columns that count from 1; `endColumn` is exclusive on both sides. */
export function toWireRange({ startLine, startColumn, endLine, endColumn }: CodeRange): WireRange {
  return {
    start: { line: startLine - 1, character: startColumn - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}

/** The tree of a file's symbols, cut where it holds too many. */
export function toWireSymbols(symbols: readonly CodeSymbol[]): WireSymbol[] {
  let left = maxSymbols;
  const convert = (level: readonly CodeSymbol[]): WireSymbol[] =>
    level.flatMap((symbol) => {
      if (left === 0) return [];
      left -= 1;
      return [toWireSymbol(symbol, convert(symbol.children))];
    });
  return convert(symbols);
}

export function toWireSymbol(
  { name, kind, range }: CodeSymbol,
  children: WireSymbol[],
): WireSymbol {
  return { name, kind: kinds[kind], range: toWireRange(range), children };
}

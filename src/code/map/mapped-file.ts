// What the map keeps of a file: little, so that hundreds can be held at once.
import { isPause, type Steps } from "../../edit/steps.ts";
import type { CodeAnalysis, CodeSymbol, SymbolKind } from "../code-analysis.ts";
import { shorten } from "../tree/source-text.ts";

export interface MappedFile {
  /** Unique among the files of a map. */
  readonly path: string;
  /** Without those that are local to functions; in the order of the text. */
  readonly symbols: readonly MappedSymbol[];
  /** Distinct identifiers that the file uses. */
  readonly names: readonly string[];
}

export interface MappedSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** 1-based: where its name is. */
  readonly line: number;
  /** How many symbols are around it. */
  readonly level: number;
  /** Its head on one line. */
  readonly signature: string;
}

/** Of a longer file the first. */
const [maxSymbols, maxNames] = [500, 2_000];
const wholeFile = { startLine: 1, startColumn: 1, endLine: Number.MAX_SAFE_INTEGER, endColumn: 1 };
const callables: ReadonlySet<SymbolKind> = new Set(["function", "method", "constructor"]);

/** Takes off an analysis what the map needs of it. */
export function* outlineFile(path: string, analysis: CodeAnalysis): Steps<MappedFile> {
  const symbols: MappedSymbol[] = [];
  const left = analysis.symbols.map((symbol) => ({ symbol, level: 0 })).toReversed();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (symbols.length === maxSymbols) break;
    if (isPause(symbols.length)) yield;
    const { symbol, level } = next;
    symbols.push(mapSymbol(symbol, level));
    if (callables.has(symbol.kind)) continue;
    for (const child of symbol.children.toReversed())
      left.push({ symbol: child, level: level + 1 });
  }
  yield;
  return { path, symbols, names: analysis.identifiersIn(wholeFile).slice(0, maxNames) };
}

function mapSymbol(symbol: CodeSymbol, level: number): MappedSymbol {
  const { name, kind, nameRange } = symbol;
  return { name, kind, line: nameRange.startLine, level, signature: shorten(symbol.signature) };
}

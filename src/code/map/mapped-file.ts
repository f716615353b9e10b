// What the map keeps of a file: little, so that hundreds can be held at once.
import type { LineRange } from "../../edit/edit-unit.ts";
import type { CodeAnalysis, CodeSymbol, SymbolKind } from "../code-analysis.ts";
import { shorten } from "../source-text.ts";
import { isOpenToOthers, linesOfDeclaration, walkSymbols } from "../symbols.ts";

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
  /** All of it, with its comment. */
  readonly lines: LineRange;
  /** The names around it, as in `CodeSymbol`. */
  readonly container?: string;
  /** Its head on one line. */
  readonly signature: string;
}

/** Of a longer file the first. */
const [maxSymbols, maxNames] = [500, 2_000];
const wholeFile = { startLine: 1, startColumn: 1, endLine: Number.MAX_SAFE_INTEGER, endColumn: 1 };

/**
 * Takes off an analysis what the map needs of it.
 *
 * @param isWanted symbols of these names are kept wherever they are
 */
export function outlineFile(
  path: string,
  analysis: CodeAnalysis,
  isWanted: (name: string) => boolean = () => false,
): MappedFile {
  const symbols: MappedSymbol[] = [];
  for (const { symbol, level } of walkSymbols(analysis.symbols, isOpenToOthers))
    if (symbols.length < (isWanted(symbol.name) ? 2 * maxSymbols : maxSymbols))
      symbols.push(mapSymbol(symbol, level));
  return { path, symbols, names: analysis.identifiersIn(wholeFile).slice(0, maxNames) };
}

function mapSymbol(symbol: CodeSymbol, level: number): MappedSymbol {
  const { name, kind, nameRange, container, signature } = symbol;
  const lines = linesOfDeclaration(symbol);
  const around = container === undefined ? {} : { container };
  const line = nameRange.startLine;
  return { name, kind, line, level, lines, ...around, signature: shorten(signature) };
}

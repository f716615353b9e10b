// Symbols and imports as lists of numbers, and back.
import type {
  CodeImport,
  CodeParameter,
  CodeRange,
  CodeSymbol,
  SymbolKind,
} from "../code-analysis.ts";
import { type PackedTexts, type TextTable, textAt } from "./text-table.ts";

/** Symbols of a text: nobody looks through more. */
export const maxSymbols = 20_000;
/** Symbols within symbols: what reads them may recurse. */
export const maxLevels = 100;
/** Imports of a text. */
const maxImports = 5_000;
/** Names that the imports of a text bring. */
const maxNames = 20_000;

const kinds = [
  "function",
  "method",
  "constructor",
  "class",
  "interface",
  "struct",
  "trait",
  "enum",
  "type",
  "module",
  "variable",
  "property",
] as const satisfies readonly SymbolKind[];

const asyncFlag = 1;
const exportedFlag = 2;
const noRange: CodeRange = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 };

/**
 * Each with its level in front of its children: level, kind, name, signature, result, container, flags,
 * four ranges, the number of parameters, and these. Texts that are absent are 0, others their number + 1.
 */
export function packSymbols(
  symbols: readonly CodeSymbol[],
  texts: TextTable,
): Uint32Array<ArrayBuffer> {
  const packed: number[] = [];
  const optional = (text: string | undefined): number =>
    text === undefined ? 0 : texts.add(text) + 1;
  let count = 0;
  const add = (symbol: CodeSymbol, level: number): void => {
    if (level >= maxLevels || ++count > maxSymbols) return;
    const { kind, name, signature, returnType, container, parameters } = symbol;
    const flags = (symbol.isAsync ? asyncFlag : 0) + (symbol.isExported ? exportedFlag : 0);
    packed.push(level, kinds.indexOf(kind), texts.add(name), texts.add(signature));
    packed.push(optional(returnType), optional(container), flags);
    addRange(packed, symbol.range);
    addRange(packed, symbol.nameRange);
    addRange(packed, symbol.docComment);
    addRange(packed, symbol.body);
    packed.push(parameters.length);
    for (const parameter of parameters)
      packed.push(
        texts.add(parameter.name),
        optional(parameter.type),
        parameter.hasDefault ? 1 : 0,
      );
    for (const child of symbol.children) add(child, level + 1);
  };
  for (const symbol of symbols) add(symbol, 0);
  return Uint32Array.from(packed);
}

export function unpackSymbols(packed: Uint32Array, texts: PackedTexts): CodeSymbol[] {
  const reader = new Reader(packed, texts);
  const top: CodeSymbol[] = [];
  /** The symbol at each level that is open. */
  const around: CodeSymbol[] = [];
  while (!reader.isAtEnd) {
    const level = reader.number();
    const symbol = readSymbol(reader);
    around[level] = symbol;
    (level === 0 ? top : (around[level - 1]?.children ?? top)).push(symbol);
  }
  return top;
}

function readSymbol(reader: Reader): CodeSymbol {
  const kind = kinds[reader.number()] ?? "function";
  const name = reader.text();
  const signature = reader.text();
  const returnType = reader.optional();
  const container = reader.optional();
  const flags = reader.number();
  const range = reader.range() ?? noRange;
  const nameRange = reader.range() ?? noRange;
  const docComment = reader.range();
  const body = reader.range();
  const parameters = Array.from({ length: reader.number() }, (): CodeParameter => {
    const parameter = reader.text();
    const type = reader.optional();
    const hasDefault = reader.number() === 1;
    return type === undefined
      ? { name: parameter, hasDefault }
      : { name: parameter, type, hasDefault };
  });
  return {
    name,
    kind,
    range,
    nameRange,
    signature,
    parameters,
    ...(returnType === undefined ? {} : { returnType }),
    isAsync: (flags & asyncFlag) !== 0,
    isExported: (flags & exportedFlag) !== 0,
    ...(docComment === undefined ? {} : { docComment }),
    ...(body === undefined ? {} : { body }),
    ...(container === undefined ? {} : { container }),
    children: [],
  };
}

/** Each: range, source, the number of names, and these. */
export function packImports(
  imports: readonly CodeImport[],
  texts: TextTable,
): Uint32Array<ArrayBuffer> {
  const packed: number[] = [];
  let left = maxNames;
  for (const { range, source, names } of imports.slice(0, maxImports)) {
    const kept = names.slice(0, left);
    left -= kept.length;
    addRange(packed, range);
    packed.push(texts.add(source), kept.length);
    for (const name of kept) packed.push(texts.add(name));
  }
  return Uint32Array.from(packed);
}

export function unpackImports(packed: Uint32Array, texts: PackedTexts): CodeImport[] {
  const reader = new Reader(packed, texts);
  const imports: CodeImport[] = [];
  while (!reader.isAtEnd) {
    const range = reader.range() ?? noRange;
    const source = reader.text();
    const names = Array.from({ length: reader.number() }, () => reader.text());
    imports.push({ range, source, names });
  }
  return imports;
}

/** Lines count from 1, so no range is all zeros. */
function addRange(packed: number[], range: CodeRange = noRange): void {
  packed.push(range.startLine, range.startColumn, range.endLine, range.endColumn);
}

class Reader {
  readonly #packed: Uint32Array;
  readonly #texts: PackedTexts;
  #at = 0;

  constructor(packed: Uint32Array, texts: PackedTexts) {
    this.#packed = packed;
    this.#texts = texts;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#packed.length;
  }

  number(): number {
    return this.#packed[this.#at++] ?? 0;
  }

  text(): string {
    return textAt(this.#texts, this.number());
  }

  optional(): string | undefined {
    const number = this.number();
    return number === 0 ? undefined : textAt(this.#texts, number - 1);
  }

  range(): CodeRange | undefined {
    const [startLine, startColumn] = [this.number(), this.number()];
    const [endLine, endColumn] = [this.number(), this.number()];
    return startLine === 0 ? undefined : { startLine, startColumn, endLine, endColumn };
  }
}

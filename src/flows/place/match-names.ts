// Which symbols and files of a request a question names.
import { type LineRange, encloses } from "../../edit/edit-unit.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import type { AskedLines, CodeName } from "./find-names.ts";
import type { NamedLines } from "./place-words.ts";
import { flattenSymbols } from "../../code/symbols.ts";
import type { SourceText } from "../../code/source-text.ts";

/** Of one name, and of a question: more than a person chooses from. */
const maxPlaces = 200;

type NamedCode = Pick<CodeAnalysis, "symbols" | "source">;

/** A place of the editor's file that is named. */
export interface FoundPlace extends NamedLines {
  /** Undefined: the lines themselves are named. */
  symbol: CodeSymbol | undefined;
}

/**
 * The places that are named, in the order of the text. One that holds another says only where that is, and
 * goes; of a name, so does one inside of another of the same name.
 */
export function matchNames(
  { names, lines }: { names: readonly CodeName[]; lines: readonly AskedLines[] },
  analysis: NamedCode,
): FoundPlace[] {
  const index = indexSymbols(analysis.symbols);
  const bySymbol = names.map(({ path }) => outermost(matchPath(path, index)).map(toPlace));
  const found = new Map<string, FoundPlace>();
  const add = (place: FoundPlace): void =>
    void found.set(`${place.startLine} ${place.endLine}`, place);
  const named = bySymbol.flat().slice(0, maxPlaces);
  for (const places of bySymbol) {
    insideOf(places, named).forEach(add);
  }
  for (const one of lines) {
    const place = matchLines(one, analysis, index);
    if (place !== undefined) add(place);
  }
  const places = [...found.values()].slice(0, maxPlaces);
  return places
    .filter((place) => !places.some((other) => other !== place && holds(place, other)))
    .toSorted((a, b) => a.startLine - b.startLine);
}

export function toPlace(symbol: CodeSymbol): FoundPlace {
  const { startLine, endLine } = symbol.range;
  return { name: fullName(symbol), startLine, endLine, symbol };
}

/** The symbols of that name; one that is declared apart from its body is where the body is. */
function matchPath(path: readonly string[], index: SymbolIndex): CodeSymbol[] {
  const found: CodeSymbol[] = [];
  const whole: CodeSymbol[] = [];
  for (const symbol of index.get(path.at(-1) ?? "") ?? []) {
    if (!isReached(symbol, path, index)) continue;
    if (found.length < maxPlaces) found.push(symbol);
    if (symbol.body !== undefined) whole.push(symbol);
    if (whole.length === maxPlaces) break;
  }
  return whole.length > 0 ? whole : found;
}

/** Whether the symbol is what the path says: its types are around it, or an object of such a type is. */
function isReached(symbol: CodeSymbol, path: readonly string[], index: SymbolIndex): boolean {
  const around = path.slice(0, -1);
  if (around.length === 0) return true;
  const types = (symbol.container ?? "").split(".");
  if (around.every((name, nth) => name === types[types.length - around.length + nth])) return true;
  const owner = around.at(-1)?.toLowerCase() ?? "";
  const type = types.at(-1) ?? "";
  if (around.length > 1) return false;
  return /^(?:this|self|super)$/.test(owner)
    ? symbol.container !== undefined
    : type.toLowerCase() === owner && index.has(type);
}

/** Of several symbols of a name, those inside of another that is named, too: `total` in `Cart`. */
function insideOf(places: readonly FoundPlace[], all: readonly FoundPlace[]): FoundPlace[] {
  const inside = places.filter((place) => all.some((other) => holds(other, place)));
  return inside.length > 0 ? inside : [...places];
}

function outermost(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.filter(
    (symbol) => !symbols.some((other) => other !== symbol && holds(other.range, symbol.range)),
  );
}

/** The symbol of the name that is nearest to the lines, else the lines; undefined where the file has nothing there. */
export function matchLines(
  { name, ...lines }: AskedLines,
  { source, symbols }: NamedCode,
  index = indexSymbols(symbols),
): FoundPlace | undefined {
  const symbol = name === undefined ? undefined : nearestSymbol(index, name, lines.startLine);
  if (symbol !== undefined) return toPlace(symbol);
  const range = linesWithin(source, lines);
  return range && { ...range, symbol: undefined };
}

/** Whether it is more than the other, which lies inside. */
function holds(one: LineRange, other: LineRange): boolean {
  return encloses(one, other) && !encloses(other, one);
}

/** More lines than a file has: a symbol of the whole name is nearer than one of its end only. */
const farthest = 1e9;

/** With the types around it: `Cart.total`. */
export function fullName({ container, name }: CodeSymbol): string {
  return [container, name].filter((part) => part !== undefined && part !== "").join(".");
}

/** The symbols of a file by their names, each in the order of the text. */
type SymbolIndex = ReadonlyMap<string, readonly CodeSymbol[]>;

function indexSymbols(symbols: readonly CodeSymbol[]): SymbolIndex {
  return Map.groupBy(flattenSymbols(symbols), ({ name }) => name);
}

/** The symbol of a name, with or without its types, that is nearest to a line; undefined without one. */
function nearestSymbol(index: SymbolIndex, name: string, line: number): CodeSymbol | undefined {
  // A name may hold dots itself, as that of a module does.
  const dots = [-1, ...[...name.matchAll(/\./g)].map((dot) => dot.index)];
  let nearest: CodeSymbol | undefined;
  let rank = Infinity;
  for (const dot of dots) {
    for (const symbol of index.get(name.slice(dot + 1)) ?? []) {
      const isExact = fullName(symbol) === name;
      if (!isExact && dot !== -1) continue;
      const distance = Math.abs(symbol.range.startLine - line) + (isExact ? 0 : farthest);
      if (distance < rank) [nearest, rank] = [symbol, distance];
    }
  }
  return nearest;
}

/** The lines that a text has of a range; undefined where it has none, or nothing is on them. */
export function linesWithin(source: SourceText, range: LineRange): LineRange | undefined {
  const { text, lineCount } = source;
  // The end of the last line is not a line of its own.
  const count = /[\r\n]$/.test(text.slice(-1)) ? lineCount - 1 : lineCount;
  const startLine = Math.max(1, range.startLine);
  const endLine = Math.min(range.endLine, count);
  if (startLine > endLine || !/\S/.test(textOfLines(source, startLine, endLine))) return undefined;
  return { startLine, endLine };
}

/** The text of lines, 1-based and inclusive, with `\n` between them and without the last line's end. */
export function textOfLines(source: SourceText, startLine: number, endLine: number): string {
  const ends = { startColumn: 1, endColumn: 1 };
  const [start, end] = source.offsetsOf({ startLine, endLine: endLine + 1, ...ends });
  const text = source.text.slice(start, end);
  const isLast = end === source.text.length && endLine >= source.lineCount;
  const content = isLast ? text : text.replace(/(?:\r\n|\n|\r)$/, "");
  return content.includes("\r") ? content.replace(/\r\n?/g, "\n") : content;
}

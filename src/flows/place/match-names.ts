// Which symbols and files of a request a question names.
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/flatten-symbols.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import type { AskedLines, CodeName } from "./find-names.ts";
import { linesWithin } from "./lines-between.ts";
import type { NamedLines } from "./place-words.ts";

/** Of one name, and of a question: more than a person chooses from. */
const maxPlaces = 200;

/** A place of the editor's file that is named. */
export interface FoundPlace extends NamedLines {
  /** Undefined: the lines themselves are named. */
  symbol: CodeSymbol | undefined;
}

/** With the types around it: `Cart.total`. */
export function fullName({ container, name }: CodeSymbol): string {
  return [container, name].filter((part) => part !== undefined && part !== "").join(".");
}

/**
 * The places that are named, in the order of the text. One that holds another says only where that is, and
 * goes; of a name, so does one inside of another of the same name.
 *
 * @param text of the file
 */
export function matchNames(
  { names, lines }: { names: readonly CodeName[]; lines: readonly AskedLines[] },
  text: string,
  { symbols }: Pick<CodeAnalysis, "symbols">,
): FoundPlace[] {
  const all = flattenSymbols(symbols);
  const bySymbol = names.map(({ path }) => outermost(matchPath(path, all)).map(toPlace));
  const byLines = lines.flatMap((one) => matchLines(one, text, all) ?? []);
  const named = bySymbol.flat().slice(0, maxPlaces);
  const chosen = bySymbol.map((places) => insideOf(places, named));
  const found = new Map(
    [...chosen.flat(), ...byLines].map((place) => [`${place.startLine} ${place.endLine}`, place]),
  );
  const places = [...found.values()].slice(0, maxPlaces);
  return places
    .filter((place) => !places.some((other) => other !== place && holds(place, other)))
    .toSorted((a, b) => a.startLine - b.startLine);
}

/** The symbol of the name that is nearest to the lines; undefined where there is none. */
export function nearestSymbol(
  { name, startLine }: NamedLines,
  { symbols }: Pick<CodeAnalysis, "symbols">,
): CodeSymbol | undefined {
  if (name === undefined) return undefined;
  const all = flattenSymbols(symbols);
  const exact = all.filter((symbol) => fullName(symbol) === name);
  const found = exact.length > 0 ? exact : all.filter((symbol) => symbol.name === name);
  const distance = ({ range }: CodeSymbol): number => Math.abs(range.startLine - startLine);
  return found.toSorted((a, b) => distance(a) - distance(b))[0];
}

export function toPlace(symbol: CodeSymbol): FoundPlace {
  const { startLine, endLine } = symbol.range;
  return { name: fullName(symbol), startLine, endLine, symbol };
}

/** The symbols of that name; one that is declared apart from its body is where the body is. */
function matchPath(path: readonly string[], all: readonly CodeSymbol[]): CodeSymbol[] {
  const found = all.filter((symbol) => symbol.name === path.at(-1) && isReached(symbol, path, all));
  const whole = found.filter(({ body }) => body !== undefined);
  return (whole.length > 0 ? whole : found).slice(0, maxPlaces);
}

/** Whether the symbol is what the path says: its types are around it, or an object of such a type is. */
function isReached(
  symbol: CodeSymbol,
  path: readonly string[],
  all: readonly CodeSymbol[],
): boolean {
  const around = path.slice(0, -1);
  if (around.length === 0) return true;
  const types = (symbol.container ?? "").split(".");
  if (around.every((name, nth) => name === types[types.length - around.length + nth])) return true;
  const owner = around.at(-1)?.toLowerCase() ?? "";
  if (around.length > 1) return false;
  return /^(?:this|self|super)$/.test(owner)
    ? symbol.container !== undefined
    : types.at(-1)?.toLowerCase() === owner && all.some(({ name }) => name === types.at(-1));
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

/** Undefined where the file has nothing there. */
function matchLines(
  { name, ...lines }: AskedLines,
  text: string,
  symbols: readonly CodeSymbol[],
): FoundPlace | undefined {
  const symbol =
    name === undefined ? undefined : nearestSymbol({ ...lines, name }, { symbols: [...symbols] });
  if (symbol !== undefined) return toPlace(symbol);
  const range = linesWithin(text, lines);
  return range && { ...range, symbol: undefined };
}

/** Whether it is more than the other, which lies inside. */
function holds(one: LineRange, other: LineRange): boolean {
  const isAround = one.startLine <= other.startLine && one.endLine >= other.endLine;
  return isAround && (one.startLine < other.startLine || one.endLine > other.endLine);
}

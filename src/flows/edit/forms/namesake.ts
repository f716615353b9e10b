import { type LineRange, overlaps } from "../../../edit/edit-unit.ts";
import type { CodeAnalysis, CodeSymbol } from "../../../code/code-analysis.ts";

/** A symbol and the names of the types around it; modules and namespaces do not count. */
export interface OwnedSymbol {
  symbol: CodeSymbol;
  owner: string;
}

/** All symbols, each before its children. */
export function listOwned(symbols: readonly CodeSymbol[], owner = ""): OwnedSymbol[] {
  const modules = new Set(symbols.flatMap(({ name, kind }) => (kind === "module" ? name : [])));
  const found: OwnedSymbol[] = [];
  for (const symbol of symbols) {
    const own = owner || ownerOf(symbol, modules);
    const inner = symbol.kind === "module" ? own : [own, symbol.name].filter(Boolean).join(".");
    found.push({ symbol, owner: own });
    for (const one of listOwned(symbol.children, inner)) found.push(one);
  }
  return found;
}

/** What is written apart from its type names it as its container. */
function ownerOf({ container = "", kind }: CodeSymbol, modules: ReadonlySet<string>): string {
  const isApart = kind === "method" || kind === "constructor";
  return isApart && !modules.has(container) ? container : "";
}

const callable = /^(?:function|method|constructor)$/;

/**
 * The one symbol of the file with the name, the kind, the container and the number of parameters of another;
 * of several the one in the lines that are meant.
 *
 * @param isMember its container is not known
 */
export function findNamesake(
  { symbol, owner }: OwnedSymbol,
  file: Pick<CodeAnalysis, "symbols">,
  isMember: boolean,
  within: LineRange | undefined,
): CodeSymbol | undefined {
  const isAlike = (other: OwnedSymbol): boolean =>
    other.symbol.name === symbol.name &&
    other.symbol.kind === symbol.kind &&
    (isMember ? other.owner !== "" : other.owner === owner) &&
    (!callable.test(symbol.kind) || other.symbol.parameters.length === symbol.parameters.length);
  const found = listOwned(file.symbols).filter(isAlike);
  const meant =
    within === undefined || found.length < 2 ? found : found.filter((one) => isIn(one, within));
  return meant.length === 1 ? meant[0]?.symbol : undefined;
}

/** {@link findNamesake} of what is read apart from the file: a method may be read as a function there. */
export function findOnly(
  symbol: CodeSymbol,
  [only]: readonly CodeSymbol[],
): CodeSymbol | undefined {
  const isCallable = callable.test(symbol.kind);
  const isAlike =
    only?.name === symbol.name &&
    (isCallable ? callable.test(only.kind) : only.kind === symbol.kind) &&
    only.parameters.length === symbol.parameters.length;
  return isAlike ? only : undefined;
}

function isIn({ symbol: { range } }: OwnedSymbol, within: LineRange): boolean {
  return overlaps(range, within);
}

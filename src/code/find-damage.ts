// A file before and after a change in; out comes what shows that code was not put in its right place.
import type { CodeAnalysis, CodeSymbol } from "./code-analysis.ts";

/** What a change breaks or takes away, in words for a model; undefined if nothing shows it. */
export function findDamage(was: CodeAnalysis, is: CodeAnalysis): string | undefined {
  if (is.problems.length > was.problems.length) {
    const line = is.problems[0]?.range.startLine;
    return `with it in place the file would have a syntax error at line ${line}`;
  }
  if (was.problems.length > 0) return undefined;
  const [old, now] = [listSymbols(was.symbols), listSymbols(is.symbols)];
  const names = new Set(now.map(({ name }) => name));
  const words = new Set(is.source.text.match(/[\p{L}\p{N}_$]+/gu));
  // The same definitions in the same order: one that nothing uses any more has another name now.
  const areSame =
    old.length === now.length && old.every(({ kind }, nth) => kind === now[nth]?.kind);
  // `x += 1` declares no x, as `x = x + 1` may.
  const lost = old.find(
    ({ name, kind }) => !names.has(name) && (words.has(name) ? kind !== "variable" : !areSame),
  );
  return lost && `with it in place the file would lose ${lost.name}`;
}

function listSymbols(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...listSymbols(symbol.children)]);
}

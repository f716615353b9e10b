// A file before and after a change in; out comes what shows that code was not put in its right place.
import { isSolid, linesOf } from "../base/text/lines.ts";
import { isComment } from "../edit/align/source-lines.ts";
import { findTextChanges } from "../edit/unified-diff.ts";
import type { CodeAnalysis, CodeSymbol } from "./code-analysis.ts";

/** What a change breaks, or takes away with nothing in its place, in words for a model; undefined if nothing shows it. */
export function findDamage(was: CodeAnalysis, is: CodeAnalysis): string | undefined {
  if (is.problems.length > was.problems.length) {
    const line = is.problems[0]?.range.startLine;
    return `with it in place the file would have a syntax error at line ${line}`;
  }
  if (was.problems.length > 0) return undefined;
  const names = new Set(listSymbols(is.symbols).map(({ name }) => name));
  const words = new Set(is.source.text.match(/[\p{L}\p{N}_$]+/gu));
  // `x += 1` declares no x, as `x = x + 1` may.
  const gone = listSymbols(was.symbols).filter(
    ({ name, kind }) => !names.has(name) && (kind !== "variable" || !words.has(name)),
  );
  const changes = gone.length === 0 ? [] : findTextChanges(was.source.text, is.source.text);
  const lost = gone.find(({ range: { startLine: line } }) => {
    const change = changes.find(({ startLine, endLine }) => startLine <= line && line <= endLine);
    return !linesOf(change?.text ?? "").some((each) => isSolid(each) && !isComment(each.trim()));
  });
  return lost && `with it in place the file would lose ${lost.name}`;
}

function listSymbols(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...listSymbols(symbol.children)]);
}

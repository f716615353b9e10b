import { readFileSync } from "node:fs";
import type { CodeAnalysis, CodeSymbol } from "../../src/code/code-analysis.ts";
import { flattenSymbols, listParameters, namesBoundBy } from "../../src/code/symbols.ts";
import { code as parser } from "../helpers/code-parser.ts";
import type { CodeRange } from "../../src/code/source-text.ts";
export { parser };

export const everything = { startLine: 1, startColumn: 1, endLine: 1_000_000, endColumn: 1 };

export function readText(name: string): string {
  return readFileSync(new URL(`../../eval-cases/code/${name}`, import.meta.url), "utf8");
}

export function analyzeFixture(name: string): Promise<CodeAnalysis> {
  return parser.analyze(readText(name), undefined, name);
}

/** The comments of an analysis, its directives or its strings. */
export function rangesOf(
  { source, offsets }: CodeAnalysis,
  name: keyof CodeAnalysis["offsets"],
): CodeRange[] {
  const all = offsets[name];
  return Array.from({ length: all.count }, (_, nth) =>
    source.rangeOf(all.start(nth), all.end(nth)),
  );
}

/** What `test/fixtures/code/expected/` holds of a fixture, one line an entry. */
export function describe(analysis: CodeAnalysis): Record<string, unknown> {
  const symbols = flattenSymbols(analysis.symbols);
  return {
    language: analysis.language,
    symbols: symbols.map((symbol) => describeSymbol(symbol, analysis.language)),
    signatures: symbols.map(({ signature }) => signature),
    imports: analysis.imports.map((one) => {
      const names = namesBoundBy(one, analysis);
      return `${one.range.startLine} ${one.source} {${names.join(", ")}}`;
    }),
    branches: analysis
      .branchesIn(everything)
      .map(({ line, kind, text }) => `${line} ${kind}: ${text}`),
    comments: rangesOf(analysis, "comments").map(({ startLine }) => startLine),
    strings: analysis.offsets.strings.count,
    problems: analysis.problems.length,
  };
}

/** `8-9 method Cart.total(a, b), doc 6-7` */
function describeSymbol(symbol: CodeSymbol, language: CodeAnalysis["language"]): string {
  const { name, kind, container, range, docComment } = symbol;
  return [
    `${range.startLine}-${range.endLine} `,
    `${kind} ${container === undefined ? "" : `${container}.`}${name}(${listParameters(symbol, language).join(", ")})`,
    docComment === undefined ? "" : `, doc ${docComment.startLine}-${docComment.endLine}`,
  ].join("");
}

/** The first symbol of that name; a test that asks for a stranger fails. */
export function find({ symbols }: CodeAnalysis, name: string): CodeSymbol {
  const found = flattenSymbols(symbols).find((symbol) => symbol.name === name);
  if (found === undefined) throw new Error(`There is no symbol "${name}".`);
  return found;
}

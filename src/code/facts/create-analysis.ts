import type { CodeAnalysis, CodeBranch, CodeRange, Stretches } from "../code-analysis.ts";
import { type CodeFacts, branchKinds, branchWidth } from "./code-facts.ts";
import { unpackImports, unpackSymbols } from "./pack-symbols.ts";
import { createSourceText } from "../tree/source-text.ts";
import { textAt } from "./text-table.ts";

/** Different identifiers of one range. */
const maxIdentifiers = 10_000;

/**
 * Answers from facts, each when it is first asked for.
 *
 * @param text the one that the facts were read off
 */
export function createAnalysis(facts: CodeFacts, text: string): CodeAnalysis {
  const source = createSourceText(text, facts.lines);
  const offsets = {
    comments: createStretches(facts.comments),
    directives: createStretches(facts.directives),
    strings: createStretches(facts.strings),
  };
  const rangesOf = (stretches: Stretches): (() => CodeRange[]) =>
    once(() =>
      Array.from({ length: stretches.count }, (_, index) =>
        source.rangeOf(stretches.start(index), stretches.end(index)),
      ),
    );
  const symbols = once(() => unpackSymbols(facts.symbols, facts.texts));
  const imports = once(() => unpackImports(facts.imports, facts.texts));
  const comments = rangesOf(offsets.comments);
  const directives = rangesOf(offsets.directives);
  const strings = rangesOf(offsets.strings);
  const analysis: CodeAnalysis = {
    language: facts.language,
    source,
    offsets,
    areCommentsKnown: facts.areCommentsKnown,
    problems: facts.problems,
    matches: facts.matches,
    get symbols() {
      return symbols();
    },
    get imports() {
      return imports();
    },
    get comments() {
      return comments();
    },
    get directives() {
      return directives();
    },
    get strings() {
      return strings();
    },
    isCommented(startLine, endLine) {
      const below = { ...source.rangeOf(0, 0), endLine: startLine + 1, endColumn: 1 };
      // Comments do not overlap: of those that begin up to here only the last can reach further.
      const last = countBefore(facts.comments, 2, source.offsetsOf(below)[1]) - 1;
      if (last < 0 || startLine > source.lineCount) return false;
      const range = source.rangeOf(offsets.comments.start(last), offsets.comments.end(last));
      return range.endLine >= Math.max(startLine, endLine);
    },
    identifiersIn(range) {
      const { identifiers, names } = facts;
      const [start, end] = source.offsetsOf(range);
      const last = countBefore(identifiers, 2, end);
      const found = new Set<number>();
      for (let index = countBefore(identifiers, 2, start); index < last; index++) {
        found.add(identifiers[index * 2 + 1] ?? 0);
        if (found.size === maxIdentifiers) break;
      }
      return Array.from(found, (name) => text.slice(names[name * 2], names[name * 2 + 1]));
    },
    branchesIn(range) {
      const [start, end] = source.offsetsOf(range);
      const first = countBefore(facts.branches, branchWidth, start);
      const count = countBefore(facts.branches, branchWidth, end) - first;
      return Array.from({ length: Math.max(0, count) }, (_, index) =>
        readBranch(facts, first + index),
      );
    },
  };
  return facts.docComment === undefined
    ? analysis
    : Object.assign(analysis, { docComment: source.rangeOf(...facts.docComment) });
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function createStretches(pairs: Uint32Array): Stretches {
  return {
    count: pairs.length / 2,
    start: (index) => pairs[index * 2] ?? 0,
    end: (index) => pairs[index * 2 + 1] ?? 0,
  };
}

/** How many records begin before an offset; the first number of each says where, and they rise. */
function countBefore(records: Uint32Array, width: number, offset: number): number {
  let low = 0;
  let high = records.length / width;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records[middle * width] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readBranch({ branches, texts }: CodeFacts, index: number): CodeBranch {
  const at = index * branchWidth;
  const [, startLine = 0, startColumn = 0, endLine = 0, endColumn = 0, kind = 0, text = 0] =
    branches.subarray(at, at + branchWidth);
  return {
    range: { startLine, startColumn, endLine, endColumn },
    kind: branchKinds[kind] ?? "if",
    text: textAt(texts, text),
  };
}

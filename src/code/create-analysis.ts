import type {
  CodeAnalysis,
  CodeImport,
  CodeRange,
  CodeSymbol,
  Stretches,
} from "./code-analysis.ts";
import { type CodeFacts, type PlacedBranch } from "./code-facts.ts";
import { createSourceText } from "./source-text.ts";
import { countWhile } from "../base/text/lines.ts";

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
  // What was packed is of these types.
  const symbols = once(() => JSON.parse(facts.symbols) as CodeSymbol[]);
  const imports = once(() => JSON.parse(facts.imports) as CodeImport[]);
  const branches = once(() => JSON.parse(facts.branches) as PlacedBranch[]);
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
      const last = countBefore(facts.comments, source.offsetsOf(below)[1]) - 1;
      if (last < 0 || startLine > source.lineCount) return false;
      const range = source.rangeOf(offsets.comments.start(last), offsets.comments.end(last));
      return range.endLine >= Math.max(startLine, endLine);
    },
    identifiersIn(range) {
      const { identifiers, names } = facts;
      const [start, end] = source.offsetsOf(range);
      const last = countBefore(identifiers, end);
      const found = new Set<number>();
      for (let index = countBefore(identifiers, start); index < last; index++) {
        found.add(identifiers[index * 2 + 1] ?? 0);
        if (found.size === maxIdentifiers) break;
      }
      return Array.from(found, (name) => text.slice(names[name * 2], names[name * 2 + 1]));
    },
    branchesIn(range) {
      const [start, end] = source.offsetsOf(range);
      const all = branches();
      const placeOf = (offset: number): number =>
        countWhile(all.length, (nth) => (all[nth]?.start ?? 0) < offset);
      return all.slice(placeOf(start), placeOf(end)).map(({ branch }) => branch);
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

/** How many pairs begin before an offset; they rise. */
function countBefore(pairs: Uint32Array, offset: number): number {
  return countWhile(pairs.length / 2, (nth) => (pairs[nth * 2] ?? 0) < offset);
}

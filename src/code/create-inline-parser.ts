import type { CodeParser } from "./code-analysis.ts";
import { createAnalysis, packFacts } from "./code-facts.ts";
import type { GrammarSource, TreeLimits } from "./tree/grammar-source.ts";
import { readingRulesOf } from "./language-of.ts";
import { readPlainly } from "./plain/analyze-plain.ts";
import { createGrammarLoader, readSafely } from "./tree/read-tree.ts";
import { type RecentLimits, createRecentAnalyses } from "./recent-analyses.ts";

export interface ParseLimits extends TreeLimits, RecentLimits {
  /** Longer texts are read plainly. */
  maxCharacters: number;
  /** What is behind them is not seen by the plain analysis. */
  maxPlainCharacters: number;
  /** Texts that may wait for each other; one more is read plainly, and only its beginning. */
  maxAtOnce: number;
  /** A text that waits longer, in milliseconds, is not counted any more: it was given up. */
  maxWait: number;
  /** Calls back in a later turn of the event loop. */
  defer: (next: () => void) => void;
}

/** What a parser needs of the runtime; the caller brings it. */
type ParseRuntime = Pick<ParseLimits, "now" | "defer">;

const defaults: Omit<ParseLimits, keyof ParseRuntime> = {
  maxCharacters: 1_000_000,
  maxPlainCharacters: 1_000_000,
  maxTime: 2000,
  // The clock of Workers stands still while code runs; steps count there, too.
  maxLooks: 40_000,
  maxAtOnce: 32,
  maxWait: 10_000,
  // A file and what a change makes of it, for each of the turns that run at once.
  maxTexts: 8,
  maxKeptCharacters: 2_000_000,
};

/**
 * Reads in the thread that asks, which waits while a text is read; where there are threads, a pool of them
 * (`createCodeThreads` of rightseat/node) keeps the event loop free. Loads the runtime and each grammar on
 * its first use, once. A text that was read lately is not read again.
 */
export function createInlineParser(
  source: GrammarSource,
  limits: Partial<ParseLimits> & ParseRuntime,
): CodeParser {
  const all: ParseLimits = { ...defaults, ...limits };
  const load = createGrammarLoader(source);
  const turns = createTurns(all);
  const recent = createRecentAnalyses(all);
  return {
    async analyze(text, language, path, { signal, query } = {}) {
      signal?.throwIfAborted();
      const rules = readingRulesOf(language, path, query);
      const known = recent.find(rules.key, text);
      if (known !== undefined) return known;
      const turn = turns.take();
      if (turn === undefined) return readPlainly(text, rules.lexical);
      try {
        await turn.comes;
        signal?.throwIfAborted();
        const tree = text.length > all.maxCharacters ? undefined : rules.tree;
        const grammar = tree && (await load(tree.grammar));
        signal?.throwIfAborted();
        const meanwhile = recent.find(rules.key, text);
        if (meanwhile !== undefined) return meanwhile;
        const { found } = readSafely(text, grammar, tree, all, query);
        const analysis = found
          ? createAnalysis(packFacts(found), text)
          : readPlainly(text, rules.lexical, all.maxPlainCharacters);
        recent.keep(rules.key, text, analysis);
        return analysis;
      } finally {
        turn.end();
      }
    },
  };
}

/**
 * Lets the event loop turn between texts that are read at once. Each waits by a timer of its own: on
 * Workers nobody may wait for what another request does, since that one may be ended at any time, and then
 * does not even come to its `finally`.
 */
function createTurns({ maxAtOnce, maxWait, now, defer }: ParseLimits) {
  const taken = new Map<symbol, number>();
  return {
    /** Undefined if too many have one. */
    take() {
      const time = now();
      for (const [turn, since] of taken) if (time - since > maxWait) taken.delete(turn);
      if (taken.size >= maxAtOnce) return undefined;
      const turn = Symbol("turn");
      const isFirst = taken.size === 0;
      taken.set(turn, time);
      return {
        comes: isFirst ? Promise.resolve() : new Promise<void>((resolve) => defer(resolve)),
        end: () => void taken.delete(turn),
      };
    },
  };
}

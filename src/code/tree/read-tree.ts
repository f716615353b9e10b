import { Parser } from "web-tree-sitter";
import type { CodeMatch } from "../code-analysis.ts";
import { analyzeTree } from "./analyze-tree.ts";
import { findMatches, type Grammar } from "./find-matches.ts";
import type { FoundCode } from "../facts/code-facts.ts";
import type { GrammarSource, TreeLimits } from "./grammar-source.ts";
import type { LanguageRules } from "./language-rules.ts";
import { type SyntaxTree, copyTree } from "./syntax-tree.ts";
import { loadLanguage, startRuntime } from "./wasm-runtime.ts";

export type LoadGrammar = (name: string) => Promise<Grammar | undefined>;

/**
 * Loads the runtime and each grammar on its first use, once; one that fails stays away.
 *
 * @param memory what the runtime may use, if this is the only one of its thread
 */
export function createGrammarLoader(
  source: GrammarSource,
  memory?: WebAssembly.Memory,
): LoadGrammar {
  const loaded = new Map<string, Promise<Grammar | undefined>>();
  return (name) => {
    const known = loaded.get(name) ?? loadOrNothing(source, name, memory);
    loaded.set(name, known);
    return known;
  };
}

async function loadOrNothing(
  source: GrammarSource,
  name: string,
  memory: WebAssembly.Memory | undefined,
): Promise<Grammar | undefined> {
  try {
    await startRuntime(source, memory);
    const language = await loadLanguage(source, name);
    return language && { language };
  } catch {
    return undefined;
  }
}

/**
 * @param query what is looked for besides
 * @returns undefined if it takes too long
 * @throws what a fault in a grammar throws, a trap of WebAssembly or a RangeError; the runtime may be of
 * no use afterwards
 */
export function readTree(
  text: string,
  grammar: Grammar,
  rules: LanguageRules,
  limits: TreeLimits,
  query?: string,
): FoundCode | undefined {
  const read = parse(text, grammar, limits, query);
  return read && { ...analyzeTree(read.tree, text, rules), matches: read.matches };
}

interface ReadTree {
  tree: SyntaxTree;
  matches: CodeMatch[];
}

function parse(
  text: string,
  grammar: Grammar,
  { maxTime, maxLooks, now }: TreeLimits,
  query: string | undefined,
): ReadTree | undefined {
  const end = now() + maxTime;
  const isLate = (): boolean => now() > end;
  let looks = 0;
  const parser = new Parser();
  try {
    parser.setLanguage(grammar.language);
    const tree = parser.parse(text, null, {
      progressCallback: () => ++looks > maxLooks || isLate(),
    });
    try {
      const copy = tree === null ? undefined : copyTree(tree, isLate);
      if (tree === null || copy === undefined) return undefined;
      const matches = query === undefined ? [] : findMatches(tree, grammar, query, isLate);
      return { tree: copy, matches };
    } finally {
      tree?.delete();
    }
  } finally {
    parser.delete();
  }
}

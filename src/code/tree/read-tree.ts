import { type Language, Parser } from "web-tree-sitter";
import { analyzeTree } from "./analyze-tree.ts";
import type { FoundCode } from "../facts/code-facts.ts";
import type { GrammarSource, TreeLimits } from "./grammar-source.ts";
import type { LanguageRules } from "./language-rules.ts";
import { type SyntaxTree, copyTree } from "./syntax-tree.ts";
import { loadLanguage, startRuntime } from "./wasm-runtime.ts";

export type LoadGrammar = (name: string) => Promise<Language | undefined>;

/**
 * Loads the runtime and each grammar on its first use, once; one that fails stays away.
 *
 * @param memory what the runtime may use, if this is the only one of its thread
 */
export function createGrammarLoader(
  source: GrammarSource,
  memory?: WebAssembly.Memory,
): LoadGrammar {
  const loaded = new Map<string, Promise<Language | undefined>>();
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
): Promise<Language | undefined> {
  try {
    await startRuntime(source, memory);
    return await loadLanguage(source, name);
  } catch {
    return undefined;
  }
}

/**
 * @returns undefined if it takes too long
 * @throws what a fault in a grammar throws, a trap of WebAssembly or a RangeError; the runtime may be of
 * no use afterwards
 */
export function readTree(
  text: string,
  grammar: Language,
  rules: LanguageRules,
  limits: TreeLimits,
): FoundCode | undefined {
  const tree = parse(text, grammar, limits);
  return tree && analyzeTree(tree, text, rules);
}

function parse(
  text: string,
  grammar: Language,
  { maxTime, maxLooks, now }: TreeLimits,
): SyntaxTree | undefined {
  const end = now() + maxTime;
  const isLate = (): boolean => now() > end;
  let looks = 0;
  const parser = new Parser();
  try {
    parser.setLanguage(grammar);
    const tree = parser.parse(text, null, {
      progressCallback: () => ++looks > maxLooks || isLate(),
    });
    try {
      return tree === null ? undefined : copyTree(tree, isLate);
    } finally {
      tree?.delete();
    }
  } finally {
    parser.delete();
  }
}

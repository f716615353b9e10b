import { type Language, Parser } from "web-tree-sitter";
import { analyzePlain } from "./analyze-plain.ts";
import { analyzeTree } from "./analyze-tree.ts";
import type { CodeAnalysis, CodeParser } from "./code-analysis.ts";
import { languageOf, lexicalRulesOf } from "./language-of.ts";
import type { LanguageRules } from "./language-rules.ts";
import { languages } from "./languages/languages.ts";
import { type SyntaxTree, copyTree } from "./syntax-tree.ts";
import type { GrammarSource } from "./grammar-source.ts";
import { loadLanguage, startRuntime } from "./wasm-runtime.ts";

export interface ParseLimits {
  mostCharacters: number;
  mostMilliseconds: number;
  /** Looks of the parser at the clock, one each hundred steps: about 1 s on a usual machine. */
  mostLooks: number;
  now: () => number;
}

const defaults: ParseLimits = {
  mostCharacters: 1_000_000,
  mostMilliseconds: 2000,
  // The clock of Workers stands still while code runs; steps count there, too.
  mostLooks: 40_000,
  now: Date.now,
};

/** Loads the runtime and each grammar on its first use, once; one that fails stays away. */
export function createCodeParser(
  source: GrammarSource,
  limits: Partial<ParseLimits> = {},
): CodeParser {
  const all = { ...defaults, ...limits };
  const loaded = new Map<string, Promise<Language | undefined>>();
  const load = (grammar: string): Promise<Language | undefined> => {
    const known = loaded.get(grammar) ?? loadOrNothing(source, grammar);
    loaded.set(grammar, known);
    return known;
  };
  const readTree = async (
    text: string,
    rules: LanguageRules,
  ): Promise<CodeAnalysis | undefined> => {
    if (text.length > all.mostCharacters) return undefined;
    const grammar = await load(rules.grammar);
    return grammar && analyzeOrNothing(text, grammar, rules, all);
  };
  return {
    async analyze(text, language, path) {
      const name = languageOf(language, path);
      const rules = languages.find((candidate) => candidate.language === name);
      const tree = rules && (await readTree(text, rules));
      return tree ?? analyzePlain(text, lexicalRulesOf(language, path));
    },
  };
}

async function loadOrNothing(source: GrammarSource, name: string): Promise<Language | undefined> {
  try {
    await startRuntime(source);
    return await loadLanguage(source, name);
  } catch {
    return undefined;
  }
}

/** A fault in a grammar is a trap of WebAssembly, which throws; the text is still worth an outline. */
function analyzeOrNothing(
  text: string,
  language: Language,
  rules: LanguageRules,
  limits: ParseLimits,
): CodeAnalysis | undefined {
  try {
    const tree = parse(text, language, limits);
    return tree && analyzeTree(tree, text, rules);
  } catch {
    return undefined;
  }
}

function parse(text: string, language: Language, limits: ParseLimits): SyntaxTree | undefined {
  const { mostMilliseconds, mostLooks, now } = limits;
  const end = now() + mostMilliseconds;
  const isLate = (): boolean => now() > end;
  let looks = 0;
  const parser = new Parser();
  try {
    parser.setLanguage(language);
    const tree = parser.parse(text, null, {
      progressCallback: () => ++looks > mostLooks || isLate(),
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

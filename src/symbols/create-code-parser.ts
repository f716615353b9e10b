import { type Language, Parser } from "web-tree-sitter";
import { analyzePlain } from "./analyze-plain.ts";
import { analyzeTree } from "./analyze-tree.ts";
import type { CodeAnalysis, CodeParser } from "./code-analysis.ts";
import { languageOf, lexicalRulesOf } from "./language-of.ts";
import type { LanguageRules } from "./language-rules.ts";
import { languages } from "./languages/languages.ts";
import { createRecentAnalyses } from "./recent-analyses.ts";
import { type SyntaxTree, copyTree } from "./syntax-tree.ts";
import type { GrammarSource } from "./grammar-source.ts";
import { loadLanguage, startRuntime } from "./wasm-runtime.ts";

export interface ParseLimits {
  mostCharacters: number;
  mostMilliseconds: number;
  /** Looks of the parser at the clock, one each hundred steps: about 1 s on a usual machine. */
  mostLooks: number;
  now: () => number;
  /** How many analyses are kept, and of how much text together. */
  mostTexts: number;
  mostKeptCharacters: number;
}

const defaults: ParseLimits = {
  mostCharacters: 1_000_000,
  mostMilliseconds: 2000,
  // The clock of Workers stands still while code runs; steps count there, too.
  mostLooks: 40_000,
  now: Date.now,
  // A file and what a change makes of it, for each of the turns that run at once.
  mostTexts: 8,
  mostKeptCharacters: 2_000_000,
};

/**
 * Loads the runtime and each grammar on its first use, once; one that fails stays away. A text that was
 * read lately is not read again: who asks gets the same analysis, which nobody may change.
 */
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
  const recent = createRecentAnalyses({
    mostTexts: all.mostTexts,
    mostCharacters: all.mostKeptCharacters,
  });
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
      const lexical = lexicalRulesOf(language, path);
      return recent.recall(
        rules ?? lexical,
        text,
        async () => (rules && (await readTree(text, rules))) ?? analyzePlain(text, lexical),
      );
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

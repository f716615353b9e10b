import { languageOf, lexicalRulesOf } from "./language-of.ts";
import type { LanguageRules } from "./tree/language-rules.ts";
import { languages } from "./languages/languages.ts";
import type { LexicalRules } from "./plain/lexical-rules.ts";

/** What a text is read by. */
export interface ReadingRules {
  /** Of a grammar; undefined where none reads the language. */
  tree: LanguageRules | undefined;
  /** For the plain reader; undefined where nothing tells comments. */
  lexical: LexicalRules | undefined;
  /** The same for all texts that are read alike, and searched for the same. */
  key: unknown;
}

/** @param language the editor's language id; where it says nothing, the ending of the path does */
export function readingRulesOf(
  language: string | undefined,
  path: string | undefined,
  query?: string,
): ReadingRules {
  const name = languageOf(language, path);
  const tree = languages.find((candidate) => candidate.language === name);
  const lexical = lexicalRulesOf(language, path);
  const key = query === undefined ? (tree ?? lexical) : `${tree?.language} ${query}`;
  return { tree, lexical, key };
}

import type { CodeLanguage } from "./code-analysis.ts";
import { type LexicalRules, lexicalRules } from "./plain/lexical-rules.ts";
import type { LanguageRules } from "./tree/language-rules.ts";
import { languages } from "./languages.ts";

/**
 * The language of a grammar for an editor's language id (VS Code, IntelliJ), else for the ending of
 * the path; undefined if no grammar reads it.
 */
export function codeLanguageOf(
  name: string | undefined,
  path: string | undefined,
): CodeLanguage | undefined {
  return findByName(languages, name, path)?.language;
}

/** What tells comments and strings in a language without a grammar; undefined where nothing does. */
export function lexicalRulesOf(
  name: string | undefined,
  path: string | undefined,
): LexicalRules | undefined {
  return findByName(lexicalRules, name, path);
}

function findByName<Rules extends Pick<LexicalRules, "ids" | "endings">>(
  all: readonly Rules[],
  name: string | undefined,
  path: string | undefined,
): Rules | undefined {
  const id = name?.trim().toLowerCase() ?? "";
  // Some names are their own ending.
  const ending =
    /(?:\.|\b(?=(?:docker|make)file$))([^./\\]+)$/i.exec(path ?? "")?.[1]?.toLowerCase() ?? "";
  return (
    all.find(({ ids }) => ids.includes(id)) ?? all.find(({ endings }) => endings.includes(ending))
  );
}

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
  const tree = findByName(languages, language, path);
  const lexical = lexicalRulesOf(language, path);
  const key = query === undefined ? (tree ?? lexical) : `${tree?.language} ${query}`;
  return { tree, lexical, key };
}

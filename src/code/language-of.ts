import type { CodeLanguage } from "./code-analysis.ts";
import { languages } from "./languages/languages.ts";
import { type LexicalRules, lexicalRules } from "./plain/lexical-rules.ts";

/**
 * The language of a grammar for an editor's language id (VS Code, IntelliJ), else for the ending of
 * the path; undefined if no grammar reads it.
 */
export function languageOf(
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
  const ending = /\.([^./\\]+)$/.exec(path ?? "")?.[1]?.toLowerCase() ?? "";
  return (
    all.find(({ ids }) => ids.includes(id)) ?? all.find(({ endings }) => endings.includes(ending))
  );
}

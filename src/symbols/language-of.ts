import type { CodeLanguage } from "./code-analysis.ts";
import { languages } from "./languages/languages.ts";

/**
 * The language of a grammar for an editor's language id (VS Code, IntelliJ), else for the ending of
 * the path; undefined if no grammar reads it.
 */
export function languageOf(
  name: string | undefined,
  path: string | undefined,
): CodeLanguage | undefined {
  const id = name?.trim().toLowerCase() ?? "";
  const ending = /\.([^./\\]+)$/.exec(path ?? "")?.[1]?.toLowerCase() ?? "";
  const found =
    languages.find(({ ids }) => ids.includes(id)) ??
    languages.find(({ endings }) => endings.includes(ending));
  return found?.language;
}

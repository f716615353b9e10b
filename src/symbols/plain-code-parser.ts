import { analyzePlain } from "./analyze-plain.ts";
import type { CodeParser } from "./code-analysis.ts";
import { lexicalRulesOf } from "./language-of.ts";

/** Reads every language by its indentation and keywords, without any grammar. */
export const plainCodeParser: CodeParser = {
  analyze: (text, language, path) =>
    Promise.resolve(analyzePlain(text, lexicalRulesOf(language, path))),
};

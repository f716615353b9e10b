import { analyzePlain } from "./analyze-plain.ts";
import type { CodeParser } from "./code-analysis.ts";

/** Reads every language by its indentation and keywords, without any grammar. */
export const plainCodeParser: CodeParser = {
  analyze: (text) => Promise.resolve(analyzePlain(text)),
};

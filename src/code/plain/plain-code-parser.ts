import type { CodeParser } from "../code-analysis.ts";
import { lexicalRulesOf } from "../language-of.ts";
import { readPlainly } from "./read-plainly.ts";

const maxCharacters = 1_000_000;

/**
 * Reads every language by its indentation and keywords, without any grammar; of a text of more than
 * 1,000,000 characters the beginning.
 */
export const plainCodeParser: CodeParser = {
  // An aborted signal is a rejection, as it is with any other parser.
  async analyze(text, language, path, { signal } = {}) {
    signal?.throwIfAborted();
    return readPlainly(text, lexicalRulesOf(language, path), maxCharacters);
  },
};

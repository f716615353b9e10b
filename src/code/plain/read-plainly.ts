import { analyzePlain } from "./analyze-plain.ts";
import type { CodeAnalysis, CodeParser } from "../code-analysis.ts";
import { packFacts } from "../code-facts.ts";
import { createAnalysis } from "../create-analysis.ts";
import type { LexicalRules } from "./lexical-rules.ts";
import { lexicalRulesOf } from "../language-of.ts";

/**
 * The plain analysis of the beginning of a text, in time that the event loop can spare. Comments and
 * strings are known if the beginning is all of it.
 *
 * @param maxCharacters what is behind them is not seen; 16,000 take about 10 ms on a usual machine
 */
export function readPlainly(
  text: string,
  rules: LexicalRules | undefined,
  maxCharacters = 16_000,
): CodeAnalysis {
  const isAll = text.length <= maxCharacters;
  const found = analyzePlain(
    isAll ? text : text.slice(0, maxCharacters),
    isAll ? rules : undefined,
  );
  return createAnalysis(packFacts(found), text);
}

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

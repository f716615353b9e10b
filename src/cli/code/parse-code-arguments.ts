import { createGlobTest, type PathTest } from "../../workspace/search/match-glob.ts";
import { CliError } from "../cli-error.ts";
import { quoteWord } from "./check/print-command.ts";
import type { CodeTexts } from "./code-texts.ts";

/** Of patterns of a run. */
const maxPatterns = 100;

/**
 * Parts what comes before `--` from what follows it.
 *
 * @param operands everything that is not an option, in its order
 * @param written the whole command line
 * @returns the check is undefined without a `--`
 */
export function splitOperands(
  operands: readonly string[],
  written: readonly string[],
): { words: string[]; check: string[] | undefined } {
  const mark = written.indexOf("--");
  if (mark === -1) return { words: [...operands], check: undefined };
  const count = written.length - mark - 1;
  const border = Math.max(0, operands.length - count);
  return { words: operands.slice(0, border), check: operands.slice(border) };
}

/**
 * @returns undefined where no request was written
 * @throws CliError where it has several parts: then quotes are missing, and a check may have been meant
 */
export function joinWords(words: readonly string[], texts: CodeTexts): string | undefined {
  const [only, ...others] = words;
  if (others.length > 0) throw new CliError(texts.needsQuotes(quoteWord(words.join(" "))));
  return only === undefined || only.trim() === "" ? undefined : only;
}

/** @throws CliError for a pattern that would match nothing, or all in a way that nobody meant */
export function parseAllow(patterns: readonly string[], texts: CodeTexts): PathTest {
  for (const pattern of patterns.slice(0, maxPatterns + 1)) {
    const isOutside = pattern.split("/").includes("..") || pattern.includes("\\");
    if (pattern.trim() === "" || pattern.length > 1_000 || isOutside)
      throw new CliError(texts.wrongPattern(pattern));
  }
  if (patterns.length > maxPatterns) throw new CliError(texts.wrongPattern(`(${patterns.length})`));
  return patterns.length === 0 ? () => false : createGlobTest(patterns);
}

import type { CodeParser } from "../code/code-analysis.ts";
import { type ParseLimits, createInlineParser } from "../code/create-inline-parser.ts";
import type { GrammarSource } from "../code/tree/grammar-source.ts";

/**
 * Reads in the thread that asks, which waits while a text is read; where there are threads, a pool of them
 * (`createCodeThreads` of rightseat/node) keeps the event loop free. Clock and timers are the runtime's
 * where `limits` brings no others.
 */
export function createCodeParser(
  source: GrammarSource,
  limits: Partial<ParseLimits> = {},
): CodeParser {
  return createInlineParser(source, {
    now: Date.now,
    defer: (next) => void setTimeout(next, 0),
    ...limits,
  });
}

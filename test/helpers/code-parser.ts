// Code is read with the grammars of the product, as its entry for the runtime at hand gets them.
import type { GrammarSource } from "../../src/code/tree/grammar-source.ts";
import { createCodeParser } from "../../src/setup/create-code-parser.ts";

/** One for all files of a process; on no clock, so that a busy machine makes no text late. */
export const code = createCodeParser(await loadTestGrammars(), { now: () => 0, maxTexts: 400 });

async function loadTestGrammars(): Promise<GrammarSource> {
  if (navigator.userAgent === "Cloudflare-Workers")
    return (await import("../../src/setup/load-grammars.worker.ts")).grammarSource;
  return (await import("../../src/setup/load-grammars.node.ts")).loadGrammars();
}

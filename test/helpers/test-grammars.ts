// The grammars of the product, as its entry for the runtime at hand gets them.
import type { GrammarSource } from "../../src/code/tree/grammar-source.ts";

export async function loadTestGrammars(): Promise<GrammarSource> {
  if (navigator.userAgent === "Cloudflare-Workers")
    return (await import("../../src/setup/load-grammars.worker.ts")).grammarSource;
  return (await import("../../src/setup/load-grammars.node.ts")).loadGrammars();
}

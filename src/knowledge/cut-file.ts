import type { GrammarSource } from "../code/tree/grammar-source.ts";
import { createThreadReader } from "../code/threads/code-thread.ts";
import { createAnalysis } from "../code/code-facts.ts";
import { codeLanguageOf } from "../code/language-of.ts";
import { chunkFile } from "./chunk-file.ts";
import type { KnowledgePassage } from "./retriever.ts";

/** The work of a thread that cuts files into passages. */
export interface CutJob {
  fileName: string;
  text: string;
  /** Cut code by lines and indentation even where a grammar reads it. */
  isPlain: boolean;
}

export interface CutAnswer {
  passages: KnowledgePassage[];
  isSpent: boolean;
  isLarge: boolean;
}

export function createFileCutter(
  source: GrammarSource,
  heapSize: () => number,
): (job: CutJob) => Promise<CutAnswer> {
  const read = createThreadReader(source, heapSize);
  return async ({ fileName, text, isPlain }) => {
    if (isPlain || codeLanguageOf(undefined, fileName) === undefined)
      return { passages: chunkFile(fileName, text), isSpent: false, isLarge: false };
    const job = { text, language: undefined, path: fileName, isPlain: false };
    const { facts, isSpent, isLarge } = await read(job);
    const { language, symbols } = createAnalysis(facts, text);
    const known = language === undefined ? undefined : symbols;
    return { passages: chunkFile(fileName, text, known), isSpent, isLarge };
  };
}

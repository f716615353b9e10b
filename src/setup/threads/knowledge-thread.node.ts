// What runs in the thread of `loadKnowledge`: it cuts files into passages.
import { createAnalysis } from "../../code/code-facts.ts";
import { codeLanguageOf } from "../../code/language-of.ts";
import { createThreadReader } from "../../code/threads/code-thread.ts";
import { chunkFile } from "../../knowledge/chunk-file.ts";
import type { KnowledgePassage } from "../../knowledge/retriever.ts";
import { loadGrammars } from "../load-grammars.node.ts";
import { heapSize, serveThread } from "./spawn-thread.node.ts";

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

const read = createThreadReader(loadGrammars(), heapSize);

serveThread(async ({ fileName, text, isPlain }: CutJob): Promise<CutAnswer> => {
  if (isPlain || codeLanguageOf(undefined, fileName) === undefined)
    return { passages: chunkFile(fileName, text), isSpent: false, isLarge: false };
  const job = { text, language: undefined, path: fileName, isPlain: false };
  const { facts, isSpent, isLarge } = await read(job);
  const { language, symbols } = createAnalysis(facts, text);
  const known = language === undefined ? undefined : symbols;
  return { passages: chunkFile(fileName, text, known), isSpent, isLarge };
});

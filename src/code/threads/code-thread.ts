// The work of a thread that reads code, and applies it to large files: what it is asked, and what it answers.
import { applyCodeEdit, type CodeEditJob } from "../../edit/apply-code-edit.ts";
import type { EditResult } from "../../edit/edit-unit.ts";
import { analyzePlain } from "../plain/analyze-plain.ts";
import { type CodeFacts, packFacts } from "../code-facts.ts";
import type { GrammarSource, TreeLimits } from "../tree/grammar-source.ts";
import { readingRulesOf } from "../language-of.ts";
import { createGrammarLoader, createRuntimeMemory, readSafely } from "../tree/read-tree.ts";

export interface ReadJob {
  text: string;
  language: string | undefined;
  path: string | undefined;
  /** Patterns that are looked for. */
  query?: string | undefined;
  /** Read by lines and indentation even where a grammar could. */
  isPlain: boolean;
}

interface ReadAnswer extends ThreadState {
  facts: CodeFacts;
}

export type CodeJob = ReadJob | CodeEditJob;
export type CodeAnswer = ReadAnswer | (ThreadState & { result: EditResult });

interface ThreadState {
  /** The runtime has failed, or holds memory that it cannot give back. */
  isSpent: boolean;
  /** The thread holds so much memory that it should not rest with it. */
  isLarge: boolean;
}

/** In bytes. WebAssembly never gives memory back: a thread with more makes room for another. */
const maxIdleMemory = 128 * 1024 * 1024;
/** In bytes, of WebAssembly; a text that takes more is not parsed. */
const maxMemory = 512 * 1024 * 1024;
/** In bytes, of a thread's heap and WebAssembly together: what it grew to for one text, it keeps for the next. */
const maxResting = 64 * 1024 * 1024;
/** Passages must not depend on how busy the machine is; the clock is the owner's, who kills what is late. */
const limits: TreeLimits = { maxTime: Infinity, maxLooks: 40_000, now: () => 0 };

/**
 * The work of a thread of {@link createCodePool}: one text after the other.
 *
 * @param heapSize of the thread, in bytes
 */
export function createCodeThread(
  source: GrammarSource,
  heapSize: () => number,
): (job: CodeJob) => Promise<CodeAnswer> {
  const read = createThreadReader(source, heapSize);
  return async (job) => {
    if (!("code" in job)) return read(job);
    const result = applyCodeEdit(job.before, job.code, job.options);
    return { result, isSpent: false, isLarge: heapSize() > maxResting };
  };
}

/**
 * The work of a thread that only reads.
 *
 * @param heapSize of the thread, in bytes
 */
export function createThreadReader(
  source: GrammarSource,
  heapSize: () => number,
): (job: ReadJob) => Promise<ReadAnswer> {
  const memory = createRuntimeMemory(maxMemory);
  const load = createGrammarLoader(source, memory);
  return async ({ text, language, path, query, isPlain }) => {
    const { tree, lexical } = readingRulesOf(language, path);
    const grammar = isPlain || tree === undefined ? undefined : await load(tree.grammar);
    const { found, isSpent } = readSafely(text, grammar, tree, limits, query);
    return {
      facts: packFacts(found ?? analyzePlain(text, lexical)),
      isSpent: isSpent || memory.buffer.byteLength > maxIdleMemory,
      isLarge: heapSize() + memory.buffer.byteLength > maxResting,
    };
  };
}

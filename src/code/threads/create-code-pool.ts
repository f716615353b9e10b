import type { CodeAnalysis, CodeParser } from "../code-analysis.ts";
import type { CodeAnswer, CodeJob, ReadJob } from "./code-thread.ts";
import type { EditResult } from "../../edit/edit-unit.ts";
import { createAnalysis } from "../code-facts.ts";
import { untilAborted } from "../../base/wire/patient-timer.ts";
import { readPlainly } from "../plain/analyze-plain.ts";
import { readingRulesOf } from "../language-of.ts";
import { type RecentLimits, createRecentAnalyses } from "../recent-analyses.ts";
import {
  type ThreadEnd,
  type ThreadFailure,
  type ThreadPoolOptions,
  createThreadPool,
} from "./thread-pool.ts";

/** A text was not read as it should be. Holds nothing of the text. */
export interface CodeTrouble {
  failure: Exclude<ThreadFailure, { type: "closed" }>;
  /** What was read instead: all of it by lines and indentation, or so only the beginning. */
  instead: "plain" | "beginning";
  characters: number;
  language: string | undefined;
}

export interface CodePoolOptions extends ThreadPoolOptions<CodeJob, CodeAnswer>, RecentLimits {
  /** Longer texts are read plainly. */
  maxCharacters: number;
  onTrouble?: (trouble: CodeTrouble) => void;
}

/** A parser that has threads to end. */
export interface CodeThreads extends CodeParser {
  /** Starts a thread in the background, so that the first text need not wait for it. */
  warm(): void;
  /** Ends the threads. What is asked from then on is read plainly, and only its beginning. */
  close(): void;
}

/** A text that is being read, for all who wait for it. */
interface Reading {
  key: unknown;
  text: string;
  waiting: number;
  analysis: Promise<CodeAnalysis>;
  cancel: () => void;
}

/**
 * Reads texts in threads. Several who ask for the same text share one reading, which ends with the last
 * of them. A text that is too much for a thread, in time or in memory, is read plainly by a fresh one;
 * where no thread is to be had in time, its beginning is read here.
 */
export function createCodePool(options: CodePoolOptions): CodeThreads {
  const { maxCharacters, onTrouble } = options;
  const pool = createThreadPool(options);
  const recent = createRecentAnalyses(options);
  const readings = new Set<Reading>();

  const start = (asked: ReadJob, key: unknown): Reading => {
    const { text, language, path } = asked;
    const { promise, resolve } = Promise.withResolvers<CodeAnalysis>();
    const reading: Reading = { key, text, waiting: 0, analysis: promise, cancel: () => {} };
    const end = (analysis: CodeAnalysis, isKept: boolean): void => {
      readings.delete(reading);
      if (isKept) recent.keep(key, text, analysis);
      resolve(analysis);
    };
    const read = (job: ReadJob, isUrgent: boolean): void => {
      reading.cancel = pool.run(job, (given) => take(job, given), isUrgent);
    };
    const take = (job: ReadJob, given: ThreadEnd<CodeAnswer>): void => {
      if (given.type === "answered") {
        if ("facts" in given.answer) end(createAnalysis(given.answer.facts, text), true);
        return;
      }
      const isTooMuch = given.type === "late" || given.type === "crashed";
      const isAgain = isTooMuch && !job.isPlain;
      if (given.type !== "closed")
        onTrouble?.({
          failure: given,
          instead: isAgain ? "plain" : "beginning",
          characters: text.length,
          language,
        });
      if (isAgain) read({ ...job, isPlain: true }, true);
      else end(readPlainly(text, readingRulesOf(language, path).lexical), isTooMuch);
    };
    readings.add(reading);
    read(asked, false);
    return reading;
  };

  const leave = (reading: Reading): void => {
    reading.waiting -= 1;
    if (reading.waiting > 0 || !readings.delete(reading)) return;
    reading.cancel();
  };

  return {
    async analyze(text, language, path, { signal, query } = {}) {
      signal?.throwIfAborted();
      const { key } = readingRulesOf(language, path, query);
      const known = recent.find(key, text);
      if (known !== undefined) return known;
      const running = [...readings].find((one) => one.key === key && one.text === text);
      const isPlain = text.length > maxCharacters;
      const reading = running ?? start({ text, language, path, query, isPlain }, key);
      reading.waiting += 1;
      if (signal === undefined) return reading.analysis;
      return untilAborted(reading.analysis, signal, () => leave(reading));
    },
    async applyCode(job, signal) {
      signal.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<EditResult | undefined>();
      const cancel = pool.run(job, (end) =>
        resolve(end.type === "answered" && "result" in end.answer ? end.answer.result : undefined),
      );
      return untilAborted(promise, signal, cancel);
    },
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}

import type { Config } from "../config.ts";
import { spawnThreads } from "./spawn-thread.node.ts";
import {
  type CodeThreads,
  type CodeTrouble,
  createCodePool,
} from "../../code/threads/create-code-pool.ts";
import {
  type Spendable,
  type ThreadEnd,
  type ThreadPoolOptions,
  createThreadPool,
} from "../../code/threads/thread-pool.ts";
import { getLogger } from "@logtape/logtape";
import { describeFault } from "../../base/errors/describe-cause.ts";

export interface CodeThreadsOptions {
  /** Threads at most, about 50 MB each; 2 where absent. */
  size?: number;
  /** Texts that may wait for a thread; 200 where absent. */
  maxQueue?: number;
  /** Milliseconds that a text waits for a thread; 2,000 where absent. */
  maxWait?: number;
  /** Milliseconds that a text may take; 2,000 where absent. */
  maxTime?: number;
  /** Characters of a text that a grammar reads; 1,000,000 where absent. */
  maxCharacters?: number;
  /** How many analyses are kept; 16 where absent. */
  maxTexts?: number;
  /** Is told of each text that was not read as it should be. */
  onTrouble?: (trouble: CodeTrouble) => void;
}

const usual = {
  size: 2,
  maxQueue: 200,
  maxWait: 2_000,
  maxTime: 2_000,
  maxCharacters: 1_000_000,
  maxTexts: 16,
  maxStart: 10_000,
  maxKeptCharacters: 4_000_000,
};

/**
 * A code parser that keeps the event loop free: it reads in threads, which start when they are needed. A
 * thread that is late, or whose readers have all left, is killed and replaced. `close` ends the threads;
 * idle ones keep no process alive.
 */
export function createCodeThreads(options: CodeThreadsOptions = {}): CodeThreads {
  return createCodePool({ ...usual, ...options, spawn: spawnThreads("code-thread"), setTimer });
}

/** What such a pool waits for keeps the process alive, not the timer. */
function setTimer(callback: () => void, milliseconds: number): () => void {
  const timer = setTimeout(callback, milliseconds).unref();
  return () => clearTimeout(timer);
}

/** One thread for other work than code; it starts when it is needed, and an idle one keeps no process alive. */
export function createThread<Job, Answer extends Spendable>(
  name: string,
  limits: Pick<ThreadPoolOptions<Job, Answer>, "maxQueue" | "maxWait" | "maxTime">,
) {
  const { maxStart } = usual;
  const spawn = spawnThreads<Job, Answer>(name);
  const pool = createThreadPool({ ...limits, maxStart, spawn, size: 1, setTimer });
  const run = (job: Job): Promise<ThreadEnd<Answer>> =>
    new Promise((resolve) => void pool.run(job, resolve));
  return { run, close: () => pool.close() };
}

/** What servers and the commands of the terminal read code with. */
export function createConfiguredThreads(config: Config): CodeThreads {
  return createCodeThreads({
    size: config.parseThreads,
    maxCharacters: config.maxParse,
    maxQueue: config.maxParseQueue,
    maxWait: config.maxParseWait,
    maxTime: config.parseTimeout,
    onTrouble: logCodeTrouble,
  });
}

/** A line for each text that was not read as it should be; what it was, never what it says. */
function logCodeTrouble({ failure, instead, characters, language }: CodeTrouble): void {
  const log = getLogger(["rightseat", "code"]);
  const cause = "cause" in failure ? describeFault(failure.cause) : "";
  const facts = { ...failure, cause, characters, language, instead: readings[instead] };
  const line = `code: ${troubles[failure.type]}`;
  if (failure.type === "no-thread") log.error(line, facts);
  else log.warn(line, facts);
}

const troubles: Readonly<Record<CodeTrouble["failure"]["type"], string>> = {
  late: "{characters} characters of {language} took too long, {instead}",
  crashed: "a thread failed at {characters} characters of {language}, {instead}: {cause}",
  "queue-full": "too many texts wait for a thread, {instead}",
  waited: "no thread was free in time, {instead}",
  "no-thread": "no thread starts, the next try is in {pause} ms, {instead}: {cause}",
};

const readings = {
  plain: "so it is read by lines and indentation",
  beginning: "so only its beginning is read, by lines and indentation",
};

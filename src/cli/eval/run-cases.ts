import type { EvalCase } from "./eval-case.ts";
import type { CaseResult } from "./run-case.ts";

export interface RunOptions {
  run: (asked: EvalCase) => Promise<CaseResult>;
  /** How many cases run at once. */
  concurrency: number;
  /** After an abort no case begins, and those that were running do not count. */
  signal: AbortSignal;
  /** Told after each case. */
  progress: (done: number) => void;
}

/** Runs all cases; the results keep their order. */
export async function runCases(
  cases: readonly EvalCase[],
  { run, concurrency, signal, progress }: RunOptions,
): Promise<CaseResult[]> {
  const results = new Map<number, CaseResult>();
  const left = cases.entries();
  const work = async (): Promise<void> => {
    // One iterator for all workers: each takes the next case that nobody has taken.
    for (const [nth, asked] of left) {
      if (signal.aborted) return;
      const result = await run(asked);
      if (signal.aborted) return;
      results.set(nth, result);
      progress(results.size);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return cases.flatMap((_, nth) => results.get(nth) ?? []);
}

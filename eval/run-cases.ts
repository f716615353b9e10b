export interface RunOptions<Case, Result> {
  run: (asked: Case) => Promise<Result>;
  /** How many cases run at once. */
  concurrency: number;
  /** After an abort no case begins, and those that were running do not count. */
  signal: AbortSignal;
  /** Told after each case. */
  progress: (done: number) => void;
}

/** Runs all cases; the results keep their order. */
export async function runCases<Case, Result>(
  cases: readonly Case[],
  { run, concurrency, signal, progress }: RunOptions<Case, Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
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
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}

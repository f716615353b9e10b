/**
 * Work that pauses between its steps, each of about a millisecond at most. Who drives it decides whether
 * anything else runs in between: {@link finish} goes on at once, a server takes it in slices.
 */
export type Steps<Result> = Generator<void, Result, void>;

/** Whether a loop over lines or the like pauses after so many: about once a millisecond. */
export function isPause(count: number): boolean {
  return count % 500 === 0;
}

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/**
 * Work that pauses between its steps, each of about a millisecond at most. Who drives it decides whether
 * anything else runs in between: {@link finish} goes on at once, a server takes it in slices.
 *
 * Generator functions stand at the top of a file, or are methods of a class: for one that is created anew V8
 * makes a hidden class in the old heap, and that keeps all it refers to until the next major collection.
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

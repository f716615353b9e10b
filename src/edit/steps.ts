/**
 * Work that pauses between its steps, each of about a millisecond at most. Who drives it decides whether
 * anything else runs in between: {@link finish} goes on at once, a server takes it in slices.
 */
export type Steps<Result> = Generator<void, Result, void>;

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

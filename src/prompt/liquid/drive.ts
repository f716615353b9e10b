// Runs the generators of which Liquid's rendering consists.
import type { Steps } from "../../edit/steps.ts";
import type { Fuel } from "./fuel.ts";

/** What a generator of ours yields in order to let others have a turn. */
const pauseMark = Symbol("pause");

/** Runs what Liquid's generators yield, each to its end, and pauses between when enough was done. */
export function* drive(root: Iterator<unknown>, fuel: Fuel): Steps<unknown> {
  const waiting: Iterator<unknown>[] = [];
  let top = root;
  let given: unknown;
  let thrown: { error: unknown } | undefined;
  for (;;) {
    let isOver: boolean;
    try {
      const step = thrown === undefined ? top.next(given) : rethrow(top, thrown.error);
      thrown = undefined;
      given = step.value;
      isOver = step.done === true;
    } catch (error) {
      thrown = { error };
      isOver = true;
    }
    if (isOver) {
      const next = waiting.pop();
      if (next === undefined) break;
      top = next;
    }
    if (given === pauseMark || (fuel.isStepDone && thrown === undefined)) {
      try {
        yield* fuel.pause();
      } catch (error) {
        thrown = { error };
      }
      if (given === pauseMark) given = undefined;
    }
    if (thrown === undefined && isRunnable(given)) {
      waiting.push(top);
      top = given;
      given = undefined;
    }
  }
  if (thrown !== undefined) throw thrown.error;
  return given;
}

function rethrow(into: Iterator<unknown>, error: unknown): IteratorResult<unknown> {
  if (into.throw === undefined) throw error;
  return into.throw(error);
}

/** The steps as a generator of Liquid's kind: what such a one yields are values. */
export function* pausing(steps: Iterator<unknown>): Generator<unknown, unknown, unknown> {
  for (;;) {
    const { done = false, value } = steps.next();
    if (done) return value;
    yield pauseMark;
  }
}

/** Values are data, which holds no functions; of Liquid's own, the state of a loop has a `next` as well. */
export function isRunnable(value: unknown): value is Iterator<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "next" in value &&
    typeof value.next === "function" &&
    "throw" in value
  );
}

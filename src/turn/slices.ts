// Long work on the event loop, cut into slices so that nobody waits long for anybody's.
import type { Steps } from "../edit/steps.ts";
import { createTimers, type Timers } from "../base/wire/patient-timer.ts";

/** Takes turns of the event loop for work that may be long; one for all requests of a server. */
export interface Slices {
  /**
   * Takes the steps, some at a time, and lets everything else run in between. Work that can be done in
   * what is left of the current turn of the loop is done before this returns to the loop.
   *
   * @param label what a log calls the work
   * @throws what a step throws; the signal's reason once it is aborted, and then no step is taken
   */
  run<Result>(label: string, steps: Steps<Result>, signal?: AbortSignal): Promise<Result>;
  /** Lets the event loop turn once, for whoever has done much in small pieces. */
  breathe(): Promise<void>;
}

export interface SlicesOptions {
  /** Milliseconds; need not be the time of day. */
  now: () => number;
  /** Calls back in a later turn of the event loop, when what waits for it has had its turn. */
  defer: (next: () => void) => void;
  /** Is told how long each slice took, in milliseconds. */
  onSlice?: (label: string, milliseconds: number) => void;
  /** What all slices of one turn of the loop may take together, in milliseconds. */
  maxTime?: number;
  /** So many steps end a slice as well: the clock of Workers stands still while code runs. */
  maxSteps?: number;
}

/**
 * Slices that all work takes on its own, by timers of its own: on Workers a request that was cancelled
 * takes its timers with it, and nobody else may wait for these.
 */
export function timerSlices(timers: Timers = createTimers()): Slices {
  const create = (): Slices =>
    createSlices({ now: () => timers.now(), defer: (next) => void timers.start(next, 0) });
  return {
    run: (label, steps, signal) => create().run(label, steps, signal),
    breathe: () => create().breathe(),
  };
}

/**
 * All work shares the turns of the loop: once one is used up, what is left waits for the next, new work
 * before work that has had a slice, so that short work does not wait for long.
 */
export function createSlices({
  now,
  defer,
  onSlice,
  maxTime = 25,
  maxSteps = 2_000,
}: SlicesOptions): Slices {
  const begun: (() => void)[] = [];
  const fresh: (() => void)[] = [];
  /** Milliseconds of the current turn of the loop. */
  let left = maxTime;
  let isDeferred = false;

  const goOn = (): void => {
    if (left > 0) (fresh.shift() ?? begun.shift())?.();
    if (isDeferred || (left === maxTime && fresh.length + begun.length === 0)) return;
    isDeferred = true;
    defer(() => {
      isDeferred = false;
      left = maxTime;
      goOn();
    });
  };
  const takeSlice = <Result>(
    label: string,
    steps: Steps<Result>,
  ): IteratorReturnResult<Result> | undefined => {
    const start = now();
    try {
      for (let count = 0; count === 0 || (count < maxSteps && now() - start < left); count += 1) {
        const step = steps.next();
        if (step.done === true) return step;
      }
      left = 0;
      return undefined;
    } finally {
      const taken = now() - start;
      left = Math.max(0, left - taken);
      onSlice?.(label, taken);
    }
  };

  return {
    async run(label, steps, signal) {
      let queue = fresh;
      try {
        for (;;) {
          if (left <= 0) await new Promise<void>((resolve) => queue.push(resolve));
          try {
            signal?.throwIfAborted();
            const end = takeSlice(label, steps);
            if (end !== undefined) return end.value;
          } finally {
            goOn();
          }
          queue = begun;
        }
      } finally {
        // Lets the work let go of what it holds; nothing where it has ended.
        steps.return(undefined as never);
      }
    },
    breathe: () => new Promise(defer),
  };
}

/** A clock and timers: the runtime's, or those of a test. In milliseconds. */
export interface Timers {
  /** Need not be the time of day, and does not jump with it. */
  readonly now: () => number;
  /** Calls back once, when so much time has passed. @returns takes it back */
  start(callback: () => void, milliseconds: number): () => void;
}

export function createTimers(): Timers {
  return {
    now: performance.now.bind(performance),
    start(callback, milliseconds) {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}

/** Calls back again and again, each time so many milliseconds after the last. @returns ends it */
export function repeat(timers: Timers, callback: () => void, milliseconds: number): () => void {
  const call = (): void => {
    stop = timers.start(call, milliseconds);
    callback();
  };
  let stop = timers.start(call, milliseconds);
  return () => stop();
}

/** Lets the event loop turn once, between pieces of work that wait for nothing. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}

/** Calls back as soon as a signal is aborted: at once where it is already. @returns takes it back */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback();
  else signal.addEventListener("abort", callback, { once: true });
  return () => signal.removeEventListener("abort", callback);
}

/** Waits so many milliseconds. @throws the signal's reason, as soon as it is aborted */
export async function sleep(
  milliseconds: number,
  timers: Timers,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = timers.start(resolve, milliseconds);
  await untilAborted(promise, signal).finally(cancel);
}

/**
 * Waits for work that may not look at the signal.
 *
 * @param leave is called if the signal is aborted first
 * @throws the signal's reason, as soon as it is aborted
 */
export function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  leave?: () => void,
): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const forget = onAbort(signal, () => {
    leave?.();
    reject(signal.reason);
  });
  return Promise.race([work, aborted]).finally(forget);
}

/** What waits in the sockets is read within this time, also if the timer just came first. */
const moment = 10;
/** Milliseconds; a timer that fires so much later than it was set for tells that the event loop was held. */
const maxLate = 20;
/** There is more to read then. */
const longMoment = 250;

export type PatientTimer = ReturnType<typeof createPatientTimer>;

/**
 * A timer for whoever blames somebody when it fires: a model's silence, a slow key set, a drain. Where the
 * event loop was held, timers fire before what waits in the sockets is read, and the silence was our own.
 * So it is set once more, for a moment, before it calls back; for a longer one if it fired late.
 *
 * @param onTime is called at most once for each `set`
 */
export function createPatientTimer(timers: Timers, onTime: () => void) {
  let cancel: (() => void) | undefined;
  const start = (milliseconds: number, onFire: (due: number) => void): void => {
    cancel?.();
    const due = timers.now() + milliseconds;
    cancel = timers.start(() => {
      cancel = undefined;
      onFire(due);
    }, milliseconds);
  };
  return {
    /** Starts it, or starts it anew. */
    set(milliseconds: number): void {
      start(milliseconds, (due) => {
        const isLate = timers.now() - due > maxLate;
        start(Math.min(milliseconds, isLate ? longMoment : moment), onTime);
      });
    },
    stop(): void {
      cancel?.();
      cancel = undefined;
    },
  };
}

import type { Timers } from "../../src/base/wire/patient-timer.ts";

/** Timers of a clock that stands until a test moves it. */
export interface ManualTimers extends Timers {
  /** Time goes by, and each timer fires when it is due. */
  pass(milliseconds: number): void;
  /** The event loop is held: time goes by, and what is due fires only at its end, once. */
  hold(milliseconds: number): void;
  /** Timers that are set. */
  readonly pending: number;
}

/** Lets seconds pass until something has come. */
export function passUntil<Result>(awaited: Promise<Result>, timers: ManualTimers): Promise<Result> {
  const moments = setInterval(() => timers.pass(500), 1);
  return awaited.finally(() => clearInterval(moments));
}

export function createManualTimers(): ManualTimers {
  let time = 0;
  const timers = new Set<{ due: number; callback: () => void }>();
  const fire = (): boolean => {
    const [next] = [...timers].filter(({ due }) => due <= time).sort((a, b) => a.due - b.due);
    if (next === undefined) return false;
    timers.delete(next);
    next.callback();
    return true;
  };
  return {
    now: () => time,
    start(callback, milliseconds) {
      const timer = { due: time + milliseconds, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass(milliseconds) {
      for (let left = milliseconds; left > 0; left--) {
        time++;
        while (fire());
      }
    },
    hold(milliseconds) {
      time += milliseconds;
      const due = [...timers].filter((timer) => timer.due <= time);
      for (const timer of due) if (timers.delete(timer)) timer.callback();
    },
    get pending() {
      return timers.size;
    },
  };
}

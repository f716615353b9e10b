// Measures how long the event loop is held.
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LoopFigures } from "../turn/figures.ts";

export interface LoopWatchOptions {
  /** Is told how long it was, in milliseconds. */
  onStall: (milliseconds: number) => void;
  /** In nanoseconds, counted from when the monitor's timer fired last. */
  monitor?: Pick<
    ReturnType<typeof monitorEventLoopDelay>,
    "max" | "count" | "reset" | "enable" | "disable"
  >;
  /** Milliseconds. */
  now?: () => number;
}

export interface LoopWatch {
  figures: () => LoopFigures;
  close: () => void;
}

/** How often the monitor's timer fires, and how often its figures are looked at; in milliseconds. */
const resolution = 20;
const pause = 1_000;

/** Milliseconds that the loop may be held before it is told. */
const maxQuiet = 200;
const minute = 60;

/** Keeps no process alive. */
export function watchLoop({
  onStall,
  monitor = monitorEventLoopDelay({ resolution }),
  now = Date.now,
}: LoopWatchOptions): LoopWatch {
  let lastMinute: number[] = [];
  let last: { milliseconds: number; at: number } | undefined;
  let max = 0;
  let stalls = 0;
  const held = (): number =>
    monitor.count === 0 ? 0 : Math.max(0, Math.round(monitor.max / 1e6) - resolution);
  const look = (): void => {
    const milliseconds = held();
    monitor.reset();
    lastMinute = [...lastMinute, milliseconds].slice(-minute);
    max = Math.max(max, milliseconds);
    if (milliseconds > maxQuiet) {
      last = { milliseconds, at: now() };
      stalls += 1;
      onStall(milliseconds);
    }
  };
  monitor.enable();
  const timer = setInterval(look, pause).unref();
  return {
    figures() {
      const current = held();
      const secondsAgo = Math.round((now() - (last?.at ?? 0)) / 1_000);
      return {
        maxLastMinute: Math.max(current, ...lastMinute),
        max: Math.max(current, max),
        stalls,
        ...(last && { lastStall: { milliseconds: last.milliseconds, secondsAgo } }),
      };
    },
    close() {
      clearInterval(timer);
      monitor.disable();
    },
  };
}

// Measures how long the event loop is held, and says by what.
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LoopFigures, Stall } from "../turn/figures/loop-figures.ts";

export interface LoopWatchOptions {
  onStall: (stall: Stall) => void;
  /** In nanoseconds, counted from when the monitor's timer fired last. */
  monitor?: Pick<
    ReturnType<typeof monitorEventLoopDelay>,
    "max" | "count" | "reset" | "enable" | "disable"
  >;
  /** Milliseconds. */
  now?: () => number;
}

export interface LoopWatch {
  /** Is told of each slice; see {@link SlicesOptions}. */
  onSlice: (label: string, milliseconds: number) => void;
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
  let longest = { work: "", milliseconds: 0 };
  let lastMinute: number[] = [];
  let last: { stall: Stall; at: number } | undefined;
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
      // Short slices beside it explain nothing.
      const { work } = longest;
      const isExplained = longest.milliseconds > milliseconds / 2;
      const stall = isExplained ? { milliseconds, work } : { milliseconds };
      last = { stall, at: now() };
      stalls += 1;
      onStall(stall);
    }
    longest = { work: "", milliseconds: 0 };
  };
  monitor.enable();
  const timer = setInterval(look, pause).unref();
  return {
    onSlice(work, milliseconds) {
      if (milliseconds > longest.milliseconds) longest = { work, milliseconds };
    },
    figures() {
      const current = held();
      return {
        maxLastMinute: Math.max(current, ...lastMinute),
        max: Math.max(current, max),
        stalls,
        ...(last === undefined
          ? {}
          : {
              lastStall: { ...last.stall, secondsAgo: Math.round((now() - last.at) / 1_000) },
            }),
      };
    },
    close() {
      clearInterval(timer);
      monitor.disable();
    },
  };
}

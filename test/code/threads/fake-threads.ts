// Threads and timers that do what a test says.
import type { SpawnThread, ThreadEvents } from "../../../src/code/threads/thread-pool.ts";

interface FakeThread<Job, Answer> extends ThreadEvents<Answer> {
  /** What it was given, in order. */
  jobs: Job[];
  isKilled: boolean;
}

export interface FakeThreads<Job, Answer> {
  spawn: SpawnThread<Job, Answer>;
  /** All that were started, in order. */
  threads: FakeThread<Job, Answer>[];
  /** The one that was started last. */
  last(): FakeThread<Job, Answer>;
}

export function fakeThreads<Job, Answer>(): FakeThreads<Job, Answer> {
  const threads: FakeThread<Job, Answer>[] = [];
  return {
    threads,
    spawn(events) {
      const thread: FakeThread<Job, Answer> = { ...events, jobs: [], isKilled: false };
      threads.push(thread);
      return {
        post: (job) => void thread.jobs.push(job),
        kill: () => void (thread.isKilled = true),
      };
    },
    last() {
      const thread = threads.at(-1);
      if (thread === undefined) throw new Error("No thread was started.");
      return thread;
    },
  };
}

export interface FakeTimers {
  setTimer: (callback: () => void, milliseconds: number) => () => void;
  /** Lets time pass; what is due by then is called. */
  pass(milliseconds: number): void;
  /** How many run. */
  readonly count: number;
}

export function fakeTimers(): FakeTimers {
  const timers = new Set<{ due: number; callback: () => void }>();
  let time = 0;
  return {
    setTimer(callback, milliseconds) {
      const timer = { due: time + milliseconds, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass(milliseconds) {
      time += milliseconds;
      for (const timer of [...timers].filter(({ due }) => due <= time)) {
        if (timers.delete(timer)) timer.callback();
      }
    },
    get count() {
      return timers.size;
    },
  };
}

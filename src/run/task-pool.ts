import { AppError } from "../base/errors/app-error.ts";
import type { Caller } from "../turn/caller.ts";

export interface QueueOptions {
  /** Whoever waits leaves when it is aborted. */
  signal: AbortSignal;
  /** Hears how many wait in front, each time that this changes. */
  onPlace?: (before: number) => void;
}

/**
 * A port: the queue of tasks that several processes share. Without one each process has its own, with the same
 * limits.
 */
export interface TaskPool {
  /**
   * Waits until one more task may run.
   *
   * @returns gives the place back, once however often it is called
   * @throws AppError `queue_full` when too many wait, `overloaded` when the pool cannot be asked, or the
   * signal's reason
   */
  enter(caller: Caller, options: QueueOptions): Promise<() => void>;
}

export function queueFull(queueLength: number): AppError {
  const message = {
    en: `${queueLength} tasks wait already, and no more may.`,
    zh: `已有 ${queueLength} 个任务在排队，不能再增加。`,
  };
  return new AppError("queue_full", message, { queueLength, retryAfter: 5 });
}

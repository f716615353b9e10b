import { median } from "../outcome.ts";

/**
 * Times tasks in turn, so that what slows the machine slows all of them: after rounds that warm them up,
 * the median of each in milliseconds.
 *
 * @param tasks return the text that they made, if any
 */
export function measureTimes(
  tasks: readonly (() => string | undefined)[],
  { warmUp, rounds }: { warmUp: number; rounds: number },
): number[] {
  const times: number[][] = tasks.map(() => []);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [nth, task] of tasks.entries()) {
      const start = performance.now();
      readMiddle(task());
      const time = performance.now() - start;
      if (round >= warmUp) times[nth]?.push(time);
    }
  }
  return times.map(median);
}

/** A text that was put together of pieces is copied when it is first read; that belongs to the price. */
function readMiddle(text: string | undefined): void {
  text?.charCodeAt(text.length >> 1);
}

import { beforeEach, expect, test, vi } from "vitest";
import { watchLoop } from "../../src/setup/watch-loop.node.ts";

beforeEach(() => void vi.useFakeTimers());

/** A watch whose monitor measures what the test says; its own timer takes 20 ms of each delay. */
function watch() {
  const monitor = { max: 0, count: 0, reset, enable: () => true, disable: () => true };
  function reset(): void {
    Object.assign(monitor, { max: 0, count: 0 });
  }
  const stalls: number[] = [];
  let time = 0;
  const loop = watchLoop({
    onStall: (stall) => stalls.push(stall),
    monitor,
    now: () => time,
  });
  return {
    loop,
    stalls,
    hold: (milliseconds: number): void => {
      Object.assign(monitor, { max: (milliseconds + 20) * 1e6, count: 1 });
      time += 1_000;
      vi.advanceTimersByTime(1_000);
    },
  };
}

test("a loop that nobody holds has no stalls", () => {
  const { loop, stalls, hold } = watch();
  hold(0);
  hold(7);
  expect(stalls).toEqual([]);
  expect(loop.figures()).toEqual({ maxLastMinute: 7, max: 7, stalls: 0 });
});

test("what holds it for more than 200 ms is told", () => {
  const { loop, stalls, hold } = watch();
  hold(300);
  expect(stalls).toEqual([300]);
  hold(1);
  hold(1);
  expect(loop.figures()).toEqual({
    maxLastMinute: 300,
    max: 300,
    stalls: 1,
    lastStall: { milliseconds: 300, secondsAgo: 2 },
  });
});

test("a minute later a stall is one of the past", () => {
  const { loop, hold } = watch();
  hold(300);
  for (let second = 0; second < 60; second += 1) hold(4);
  expect(loop.figures()).toMatchObject({ maxLastMinute: 4, max: 300, stalls: 1 });
});

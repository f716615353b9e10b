import { expect, test } from "vitest";
import { createPatientTimer } from "../../../src/base/wire/patient-timer.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";

function createTimer() {
  const timers = createManualTimers();
  const fired: number[] = [];
  const timer = createPatientTimer(timers, () => fired.push(timers.now()));
  return { timers, timer, fired };
}

test("a timer that is due at the end of a long hold waits for what came in it", () => {
  const { timers, timer, fired } = createTimer();
  timer.set(1_000);
  timers.hold(1_000);
  expect(fired).toEqual([]);
});

test("a timer that fires late waits longer, and only once", () => {
  const { timers, timer, fired } = createTimer();
  timer.set(1_000);
  timers.hold(60_000);
  expect(fired).toEqual([]);
  timers.hold(60_000);
  expect(fired).toEqual([120_000]);
});

test("a late timer waits no longer than it was set for", () => {
  const { timers, timer, fired } = createTimer();
  timer.set(30);
  timers.hold(500);
  timers.pass(29);
  expect(fired).toEqual([]);
  timers.pass(1);
  expect(fired).toEqual([530]);
});

test("a timer that is set anew, or stopped, while it waits a moment more does not call back", () => {
  const { timers, timer, fired } = createTimer();
  timer.set(1_000);
  timers.hold(2_000);
  timer.set(1_000);
  timers.pass(999);
  expect(fired).toEqual([]);
  // It is patient again.
  timers.hold(5_000);
  expect(fired).toEqual([]);
  timer.stop();
  timers.pass(5_000);
  expect([fired, timers.pending]).toEqual([[], 0]);
});

import { expect, test } from "vitest";
import { createActiveTurns } from "../../src/run/active-turns.ts";
import { createManualTimers } from "../helpers/manual-timers.ts";

test("a drain whose time was over while the event loop was held lets what is ready end first", async () => {
  const timers = createManualTimers();
  const turns = createActiveTurns(
    { maxStreams: 10, maxStreamsPerCaller: 0 },
    () => undefined,
    timers,
  );
  const controller = new AbortController();
  const ended = turns.begin("turn-1", controller, { forward: () => ({}) });
  const slow = new AbortController();
  const endSlow = turns.begin("turn-2", slow, { forward: () => ({}) });
  const over = turns.drain(1_000);
  timers.hold(30_000);
  expect([controller.signal.aborted, slow.signal.aborted]).toEqual([false, false]);
  ended();
  timers.pass(250);
  expect(slow.signal.reason).toMatchObject({ code: "draining" });
  endSlow();
  await over;
  expect(timers.pending).toBe(0);
});

import { describe, expect, it } from "vitest";
import type { Steps } from "../../src/edit/steps.ts";
import { createSlices, timerSlices } from "../../src/turn/slices.ts";

/** A loop whose clock moves only when work says so, and whose turns the test counts. */
function createLoop(options: { maxTime?: number; maxSteps?: number } = {}) {
  let time = 0;
  const log: string[] = [];
  const slices = createSlices({
    now: () => time,
    defer: (next) =>
      setTimeout(() => {
        log.push("turn");
        next();
      }, 0),
    onSlice: (label, milliseconds) => log.push(`${label} ${milliseconds}`),
    ...options,
  });
  const work = function* (steps: number, milliseconds: number): Steps<string> {
    for (let step = 0; step < steps; step += 1) {
      time += milliseconds;
      yield;
    }
    return "done";
  };
  return { slices, work, log };
}

describe("slices", () => {
  it("work that fits a turn of the loop is done in it", async () => {
    const { slices, work, log } = createLoop();
    await expect(slices.run("short", work(3, 2))).resolves.toBe("done");
    expect(log).toEqual(["short 6"]);
  });

  it("longer work lets the loop turn after each slice", async () => {
    const { slices, work, log } = createLoop();
    await expect(slices.run("long", work(6, 10))).resolves.toBe("done");
    expect(log).toEqual(["long 30", "turn", "long 30", "turn", "long 0"]);
  });

  it("work of several requests together takes no more of a turn than that of one", async () => {
    const { slices, work, log } = createLoop();
    await Promise.all(["a", "b", "c"].map((label) => slices.run(label, work(4, 10))));
    const perTurn = log
      .join()
      .split("turn")
      .map((turn) => [...turn.matchAll(/\d+/g)].reduce((sum, [ms]) => sum + Number(ms), 0));
    expect(perTurn.reduce((sum, ms) => sum + ms, 0)).toBe(120);
    // A slice ends with the step that passes the limit.
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(30);
  });

  it("short work that comes later goes before long work that has begun", async () => {
    const { slices, work, log } = createLoop();
    const long = slices.run("long", work(9, 10));
    const short = slices.run("short", work(1, 1));
    await Promise.all([long, short]);
    expect(log.slice(0, 3)).toEqual(["long 30", "turn", "short 1"]);
  });

  it("steps are counted where the clock stands still", async () => {
    const { slices, work, log } = createLoop({ maxSteps: 10 });
    await slices.run("frozen", work(25, 0));
    expect(log.filter((entry) => entry === "turn")).toHaveLength(2);
  });

  it("an abort ends the work at its next slice, and the work lets go of what it holds", async () => {
    const { slices, work } = createLoop();
    const controller = new AbortController();
    let steps = 0;
    let isClosed = false;
    const watched = (function* (): Steps<void> {
      try {
        for (const pause of work(1_000, 10)) {
          steps += 1;
          yield pause;
        }
      } finally {
        isClosed = true;
      }
    })();
    const running = slices.run("left", watched, controller.signal);
    controller.abort(new Error("gone"));
    await expect(running).rejects.toThrow("gone");
    expect({ steps, isClosed }).toEqual({ steps: 3, isClosed: true });
  });

  it("those who wait go on after one that was aborted or threw", async () => {
    const { slices, work } = createLoop();
    const controller = new AbortController();
    const first = slices.run("first", work(9, 10), controller.signal);
    const failing = slices.run(
      "failing",
      (function* (): Steps<void> {
        yield* work(3, 10);
        throw new Error("broken");
      })(),
    );
    const last = slices.run("last", work(4, 10));
    controller.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    await expect(failing).rejects.toThrow("broken");
    await expect(last).resolves.toBe("done");
  });

  it("work by timers of its own does not wait for work that never goes on", async () => {
    const slices = timerSlices();
    const hours = (function* (): Steps<void> {
      for (;;) yield;
    })();
    const controller = new AbortController();
    const endless = slices.run("endless", hours, controller.signal);
    const short = (function* (): Steps<string> {
      yield;
      return "done";
    })();
    await expect(slices.run("short", short)).resolves.toBe("done");
    controller.abort(new Error("gone"));
    await expect(endless).rejects.toThrow("gone");
  });

  it("to breathe lets the loop turn", async () => {
    const { slices, log } = createLoop();
    await slices.breathe();
    expect(log).toEqual(["turn"]);
  });
});

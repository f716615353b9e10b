// The queue of admissions against a plain model of it: whatever comes, leaves and ends, in whatever order.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { type Admission, createAdmissions } from "../../src/run/admissions.ts";
import { createManualTimers } from "../helpers/manual-timers.ts";

interface Task {
  name: number;
  controller: AbortController;
  state: "waiting" | "running" | "over" | "refused" | "left";
  admission?: Admission;
  places: number[];
}

/** Lets every promise that is ready go on. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

class Pool {
  readonly tasks: Task[] = [];
  readonly timers = createManualTimers();
  readonly #admissions;
  #ids = 0;

  constructor(maxTasks: number, maxQueue: number) {
    this.#admissions = createAdmissions({
      limits: { maxStreams: 1_000, maxStreamsPerCaller: 0, maxTasks, maxQueue },
      onEnd: () => undefined,
      timers: this.timers,
      createId: () => `turn-${++this.#ids}`,
    });
  }

  enter(): Task {
    const task: Task = {
      name: this.tasks.length,
      controller: new AbortController(),
      state: "waiting",
      places: [],
    };
    this.tasks.push(task);
    void this.#wait(task);
    return task;
  }

  async #wait(task: Task): Promise<void> {
    const caller = { keyId: `k${task.name % 3}`, forward: () => ({}) };
    const { signal } = task.controller;
    const onPlace = (before: number): void => void task.places.push(before);
    try {
      task.admission = await this.#admissions.queue(caller, { signal, onPlace });
      task.state = "running";
    } catch (error) {
      task.state = error instanceof AppError && error.code === "queue_full" ? "refused" : "left";
    }
  }

  in(state: Task["state"]): Task[] {
    return this.tasks.filter((task) => task.state === state);
  }
}

test("the pool keeps order and limits, and loses and doubles no task", async () => {
  const step = fc.record({
    what: fc.constantFrom("enter", "enter", "enter", "leave", "end"),
    which: fc.nat(1_000),
    passes: fc.nat(50),
  });
  const sizes = { maxTasks: fc.integer({ min: 1, max: 4 }), maxQueue: fc.nat(5) };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.record(sizes), async (steps, limits) => {
      const pool = new Pool(limits.maxTasks, limits.maxQueue);
      // By the plain model: names in their order.
      let running: number[] = [];
      let waiting: number[] = [];
      const letIn = (): void => {
        while (running.length < limits.maxTasks && waiting[0] !== undefined)
          running.push(waiting.shift() ?? -1);
      };
      for (const { what, which, passes } of steps) {
        pool.timers.pass(passes);
        if (what === "enter") {
          const { name } = pool.enter();
          if (running.length < limits.maxTasks) running.push(name);
          else if (waiting.length < limits.maxQueue) waiting.push(name);
        } else if (what === "leave" && waiting.length > 0) {
          const name = waiting[which % waiting.length];
          pool.tasks[name ?? -1]?.controller.abort(new Error("left"));
          waiting = waiting.filter((other) => other !== name);
        } else if (what === "end" && running.length > 0) {
          const name = running[which % running.length];
          const task = pool.tasks[name ?? -1];
          task?.admission?.end();
          if (task !== undefined) task.state = "over";
          running = running.filter((other) => other !== name);
          letIn();
        }
        await settled();
        expect(pool.in("running").map(({ name }) => name)).toEqual(
          [...running].sort((a, b) => a - b),
        );
        expect(pool.in("waiting").map(({ name }) => name)).toEqual(waiting);
        // Whoever waits was told how many are in front, and nothing else since.
        expect(pool.in("waiting").map(({ places }) => places.at(-1))).toEqual([...waiting.keys()]);
      }
      expect(pool.timers.pending).toBe(0);
    }),
  );
});

test("a task that leaves the queue at the moment in which it would begin leaves a free place", async () => {
  const pool = new Pool(1, 5);
  const [first, second, third] = [pool.enter(), pool.enter(), pool.enter()];
  await settled();
  first.admission?.end();
  second.controller.abort(new Error("left"));
  await settled();
  // It was let in, and whoever has left gives the place back.
  second.admission?.end();
  await settled();
  expect(third.state).toBe("running");
});

test("other doors' answers take no place in the pool, and the pool's count for the whole", async () => {
  const admissions = createAdmissions({
    limits: { maxStreams: 2, maxStreamsPerCaller: 0, maxTasks: 1, maxQueue: 5 },
    onEnd: () => undefined,
    timers: createManualTimers(),
    createId: () => "turn",
  });
  const somebody = { forward: () => ({}) };
  const never = new AbortController().signal;
  admissions.admit(somebody);
  const task = await admissions.queue(somebody, { signal: never });
  expect(() => admissions.admit(somebody)).toThrow("2 requests at once");
  const waiting = admissions.queue(somebody, { signal: never });
  task.end();
  (await waiting).end();
});

import { expect, test } from "vitest";
import {
  type ThreadEnd,
  type ThreadPoolOptions,
  createThreadPool,
} from "../../../src/code/threads/thread-pool.ts";
import { fakeThreads, fakeTimers } from "./fake-threads.ts";

type Answer = { said: string; isSpent: boolean; isLarge: boolean };

function createPool(options: Partial<ThreadPoolOptions<string, Answer>> = {}) {
  const fakes = fakeThreads<string, Answer>();
  const timers = fakeTimers();
  const pool = createThreadPool({
    spawn: fakes.spawn,
    size: 2,
    maxQueue: 3,
    maxWait: 100,
    maxTime: 50,
    maxStart: 1_000,
    setTimer: timers.setTimer,
    ...options,
  });
  return { ...fakes, timers, pool, ends: [] as string[] };
}

function describe(end: ThreadEnd<Answer>): string {
  return end.type === "answered" ? end.answer.said : end.type;
}

/** Notes how each job ends, as `job: end`. */
function runAll({ pool, ends }: ReturnType<typeof createPool>, ...jobs: string[]): (() => void)[] {
  return jobs.map((job) => pool.run(job, (end) => void ends.push(`${job}: ${describe(end)}`)));
}

const said = (words: string, isSpent = false): Answer => ({
  said: words,
  isSpent,
  isLarge: false,
});

test("a thread has one job at a time, and what waits comes in order", () => {
  const all = createPool();
  runAll(all, "a", "b", "c", "d");
  expect(all.threads).toHaveLength(2);
  const [one, two] = all.threads;
  one?.onReady();
  two?.onReady();
  expect([one?.jobs, two?.jobs]).toEqual([["a"], ["b"]]);
  two?.onAnswer(said("B"));
  one?.onAnswer(said("A"));
  expect([one?.jobs, two?.jobs]).toEqual([
    ["a", "d"],
    ["b", "c"],
  ]);
});

test("a job that is late is ended with its thread, and another thread goes on", () => {
  const all = createPool({ size: 1 });
  runAll(all, "a", "b");
  const [first] = all.threads;
  first?.onReady();
  all.timers.pass(49);
  expect(all.ends).toEqual([]);
  all.timers.pass(1);
  expect(all.ends).toEqual(["a: late"]);
  expect(first?.isKilled).toBe(true);
  expect(all.threads).toHaveLength(2);
  all.last().onReady();
  all.last().onAnswer(said("B"));
  // What a killed thread has sent on its way out is of no interest.
  first?.onAnswer(said("A"));
  expect(all.ends).toEqual(["a: late", "b: B"]);
});

test("a job waits for a bounded time, be it for a thread that starts", () => {
  const all = createPool({ size: 1 });
  runAll(all, "a", "b");
  all.timers.pass(100);
  expect(all.ends).toEqual(["a: waited", "b: waited"]);
  all.last().onReady();
  expect(all.last().jobs).toEqual([]);
  runAll(all, "c");
  expect(all.last().jobs).toEqual(["c"]);
});

test("more jobs than may wait are refused, and not before the caller goes on", async () => {
  const all = createPool({ size: 1, maxQueue: 2 });
  runAll(all, "a", "b", "c", "d", "e");
  expect(all.ends).toEqual([]);
  await Promise.resolve();
  expect(all.ends).toEqual(["d: queue-full", "e: queue-full"]);
  all.last().onReady();
  all.last().onAnswer(said("A"));
  runAll(all, "f");
  await Promise.resolve();
  expect(all.ends).toHaveLength(3);
});

test("without a queue, as many jobs are taken as there are threads", async () => {
  const all = createPool({ size: 2, maxQueue: 0 });
  runAll(all, "a", "b", "c");
  await Promise.resolve();
  expect(all.ends).toEqual(["c: queue-full"]);
});

test("a thread that starts is kept when its job is canceled", () => {
  const all = createPool({ size: 1 });
  const [cancel] = runAll(all, "a");
  cancel?.();
  runAll(all, "b");
  expect(all.threads).toHaveLength(1);
  all.last().onReady();
  expect(all.last().jobs).toEqual(["b"]);
});

test("a thread that ends by itself is replaced when there is something to do", () => {
  const all = createPool();
  runAll(all, "a");
  all.last().onReady();
  all.last().onEnd(new Error("out of memory"));
  expect(all.ends).toEqual(["a: crashed"]);
  expect(all.threads).toHaveLength(1);
  runAll(all, "b");
  expect(all.threads).toHaveLength(2);
});

test("a thread that says that it is spent is ended after its answer", () => {
  const all = createPool({ size: 1 });
  runAll(all, "a", "b");
  all.last().onReady();
  all.last().onAnswer(said("A", true));
  expect(all.ends).toEqual(["a: A"]);
  expect(all.threads.map(({ isKilled }) => isKilled)).toEqual([true, false]);
});

test("where no thread starts, the tries are further and further apart", async () => {
  const all = createPool();
  runAll(all, "a", "b");
  const [one, two] = all.threads;
  one?.onEnd(new Error("no such file"));
  // The other may still start.
  expect(all.ends).toEqual([]);
  two?.onEnd(new Error("no such file"));
  expect(all.ends.toSorted()).toEqual(["a: no-thread", "b: no-thread"]);
  runAll(all, "c");
  await Promise.resolve();
  expect(all.ends.at(-1)).toBe("c: no-thread");
  expect(all.threads).toHaveLength(2);
  for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    const before = all.threads.length;
    all.timers.pass(pause - 1);
    all.pool.warm();
    expect(all.threads).toHaveLength(before);
    all.timers.pass(1);
    all.pool.warm();
    expect(all.threads).toHaveLength(before + 1);
    all.last().onEnd(new Error("no such file"));
  }
});

test("a thread that never gets ready is given up", () => {
  const all = createPool({ maxWait: 5_000 });
  runAll(all, "a");
  all.timers.pass(1_000);
  expect(all.last().isKilled).toBe(true);
  expect(all.ends).toEqual(["a: no-thread"]);
});

test("one start that works ends the pauses", () => {
  const all = createPool({ size: 1 });
  runAll(all, "a");
  all.last().onEnd(new Error("busy"));
  all.timers.pass(1_000);
  runAll(all, "b");
  all.last().onReady();
  all.last().onEnd(new Error("crash"));
  runAll(all, "c");
  all.last().onEnd(new Error("busy"));
  const before = all.threads.length;
  all.timers.pass(1_000);
  all.pool.warm();
  expect(all.threads).toHaveLength(before + 1);
});

test("closing kills all threads and ends whatever runs, waits or comes", async () => {
  const all = createPool({ size: 1 });
  runAll(all, "a", "b");
  all.last().onReady();
  all.pool.close();
  runAll(all, "c");
  all.pool.warm();
  await Promise.resolve();
  expect(all.ends).toEqual(["a: closed", "b: closed", "c: closed"]);
  expect(all.threads.map(({ isKilled }) => isKilled)).toEqual([true]);
  expect(all.timers.count).toBe(0);
});

test("an urgent job comes before those that wait, also where no more may wait", () => {
  const all = createPool({ size: 1, maxQueue: 1 });
  runAll(all, "a", "b");
  all.last().onReady();
  all.pool.run("now", () => {}, true);
  all.last().onAnswer(said("A"));
  expect(all.last().jobs).toEqual(["a", "now"]);
});

test("a thread that has grown large gives way to a fresh one once it rests", () => {
  const all = createPool({ size: 1, maxTime: 10_000 });
  runAll(all, "a", "b");
  const large = all.last();
  large.onReady();
  const answer = { said: "done", isSpent: false, isLarge: true };
  large.onAnswer(answer);
  all.timers.pass(5_000);
  expect([large.isKilled, large.jobs]).toEqual([false, ["a", "b"]]);
  large.onAnswer(answer);
  all.timers.pass(999);
  runAll(all, "c");
  all.timers.pass(5_000);
  expect([large.isKilled, large.jobs]).toEqual([false, ["a", "b", "c"]]);
  large.onAnswer(answer);
  all.timers.pass(1_000);
  expect(large.isKilled).toBe(true);
  expect(all.threads).toHaveLength(2);
  all.last().onReady();
  runAll(all, "d");
  expect(all.last().jobs).toEqual(["d"]);
});

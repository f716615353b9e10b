import { describe, expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { type AdmissionParts, type TaskPool, createAdmissions } from "../../src/run/admissions.ts";
import { createManualTimers } from "../helpers/manual-timers.ts";

const somebody = { forward: () => ({}) };

function create(limits: Partial<AdmissionParts["limits"]> = {}) {
  const timers = createManualTimers();
  const ended: string[] = [];
  let count = 0;
  const admissions = createAdmissions({
    limits: { maxStreams: 10, maxStreamsPerCaller: 0, maxTasks: 10, maxQueue: 5, ...limits },
    onEnd: (id, _turn, failure) =>
      void ended.push(failure === undefined ? id : `${id} ${failure.code}`),
    timers,
    createId: () => `turn-${++count}`,
  });
  return { admissions, timers, ended };
}

test("a drain whose time was over while the event loop was held lets what is ready end first", async () => {
  const { admissions, timers } = create();
  const [quick, slow] = [admissions.admit(somebody), admissions.admit(somebody)];
  const over = admissions.drain(1_000);
  timers.hold(30_000);
  expect([quick.signal.aborted, slow.signal.aborted]).toEqual([false, false]);
  quick.end();
  timers.pass(250);
  expect(slow.signal.reason).toMatchObject({ code: "draining" });
  slow.end();
  await over;
  expect(timers.pending).toBe(0);
});

test("an admission ends once, whoever ends it again", () => {
  const { admissions, ended } = create({ maxStreams: 1 });
  const first = admissions.admit(somebody);
  first.end(undefined, new AppError("invalid_json", "Bad."));
  first.end();
  expect(ended).toEqual(["turn-1 invalid_json"]);
  const second = admissions.admit(somebody);
  expect(() => admissions.admit(somebody)).toThrow("1 requests at once");
  second.end();
});

describe("a queue", () => {
  const never = new AbortController().signal;

  test("is not held up by a caller who has enough", async () => {
    const { admissions } = create({ maxStreams: 2, maxStreamsPerCaller: 1 });
    const [greedy, other] = [
      { ...somebody, userId: "greedy" },
      { ...somebody, userId: "other" },
    ];
    const running = admissions.admit(greedy);
    const third = admissions.admit({ ...somebody, userId: "third" });
    const options = { signal: never };
    const waiting = admissions.queue(greedy, options);
    const next = admissions.queue(other, options);
    third.end();
    expect((await next).caller).toBe(other);
    running.end();
    expect((await waiting).caller).toBe(greedy);
  });
});

describe("a pool that several processes share", () => {
  function createPooled() {
    const places: string[] = [];
    const waiting: (() => void)[] = [];
    const pool: TaskPool = {
      async enter(_, { signal }) {
        await new Promise<void>((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          waiting.push(resolve);
        });
        places.push("taken");
        return () => void places.push("given back");
      },
    };
    const admissions = createAdmissions({
      limits: { maxStreams: 10, maxStreamsPerCaller: 0, maxTasks: 1, maxQueue: 10 },
      onEnd: () => undefined,
      timers: createManualTimers(),
      createId: () => "id",
      pool,
    });
    return { admissions, places, waiting };
  }

  const options = { signal: new AbortController().signal };

  test("lets a task begin here, and gets its place back at the end", async () => {
    const { admissions, places, waiting } = createPooled();
    const first = admissions.queue(somebody, options);
    waiting.shift()?.();
    const admission = await first;
    expect(places).toEqual(["taken"]);
    admission.end();
    admission.end();
    expect(places).toEqual(["taken", "given back"]);
  });

  test("gets its place back from a task that leaves the queue of its process", async () => {
    const { admissions, places, waiting } = createPooled();
    const leaver = new AbortController();
    const first = admissions.queue(somebody, options);
    const second = admissions.queue(somebody, { signal: leaver.signal });
    for (const letIn of waiting.splice(0)) letIn();
    await first;
    leaver.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    expect(places).toEqual(["taken", "taken", "given back"]);
  });

  test("is left by whoever waits when the process drains", async () => {
    const { admissions, places } = createPooled();
    const first = admissions.queue(somebody, options);
    void admissions.drain(0);
    await expect(first).rejects.toMatchObject({ code: "draining" });
    expect(places).toEqual([]);
  });
});

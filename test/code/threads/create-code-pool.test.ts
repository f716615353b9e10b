import { expect, test } from "vitest";
import { analyzePlain } from "../../../src/code/plain/analyze-plain.ts";
import { packFacts } from "../../../src/code/code-facts.ts";
import type { CodeAnswer, CodeJob } from "../../../src/code/threads/code-thread.ts";
import { type CodeTrouble, createCodePool } from "../../../src/code/threads/create-code-pool.ts";
import { applyCodeEdit } from "../../../src/edit.ts";
import { fakeThreads, fakeTimers } from "./fake-threads.ts";

const text = "export function a() {\n  return 1;\n}\n";

function createPool({ size = 1, maxQueue = 5 } = {}) {
  const fakes = fakeThreads<CodeJob, CodeAnswer>();
  const timers = fakeTimers();
  const troubles: CodeTrouble[] = [];
  const parser = createCodePool({
    spawn: fakes.spawn,
    size,
    maxQueue,
    maxWait: 100,
    maxTime: 50,
    maxStart: 1_000,
    maxCharacters: 1_000,
    maxTexts: 4,
    maxKeptCharacters: 10_000,
    setTimer: timers.setTimer,
    onTrouble: (trouble) => void troubles.push(trouble),
  });
  return { ...fakes, timers, troubles, parser };
}

/** As if a grammar had read it. */
function answer(job: CodeJob): CodeAnswer {
  if ("code" in job) {
    const result = applyCodeEdit(job.before, job.code, job.options);
    return { result, isSpent: false, isLarge: false };
  }
  const { text: read } = job;
  return {
    facts: { ...packFacts(analyzePlain(read)), language: "typescript" },
    isSpent: false,
    isLarge: false,
  };
}

function answerLast(all: ReturnType<typeof createPool>): void {
  const thread = all.last();
  thread.onReady();
  const job = thread.jobs.at(-1);
  if (job !== undefined) thread.onAnswer(answer(job));
}

/** Lets all that is settled be heard of. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

test("a text is read once for all who ask while it is read, and for those who ask later", async () => {
  const all = createPool();
  const both = [all.parser.analyze(text, "ts"), all.parser.analyze(text, undefined, "a.ts")];
  answerLast(all);
  const [one, two] = await Promise.all(both);
  expect(one?.language).toBe("typescript");
  expect(two).toBe(one);
  expect(await all.parser.analyze(text, "typescript")).toBe(one);
  expect(all.last().jobs).toHaveLength(1);
});

test("who aborts is told at once, and the reading goes on for the others", async () => {
  const all = createPool();
  const controller = new AbortController();
  const { signal } = controller;
  const left = all.parser.analyze(text, "ts", undefined, { signal });
  const stays = all.parser.analyze(text, "ts");
  all.last().onReady();
  const reason = new Error("The client has left.");
  controller.abort(reason);
  await expect(left).rejects.toBe(reason);
  expect(all.last().isKilled).toBe(false);
  answerLast(all);
  expect((await stays).language).toBe("typescript");
});

test("a reading ends with the last who waits, and is not remembered", async () => {
  const all = createPool();
  const controllers = [new AbortController(), new AbortController()];
  const asked = controllers.map(({ signal }) =>
    all.parser.analyze(text, "ts", undefined, { signal }),
  );
  const ends = Promise.allSettled(asked);
  all.last().onReady();
  const [first] = all.threads;
  controllers[0]?.abort();
  expect(first?.isKilled).toBe(false);
  controllers[1]?.abort();
  expect(first?.isKilled).toBe(true);
  expect((await ends).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const again = all.parser.analyze(text, "ts");
  expect(all.threads).toHaveLength(2);
  answerLast(all);
  expect((await again).language).toBe("typescript");
  expect(all.troubles).toEqual([]);
});

test("a signal that is aborted already starts nothing", async () => {
  const all = createPool();
  const signal = AbortSignal.abort(new Error("gone"));
  await expect(all.parser.analyze(text, "ts", undefined, { signal })).rejects.toThrow("gone");
  expect(all.threads).toHaveLength(0);
});

test("a text that waits is given up when its client leaves", async () => {
  const all = createPool();
  void all.parser.analyze("first", "ts");
  all.last().onReady();
  const controller = new AbortController();
  const waits = all.parser.analyze(text, "ts", undefined, controller);
  const end = Promise.allSettled([waits]);
  controller.abort();
  await end;
  answerLast(all);
  await settle();
  expect(all.last().jobs).toMatchObject([{ text: "first" }]);
});

test.each([
  ["is late", (all: ReturnType<typeof createPool>) => all.timers.pass(50), "late"],
  [
    "ends its thread",
    (all: ReturnType<typeof createPool>) => all.last().onEnd(new Error("no memory")),
    "crashed",
  ],
])("a text that %s is read plainly by another thread", async (_, happen, type) => {
  const all = createPool();
  const asked = all.parser.analyze(text, "ts");
  all.last().onReady();
  happen(all);
  expect(all.threads).toHaveLength(2);
  all.last().onReady();
  expect(all.last().jobs).toMatchObject([{ text, isPlain: true }]);
  all.last().onAnswer({ facts: packFacts(analyzePlain(text)), isSpent: false, isLarge: false });
  const analysis = await asked;
  expect(analysis).toMatchObject({ language: undefined, symbols: [{ name: "a" }] });
  expect(all.troubles).toMatchObject([{ failure: { type }, instead: "plain" }]);
  // It would be late again.
  expect(await all.parser.analyze(text, "ts")).toBe(analysis);
});

test("a text that is late twice is not given to a third thread", async () => {
  const all = createPool();
  const asked = all.parser.analyze(text, "ts");
  for (let time = 0; time < 2; time++) {
    all.last().onReady();
    all.timers.pass(50);
  }
  const analysis = await asked;
  expect(analysis).toMatchObject({ language: undefined, symbols: [{ name: "a" }] });
  expect(all.troubles.map(({ instead }) => instead)).toEqual(["plain", "beginning"]);
  expect(await all.parser.analyze(text, "ts")).toBe(analysis);
  expect(all.threads).toHaveLength(2);
});

test("a text that is too long for a grammar goes to the plain reader at once", async () => {
  const all = createPool();
  const asked = all.parser.analyze(text.repeat(100), "ts");
  all.last().onReady();
  expect(all.last().jobs).toMatchObject([{ isPlain: true }]);
  answerLast(all);
  await asked;
  expect(all.troubles).toEqual([]);
});

test("where no thread is free in time the beginning is read here, and not remembered", async () => {
  const all = createPool({ maxQueue: 1 });
  const texts = ["one", "two", "three"].map((word) => `${text}// ${word}\n`);
  const asked = texts.map((each) => all.parser.analyze(each, "ts"));
  all.last().onReady();
  const third = await asked[2];
  expect(third).toMatchObject({ language: undefined, symbols: [{ name: "a" }] });
  all.timers.pass(49);
  answerLast(all);
  answerLast(all);
  expect((await Promise.all(asked)).map(({ language }) => language)).toEqual([
    "typescript",
    "typescript",
    undefined,
  ]);
  expect(all.troubles).toMatchObject([
    { failure: { type: "queue-full" }, instead: "beginning", language: "ts" },
  ]);
  const again = all.parser.analyze(texts[2] ?? "", "ts");
  answerLast(all);
  expect((await again).language).toBe("typescript");
});

test("a text that has waited too long is read here", async () => {
  const all = createPool();
  const asked = all.parser.analyze(text, "ts");
  all.timers.pass(100);
  expect((await asked).language).toBeUndefined();
  expect(all.troubles).toMatchObject([{ failure: { type: "waited" } }]);
});

test("where no thread starts, texts are read here and each trouble is told", async () => {
  const all = createPool();
  const asked = all.parser.analyze(text, "ts");
  const cause = new Error("no such file");
  all.last().onEnd(cause);
  expect(await asked).toMatchObject({ language: undefined, symbols: [{ name: "a" }] });
  expect(all.troubles).toMatchObject([{ failure: { type: "no-thread", cause, pause: 1_000 } }]);
  expect((await all.parser.analyze(text, "ts")).symbols).toHaveLength(1);
  expect(all.threads).toHaveLength(1);
});

test("after close the beginning is read here, in silence", async () => {
  const all = createPool();
  const asked = all.parser.analyze(text, "ts");
  all.parser.close();
  expect((await asked).symbols).toHaveLength(1);
  expect((await all.parser.analyze(`${text}\n`, "ts")).symbols).toHaveLength(1);
  expect(all.troubles).toEqual([]);
});

test("warming starts one thread, once", () => {
  const all = createPool({ size: 2 });
  all.parser.warm();
  all.parser.warm();
  expect(all.threads).toHaveLength(1);
});

const job = { before: "a\nb\nc\n", code: "a\nd\nc\n", options: {} };
const { signal: never } = new AbortController();

test("code is applied in the thread that reads, after what came first", async () => {
  const all = createPool();
  const read = all.parser.analyze(text, "ts");
  const applied = all.parser.applyCode?.(job, never);
  answerLast(all);
  answerLast(all);
  expect((await read).language).toBe("typescript");
  expect(await applied).toEqual(applyCodeEdit(job.before, job.code));
  expect(all.threads).toHaveLength(1);
});

test.each([
  ["is late", (all: ReturnType<typeof createPool>) => all.timers.pass(50)],
  ["ends its thread", (all: ReturnType<typeof createPool>) => all.last().onEnd(new Error("full"))],
  ["comes when all is closed", (all: ReturnType<typeof createPool>) => all.parser.close()],
])("code that %s is not applied, and not tried again", async (_, happen) => {
  const all = createPool();
  const applied = all.parser.applyCode?.(job, never);
  all.last().onReady();
  happen(all);
  expect(await applied).toBeUndefined();
  expect(all.threads).toHaveLength(1);
});

test("who aborts code that is applied is told at once, and its thread is killed", async () => {
  const all = createPool();
  const controller = new AbortController();
  const applied = all.parser.applyCode?.(job, controller.signal);
  all.last().onReady();
  const reason = new Error("The client has left.");
  controller.abort(reason);
  await expect(applied).rejects.toBe(reason);
  expect(all.last().isKilled).toBe(true);
  await expect(all.parser.applyCode?.(job, controller.signal)).rejects.toBe(reason);
});

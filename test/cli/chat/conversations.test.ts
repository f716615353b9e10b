import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Entry, createConversations } from "../../../src/cli/chat/conversations.ts";
import { createMemoryStore } from "../../../src/store/memory-store.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";

const place = { folder: "/work", agent: "a", model: undefined, lastTurn: 0 };

/** The same store, in front of which processes come and go. */
function createHouse() {
  const timers = createManualTimers();
  const store = createMemoryStore({ now: timers.now });
  let ids = 0;
  const createId = (): string => `${++ids}`.padStart(8, "0");
  const dead = new Set<string>();
  const isAlive = (process: string): boolean => !dead.has(process);
  const start = (process = "1") =>
    createConversations({ store, now: timers.now, timers, createId, process, isAlive });
  return { timers, start, dead };
}

const message = fc.record<Omit<Entry, "time">>(
  { role: fc.constantFrom("user", "assistant"), text: fc.string(), isNote: fc.constant(true) },
  { requiredKeys: ["role", "text"] },
);

test("whoever opens a conversation finds every message that was added, in its order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
      const { timers, start } = createHouse();
      const held = await start().begin(place);
      for (const one of messages) {
        timers.pass(10);
        await held.add(one);
      }
      const opened = await start().open(held.id);
      expect(opened?.entries.map(({ time, ...one }) => one) ?? []).toEqual(messages);
      expect((await start().list()).map((one) => one.id)).toEqual(
        messages.length > 0 ? [held.id] : [],
      );
      await start().remove(held.id);
      expect(await start().open(held.id)).toBeUndefined();
    }),
  );
});

test("an answer whose process died is there as far as it was saved, once", async () => {
  const { timers, start } = createHouse();
  const held = await start().begin(place);
  await held.add({ role: "user", text: "Why?" });
  let said = "";
  for (const word of ["Because ", "it ", "is ", "so"]) {
    said += word;
    held.keep(() => said);
    timers.pass(100);
  }
  await new Promise(setImmediate);
  for (let nth = 0; nth < 2; nth += 1) {
    const opened = await start().open(held.id);
    expect(opened?.entries.map(({ text, isCut }) => [text, isCut])).toEqual([
      ["Why?", undefined],
      ["Because it is ", true],
    ]);
  }
});

test("what was saved of an answer that ended is nothing to go on with", async () => {
  const { timers, start } = createHouse();
  const held = await start().begin(place);
  await held.add({ role: "user", text: "Why?" });
  held.keep(() => "Bec");
  timers.pass(1_000);
  held.keep(() => "Beca");
  await held.add({ role: "assistant", text: "Because." });
  timers.pass(1_000);
  await new Promise(setImmediate);
  expect((await start().open(held.id))?.history).toEqual([
    { role: "user", content: "Why?" },
    { role: "assistant", content: "Because." },
  ]);
});

test("the latest comes first, by the beginning of what was asked first", async () => {
  const { timers, start } = createHouse();
  const [first, second] = [await start().begin(place), await start().begin(place)];
  await first.add({ role: "user", text: `\n${"a".repeat(100)}\nmore` });
  timers.pass(1);
  await second.add({ role: "user", text: "b" });
  timers.pass(1);
  await first.add({ role: "user", text: "c" });
  expect((await start().list()).map(({ title }) => title)).toEqual([`${"a".repeat(79)}…`, "b"]);
});

test("whatever two terminals say in one conversation, the second has a copy, and each keeps what it was told", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.constantFrom(0, 1), message), { maxLength: 8 }),
      async (before, after) => {
        const { start, dead } = createHouse();
        const one = start("1");
        const first = await one.begin(place);
        for (const each of before) await first.add(each);
        const second = await start("2").open(first.id);
        if (second === undefined) throw new Error("It was not found.");
        expect(second.id).not.toBe(first.id);
        expect(await start("3").isOpen(first.id)).toBe(true);
        for (const [which, each] of after) await [first, second][which]?.add(each);
        await one.close();
        dead.add("2");
        for (const [which, { id }] of [first, second].entries()) {
          const opened = await start("3").open(id);
          const said = after.filter(([by]) => by === which).map(([, each]) => each);
          expect(opened?.id).toBe(id);
          expect(opened?.entries.map(({ time, ...each }) => each)).toEqual([...before, ...said]);
        }
      },
    ),
  );
});

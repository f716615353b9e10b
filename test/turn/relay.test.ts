import { expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import { relayAnswer } from "../../src/turn/relay.ts";
import { scriptedModel } from "../../src/testing.ts";

test.each(["the request's signal", "the one who reads"])(
  "a model that yields is let go of by %s, though nobody takes what it has said",
  async (by) => {
    let isOver = false;
    const model: ChatModel = {
      ...scriptedModel([]),
      async *stream() {
        try {
          for (;;) yield { type: "text-delta", text: "more" } as const;
        } finally {
          isOver = true;
        }
      },
    };
    const left = new AbortController();
    const caller = { forward: () => ({}) };
    const relay = relayAnswer(model, { messages: [] }, { signal: left.signal, caller });
    const deltas = relay.deltas()[Symbol.asyncIterator]();
    await deltas.next();
    const failure = relay.ended.catch((thrown: unknown) => thrown);
    if (by === "the one who reads") relay.cancel();
    else left.abort(new AppError("aborted", { en: "Left.", zh: "离开。" }));
    expect(await failure).toBeInstanceOf(AppError);
    await expect.poll(() => isOver).toBe(true);
  },
);

test("while much that has come already is read, others have their turn", async () => {
  const count = 20_000;
  const model = scriptedModel([Array.from({ length: count }, () => "more")]);
  const signal = new AbortController().signal;
  const relay = relayAnswer(model, { messages: [] }, { signal, caller: { forward: () => ({}) } });
  let taken = 0;
  let turns = 0;
  let timer: NodeJS.Timeout;
  const run = (): void => {
    if (taken > 0 && taken < count) turns += 1;
    if (taken < count) timer = setTimeout(run);
  };
  timer = setTimeout(run);
  const deltas = relay.deltas()[Symbol.asyncIterator]();
  while ((await deltas.next()).done !== true) taken += 1;
  clearTimeout(timer);
  await relay.ended;
  expect(taken).toBeGreaterThanOrEqual(count);
  expect(turns).toBeGreaterThan(1);
});

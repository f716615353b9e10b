import { cliTexts } from "../../../src/cli/texts.ts";
import { expect, test } from "vitest";
import { createModelAnswers } from "../../../src/cli/ws/talk.ts";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { type Script, scriptedModel } from "../../../src/testing.ts";

const messages = [{ role: "user", content: "Why?" }];
const chat = { cmd: "llm_chat", model: "plugin r1", messages, temperature: 0.1 };

function lend(script: Script, asked: string | undefined = "plugin r1") {
  const model = scriptedModel([script]);
  const sent: unknown[] = [];
  const told: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const answers = createModelAnswers({
    asked,
    model: asked === "plugin r1" ? model : undefined,
    socket: {
      send(frame) {
        sent.push(frame);
        if ("error" in frame || Reflect.get(frame, "stream_finsh") === true) resolve();
      },
    },
    signal: new AbortController().signal,
    tell: (text) => void told.push(text),
    texts: cliTexts("en"),
  });
  return { answers, model, sent, told, ended };
}

test("a prompt is answered by the model that the person named, piece by piece", async () => {
  const { answers, model, sent, ended } = lend(["one ", "two"]);
  answers("llm-1", chat);
  await ended;
  expect(sent).toEqual([
    { llm_request_id: "llm-1", msg: "one ", stream_seq_id: 0, stream_finsh: false },
    { llm_request_id: "llm-1", msg: "two", stream_seq_id: 1, stream_finsh: false },
    { llm_request_id: "llm-1", msg: "", stream_seq_id: 2, stream_finsh: true },
  ]);
  expect(model.requests).toEqual([{ messages, temperature: 0.1 }]);
});

test.each<[string, typeof chat, string | undefined]>([
  ["another model than the person named", { ...chat, model: "plugin gold" }, "plugin r1"],
  ["a model, where the person named none", chat, undefined],
  ["a model that is not here", { ...chat, model: "plugin gold" }, "plugin gold"],
])("%s is not lent", async (_, frame, asked) => {
  const { answers, model, sent, told, ended } = lend(["x"], asked ?? "local");
  answers("llm-1", frame);
  await ended;
  expect(sent).toEqual([{ llm_request_id: "llm-1", error: expect.any(String) }]);
  expect(told).toEqual([expect.stringContaining(`no model ${frame.model}`)]);
  expect(model.requests).toEqual([]);
});

test("messages that are none are refused", async () => {
  const { answers, sent, ended } = lend(["x"]);
  answers("llm-1", { ...chat, messages: [{ role: "pirate", content: 1 }] });
  await ended;
  expect(sent).toEqual([{ llm_request_id: "llm-1", error: expect.any(String) }]);
});

test("a command may ask the model for so much and no more", async () => {
  const { answers, model, sent } = lend(["x"]);
  for (let nth = 0; nth < 30; nth += 1) {
    const before = sent.length;
    answers(`llm-${nth}`, chat);
    while (sent.length === before || !isEnd(sent.at(-1))) await new Promise(setImmediate);
  }
  expect(model.requests).toHaveLength(20);
  expect(sent.at(-1)).toEqual({ llm_request_id: "llm-29", error: expect.any(String) });
});

function isEnd(frame: unknown): boolean {
  return Reflect.has(Object(frame), "error") || Reflect.get(Object(frame), "stream_finsh") === true;
}

test("an answer that nobody waits for any more ends", async () => {
  const { answers, sent } = lend(["one", "two", "three"]);
  answers("llm-1", chat);
  answers("llm-1", { cmd: "llm_cancel" });
  for (let nth = 0; nth < 5; nth += 1) await new Promise(setImmediate);
  expect(sent.some(isEnd)).toBe(false);
});

test("why a model failed is told to the agent and to the person", async () => {
  const error = new AppError("upstream_error", { en: "No credit.", zh: "余额不足。" });
  const { answers, sent, told, ended } = lend(["begun", error]);
  answers("llm-1", chat);
  await ended;
  expect(sent.at(-1)).toEqual({ llm_request_id: "llm-1", error: "No credit." });
  expect(told).toEqual(["No credit."]);
});

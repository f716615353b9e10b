import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { anyTool, openHost, runTalk } from "../../helpers/talks.ts";

const question = { role: "user" as const, content: "What is the weather in Paris?" };
const weather = anyTool({
  name: "weather",
  input: z.object({ city: z.string() }),
  run: async ({ city }) => ({ success: true, city, sky: "clear" }),
});
const call = (id: string, name: string, given: object): Script[number] => ({
  type: "tool-call",
  call: { id, name, arguments: JSON.stringify(given) },
});

describe("a talk", () => {
  test("passes words, answers, calls and results on in their order, and ends with the answer", async () => {
    const model = scriptedModel([
      [
        "Let me ",
        "look.",
        call("c1", "weather", { city: "Paris" }),
        { head: { id: "chatcmpl-1", model: "gpt-x" } },
        {
          type: "usage",
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        },
      ],
      ["It is clear."],
    ]);
    const { events } = await runTalk(openHost({ models: model }), {
      messages: [{ role: "system", content: "Be short." }, question],
      tools: [weather],
      parameters: { temperature: 0, maxTokens: 4_096, topP: 1 },
    });
    expect(
      events
        .filter(({ type }) => type !== "usage")
        .map((event) => ({ ...event, entry: undefined })),
    ).toMatchObject([
      { type: "text-delta", text: "Let me " },
      { type: "text-delta", text: "look." },
      {
        type: "model-answer",
        answer: {
          text: "Let me look.",
          calls: [{ id: "c1", name: "weather", arguments: '{"city":"Paris"}' }],
          usage: { total_tokens: 15 },
          id: "chatcmpl-1",
          model: "gpt-x",
        },
      },
      { type: "tool-call", call: { id: "c1" } },
      {
        type: "tool-result",
        result: { id: "c1", content: '{"success":true,"city":"Paris","sky":"clear"}' },
      },
      { type: "text-delta", text: "It is clear." },
      { type: "model-answer", answer: { text: "It is clear.", calls: [] } },
      { type: "turn-end", reason: "stop" },
    ]);
    expect(model.requests[0]).toMatchObject({ temperature: 0, maxTokens: 4_096, topP: 1 });
    expect(model.requests[1]?.messages).toEqual([
      { role: "system", content: "Be short." },
      question,
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [
          {
            id: "c1",
            type: "function",
            function: { name: "weather", arguments: '{"city":"Paris"}' },
          },
        ],
      },
      {
        role: "tool",
        tool_call_id: "c1",
        content: '{"success":true,"city":"Paris","sky":"clear"}',
      },
    ]);
  });
});

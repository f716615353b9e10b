import { expect, test } from "vitest";
import { scriptedModel } from "../../src/testing.ts";
import type { ChatMessage, ToolCall } from "../../src/turn/chat-message.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";

const add = {
  name: "add",
  description: "Adds two numbers.",
  parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
};
const callOf = (id: string, a: number, b: number): ToolCall => ({
  id,
  name: "add",
  arguments: JSON.stringify({ a, b }),
});

/** Asks until the model calls no tool any more. */
async function loop(model: ChatModel, question: string): Promise<string> {
  const messages: ChatMessage[] = [{ role: "user", content: question }];
  const options = { signal: new AbortController().signal, caller: { forward: () => ({}) } };
  for (;;) {
    let text = "";
    const calls: ToolCall[] = [];
    const answer = model.stream({ messages: [...messages], tools: [add] }, options);
    let next = await answer.next();
    for (; next.done !== true; next = await answer.next()) {
      if (next.value.type === "text-delta") text += next.value.text;
      if (next.value.type === "tool-call") calls.push(next.value.call);
    }
    if (next.value !== "tool_calls") return text;
    messages.push({
      role: "assistant",
      content: text,
      tool_calls: calls.map(({ id, name, arguments: given }) => ({
        id,
        type: "function",
        function: { name, arguments: given },
      })),
    });
    for (const { id, arguments: given } of calls) {
      const { a, b } = JSON.parse(given) as { a: number; b: number };
      messages.push({ role: "tool", tool_call_id: id, content: String(a + b) });
    }
  }
}

test("a script that calls tools drives a loop, which gives the model their results", async () => {
  const model = scriptedModel([
    [
      "I add.",
      { type: "tool-call", call: callOf("1", 1, 2) },
      { type: "tool-call", call: callOf("2", 3, 4) },
    ],
    ["It is 3 and 7."],
  ]);
  expect(await loop(model, "What is it?")).toBe("It is 3 and 7.");
  expect(model.requests.map(({ tools }) => tools)).toEqual([[add], [add]]);
  const [, call, ...results] = model.requests[1]?.messages ?? [];
  expect(call).toMatchObject({ role: "assistant", content: "I add." });
  expect(results).toEqual([
    { role: "tool", tool_call_id: "1", content: "3" },
    { role: "tool", tool_call_id: "2", content: "7" },
  ]);
});

test("a script may say another end than its calls do", async () => {
  const model = scriptedModel([
    ["Cut.", { type: "tool-call", call: callOf("1", 1, 2) }, { end: "length" }],
  ]);
  expect(await loop(model, "What is it?")).toBe("Cut.");
});

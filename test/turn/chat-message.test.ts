import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { expect, test } from "vitest";
import { estimateMessage, estimateTokens } from "../../src/turn/tokens.ts";
import { ChatMessage, textOfMessage } from "../../src/turn/chat-message.ts";

const image = (detail?: "auto" | "low" | "high") => ({
  type: "image_url" as const,
  image_url: { url: "data:image/png;base64,AAAA", ...(detail === undefined ? {} : { detail }) },
});
const call = {
  id: "call_1",
  type: "function" as const,
  function: { name: "read_file", arguments: '{"path":"a.ts"}' },
};

/** One of every kind, in the words of OpenAI's own types. */
const messages = [
  { role: "system", content: "Be brief." },
  { role: "developer", content: "Be kind." },
  { role: "user", content: "Why?" },
  {
    role: "user",
    content: [{ type: "text", text: "What " }, image("low"), { type: "text", text: "is it?" }],
  },
  { role: "assistant", content: "A cat." },
  { role: "assistant", content: null, tool_calls: [call] },
  { role: "assistant", tool_calls: [call] },
  { role: "tool", tool_call_id: "call_1", content: "let a;" },
] satisfies ChatCompletionMessageParam[];

test("messages of every role are taken as OpenAI writes them, and stay as they are", () => {
  for (const message of messages) expect(ChatMessage.parse(message)).toEqual(message);
});

test("fields that a server adds to its messages are kept", () => {
  const message = { role: "assistant", content: "Yes.", reasoning_content: "Hm." };
  expect(ChatMessage.parse(message)).toEqual(message);
});

test.each([
  { role: "robot", content: "x" },
  { role: "system" },
  { role: "user", content: null },
  { role: "user", content: [{ type: "text" }] },
  { role: "user", content: [{ type: "image_url", image_url: "http://a.example/b.png" }] },
  { role: "assistant" },
  { role: "assistant", content: null, tool_calls: [] },
  { role: "assistant", tool_calls: [{ ...call, id: "" }] },
  { role: "assistant", tool_calls: [{ ...call, function: { name: "f", arguments: {} } }] },
  { role: "tool", content: "x" },
])("what is none is refused: %j", (message) => {
  expect(ChatMessage.safeParse(message).success).toBe(false);
});

test("the text of a message is that of its text parts", () => {
  expect(messages.map((message) => textOfMessage(ChatMessage.parse(message)))).toEqual([
    "Be brief.",
    "Be kind.",
    "Why?",
    "What is it?",
    "A cat.",
    "",
    "",
    "let a;",
  ]);
});

test("images cost the same whatever is in their URL, less in low detail, and calls cost what they say", () => {
  const costOf = (message: ChatMessage) => estimateMessage(message);
  const text = { type: "text" as const, text: "What is it?" };
  const words = estimateTokens("What is it?");
  expect(costOf({ role: "user", content: "What is it?" })).toBe(words);
  expect(costOf({ role: "user", content: [text] })).toBe(words);
  expect(costOf({ role: "user", content: [text, image()] })).toBe(words + 1_105);
  expect(costOf({ role: "user", content: [image("high"), image("low")] })).toBe(1_190);
  expect(costOf({ role: "assistant", content: null, tool_calls: [call, call] })).toBe(
    2 * estimateTokens('read_file{"path":"a.ts"}'),
  );
});

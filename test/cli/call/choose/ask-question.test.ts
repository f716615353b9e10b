import { expect, test } from "vitest";
import { withQuestion } from "../../../../src/cli/call/run-parts.ts";

const chat = { number: 1, title: "Chat", message: "", command: "chat", prompt: "Ask anything." };

test("a chat button asks the person for the question and does not send its description", async () => {
  expect(await withQuestion(chat, async () => "Why?")).toEqual({ ...chat, prompt: "Why?" });
});

test("who has no question after all chooses nothing", async () => {
  expect(await withQuestion(chat, async () => undefined)).toBeUndefined();
});

test("other buttons bring their own question", async () => {
  const fix = { ...chat, command: "fix" };
  expect(await withQuestion(fix, () => Promise.reject(new Error("asked")))).toBe(fix);
  expect(await withQuestion(undefined, () => Promise.reject(new Error("asked")))).toBeUndefined();
});

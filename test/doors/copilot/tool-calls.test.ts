import { describe, expect, test } from "vitest";
import { createCopilotEncoder } from "../../../src/doors/copilot/copilot-door.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import {
  bytesOf,
  chunk,
  fakeTransport,
  frame,
  platformOver,
  modelOver,
} from "../../helpers/upstream.ts";

const call = { index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
const frames = [chunk({ content: "I look." }), chunk({ tool_calls: [call] })].map(frame);
const answer = [...frames, frame(chunk({}, "tool_calls")), frame("[DONE]")].join("");

const ask = (more: object) => ({ agent: "rightseat", command: "chat", ...more });

describe("a model that calls a tool", () => {
  const overPlatform = () => platformOver(fakeTransport({ body: [bytesOf(answer)] }));

  test.each([
    ["en", "The model tried to use a tool that it was not offered"],
    ["zh", "模型试图调用未提供给它的工具"],
  ])("which nobody offered gets an error that says so (%s)", async (language, sentence) => {
    const own = modelOver(fakeTransport({ body: [bytesOf(answer)] }));
    for (const models of [overPlatform(), own]) {
      const { app } = createTestApp({ models });
      const text = await (await post(app, ask({ language }))).text();
      expect(text).toContain("I look.");
      expect(text).toContain(sentence);
      expect(text).toContain('"finish_reason":"error"');
      expect(text).toContain('"code":"upstream_tool_call"');
      expect(text).not.toContain("call_1");
    }
  });

  test.each([{ tools: [{ type: "function", function: { name: "f" } }] }, { functions: [{}] }])(
    "of the request's own is passed on as it calls: %j",
    async (more) => {
      const { app } = createTestApp({ models: overPlatform() });
      const text = await (await post(app, ask(more))).text();
      expect(text.startsWith(frames.join(""))).toBe(true);
      expect(text).toContain('"finish_reason":"tool_calls"');
      expect(text).not.toContain('"error"');
    },
  );

  test("gets an error all the same from a model that the request's tools do not reach", async () => {
    const models = modelOver(fakeTransport({ body: [bytesOf(answer)] }));
    const { app } = createTestApp({ models });
    const text = await (await post(app, ask({ tools: [{ type: "function" }] }))).text();
    expect(text).toContain('"code":"upstream_tool_call"');
  });
});

test("what a flow calls, and what comes of it, is not told on this wire", () => {
  const encode = createCopilotEncoder({
    head: { id: "chatcmpl-1", model: "m", created: 1 },
    doneMarker: "[DONE]",
    locale: "en",
    requestId: "1",
  });
  const made = { id: "call_1", name: "f", arguments: "{}" };
  expect(encode({ type: "tool-call", call: made })).toBe("");
  expect(
    encode({ type: "tool-result", result: { id: "call_1", content: "42", isError: false } }),
  ).toBe("");
});

// What a request means, and which ones are refused; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { AgentDefinition } from "../../../src/turn/agent-definition.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp, type TestAppOptions } from "../../helpers/create-test-app.ts";
import { code, withCode } from "../../helpers/openai-client.ts";
import type { Script } from "../../../src/testing.ts";

const path = "/v1/chat/completions";
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

async function ask(
  body: object,
  options: TestAppOptions<readonly Script[]> = {},
): Promise<{ status: number; asked: string[]; request: object; text: string; command: unknown }> {
  const { app, model } = createTestApp(options);
  const response = await post(app, { model: "rightseat", ...body }, { path });
  const receipt = response.headers.get("x-rightseat-context");
  return {
    status: response.status,
    text: await response.text(),
    request: { ...model.requests[0] },
    asked: (model.requests[0]?.messages ?? []).map(
      (message) => `${message.role}: ${textOfMessage(message)}`,
    ),
    command: receipt === null ? undefined : (JSON.parse(receipt) as { command: string }).command,
  };
}

describe("the command", () => {
  test.each([
    ["rightseat", "What?", "chat"],
    ["rightseat/explain", "What?", "explain"],
    ["rightseat/docstring", "What?", "docstring"],
    ["rightseat", "/version", "version"],
    ["rightseat/explain", "/fix the loop", "fix"],
    ["rightseat/explain", "/unknown", "explain"],
  ])("of %s asked %j is %s", async (model, content, command) => {
    expect(await ask({ model, messages: [user(content)] })).toMatchObject({ status: 200, command });
  });

  test("of an agent that lists no chat is chat where something is asked, else it says what it can do", async () => {
    const agents = [AgentDefinition.parse({ name: "reviewer", commands: [{ name: "default" }] })];
    const asked = (content: string) =>
      ask({ model: "reviewer", messages: [user(content)] }, { agents });
    expect(await asked("What?")).toMatchObject({ status: 200, command: "chat" });
    expect(await asked("@reviewer")).toMatchObject({ status: 200, command: "default" });
  });
});

describe("the code", () => {
  test("is the one block of the last message, and the question is the rest of it", async () => {
    const { asked } = await ask({ model: "rightseat/explain", messages: [user(withCode("Why?"))] });
    expect(asked.at(-1)).toContain("src/cart.js (javascript)");
    expect(asked.at(-1)?.match(/sum =\+ item\.price/g)).toHaveLength(1);
  });

  test("is the last block that the person has sent before, never the agent's", async () => {
    const messages = [
      user("```js\nlet older;\n```"),
      user(withCode("Why?")),
      assistant("```js\nlet theirs;\n```"),
      user("/fix"),
    ];
    const { asked, command } = await ask({ messages });
    expect(command).toBe("fix");
    expect(asked.at(-1)).toContain("sum =+ item.price");
    expect(asked.at(-1)).not.toMatch(/older|theirs/);
    expect(asked.slice(-3)).toEqual([
      expect.anything(),
      "assistant: ```js\nlet theirs;\n```",
      expect.anything(),
    ]);
  });

  test("of several blocks in the last message is the model's to find", async () => {
    const content = withCode(withCode("Which is better?"));
    const { asked } = await ask({ model: "rightseat/explain", messages: [user(content)] });
    expect(asked.at(-1)?.match(/sum =\+ item\.price/g)).toHaveLength(2);
  });

  test("stays in the question of a command that is about none", async () => {
    const { asked } = await ask({ messages: [user(withCode("Why?"))] });
    expect(asked.at(-1)).toContain(code);
  });

  test("goes to a command of a definition that collects the editor", async () => {
    const collected = { contextVariables: [{ name: "activeEditor" }] };
    const messageTemplates = [
      { role: "user", template: "{{ activeEditor.filePath }}|{{ userInputPrompt }}" },
    ];
    const commands = [
      { name: "review", messageTemplates, contextVariableCollectionStrategy: collected },
    ];
    const agents = [AgentDefinition.parse({ name: "reviewer", commands })];
    const { asked } = await ask(
      { model: "reviewer/review", messages: [user(withCode("Why?"))] },
      { agents },
    );
    expect(asked).toEqual(["user: src/cart.js|Why?"]);
  });
});

test("messages of system and developer come as rules before the question, after the history", async () => {
  const messages = [
    { role: "system", content: "Be brief." },
    user("a"),
    assistant("b"),
    { role: "developer", content: [{ type: "text", text: "No jokes." }] },
    user([
      { type: "text", text: "c" },
      { type: "text", text: "d" },
    ]),
  ];
  const { asked } = await ask({ messages });
  expect(asked.slice(1, 5)).toEqual([
    "user: a",
    "assistant: b",
    "system: Be brief.",
    "system: No jokes.",
  ]);
  expect(asked.at(-1)).toContain("c\nd");
});

test("calls of tools in the history are left out", async () => {
  const messages = [
    user("a"),
    { role: "assistant", content: null, tool_calls: [{ id: "x" }] },
    { role: "tool", tool_call_id: "x", content: "42" },
    user("b"),
  ];
  const { asked, status } = await ask({ messages });
  expect([status, asked.slice(1, -1)]).toEqual([200, ["user: a"]]);
});

test("the model gets the temperature, the limit of tokens and top_p; other fields are ignored", async () => {
  const fields = {
    temperature: 0,
    top_p: 0.5,
    max_tokens: 7,
    stop: ["x"],
    tools: [],
    n: 1,
    response_format: { type: "text" },
    modalities: ["text"],
    logit_bias: 3,
  };
  const { request } = await ask({ messages: [user("a")], ...fields });
  expect(request).toMatchObject({ temperature: 0, topP: 0.5, maxTokens: 7, extra: {} });
  const newer = await ask({ messages: [user("a")], max_tokens: 7, max_completion_tokens: 9 });
  expect(newer.request).toMatchObject({ maxTokens: 9 });
});

describe("a request is refused", () => {
  const messages = [user("a")];
  const image = { type: "image_url", image_url: { url: "data:," } };
  test.each<[string, object, string]>([
    ["with tools that are none", { messages, tools: [{}] }, "tools[0].type"],
    ["with functions", { messages, functions: [{}] }, "functions"],
    ["for several answers", { messages, n: 2 }, "n"],
    ["for no answer", { messages, n: 0 }, "n"],
    ["without messages", {}, "messages"],
    ["with an empty list of messages", { messages: [] }, "messages"],
    ["with an odd message", { messages: [3] }, "messages[0]"],
    [
      "with too many messages",
      { messages: Array.from({ length: 10_001 }, () => user("a")) },
      "messages",
    ],
    [
      "with an image",
      { messages: [user([{ type: "text", text: "a" }, image])] },
      "messages[0].content[1]",
    ],
    [
      "with an image in the history",
      { messages: [user([image]), user("a")] },
      "messages[0].content[0]",
    ],
    ["with nothing but rules", { messages: [{ role: "system", content: "a" }] }, "messages"],
    [
      "that ends with an answer",
      { model: "rightseat/explain", messages: [user("a"), assistant("b")] },
      "messages",
    ],
    ["without a model", { messages, model: undefined }, "model"],
    ["with an odd temperature", { messages, temperature: "hot" }, "temperature"],
    ["with an odd stream", { messages, stream: "yes" }, "stream"],
  ])("%s", async (_, body, param) => {
    const { status, text } = await ask(body);
    const { error } = JSON.parse(text) as { error: object };
    expect([status, Object.keys(error)]).toEqual([400, ["message", "type", "param", "code"]]);
    expect(error).toMatchObject({ type: "invalid_request_error", code: "invalid_request", param });
  });

  test.each(["nobody", "rightseat/", "rightseat/nothing", "/explain", "__proto__", ""])(
    "for the model %j with 404",
    async (model) => {
      const { status, text } = await ask({ model, messages });
      expect(status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({
        error: { type: "invalid_request_error", code: "model_not_found", param: "model" },
      });
    },
  );
});

test("a model that is looked up by a path with a slash is found", async () => {
  const { app } = createTestApp();
  for (const id of ["rightseat/explain", "rightseat%2Fexplain"]) {
    const response = await post(app, {}, { path: `/v1/models/${id}`, method: "GET" });
    expect(await response.json()).toMatchObject({ id: "rightseat/explain", object: "model" });
  }
});

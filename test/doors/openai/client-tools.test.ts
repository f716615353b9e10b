// Agents that bring tools of their own, as opencode, qwen-code and cline do; on Node and in workerd.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AgentDefinition } from "../../../src/turn/agent-definition.ts";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { cases } from "../../helpers/cases.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { clientOf, clients } from "../../helpers/openai-client.ts";

const [newest] = clients;
const read = {
  type: "function" as const,
  function: {
    name: "read",
    description: "Reads a file",
    parameters: {
      type: "object",
      properties: { filePath: { type: "string" }, limit: { type: "integer" } },
      required: ["filePath"],
    },
  },
};
const offered = { name: "read", description: "Reads a file", parameters: read.function.parameters };
const messages = [
  { role: "system" as const, content: "You are a coding agent." },
  { role: "user" as const, content: "/fix src/a.js" },
];

function call(id: string, name: string, args: string): Script[number] {
  return { type: "tool-call", call: { id, name, arguments: args } };
}

/** What the official client makes of an answer, and what the model was asked. */
async function ask(body: object, script: Script, stream: boolean) {
  const { app, model } = createTestApp({ models: [script] });
  const { completions } = clientOf(newest, app).chat;
  const asked = { model: "rightseat", messages, tools: [read], ...body };
  const whole = stream
    ? await completions.stream(asked).finalChatCompletion()
    : await completions.create(asked);
  const [choice] = whole.choices;
  return { message: choice?.message, reason: choice?.finish_reason, request: model.requests[0] };
}

describe.each([true, false])("a client that wants a stream: %j", (stream) => {
  test("gets the calls of its tools as the model has made them", async () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    const name = fc.stringMatching(/^[A-Za-z][\w-]{0,20}$/);
    const made = fc.array(fc.tuple(name, fc.dictionary(text, text)), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(fc.string(), made, async (said, calls) => {
        const script = calls.map(([tool, args], nth) =>
          call(`call_${nth}`, tool, JSON.stringify(args)),
        );
        const { message, reason } = await ask({}, [said, ...script], stream);
        expect(reason).toBe("tool_calls");
        expect(
          message?.tool_calls?.map((each) =>
            each.type === "function" ? [each.id, each.function.name, each.function.arguments] : [],
          ),
        ).toEqual(calls.map(([tool, args], nth) => [`call_${nth}`, tool, JSON.stringify(args)]));
        expect(message?.content ?? "").toBe(said);
      }),
      { numRuns: cases(20) },
    );
  });

  test("gets its own messages, tools and wishes to the model as they are", async () => {
    const format = { type: "json_object" as const };
    const strictly = { ...read, function: { ...read.function, strict: true } };
    const { request, message, reason } = await ask(
      {
        tools: [strictly],
        messages: [
          ...messages,
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "c", type: "function", function: { name: "read", arguments: "{}" } },
            ],
          },
          { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "let a;" }] },
          {
            role: "user",
            content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }],
          },
          { role: "assistant", content: "The file" },
        ],
        tool_choice: { type: "function", function: { name: "read" } },
        parallel_tool_calls: false,
        response_format: format,
        temperature: 0,
      },
      ["is short.\n```js src/a.js\nlet b;\n```\n"],
      stream,
    );
    expect(request).toMatchObject({
      tools: [{ ...offered, strict: true }],
      toolChoice: { name: "read" },
      parallelToolCalls: false,
      responseFormat: format,
      temperature: 0,
    });
    expect(request?.messages).toEqual([
      ...messages,
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "c", type: "function", function: { name: "read", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: "let a;" },
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }],
      },
      { role: "assistant", content: "The file" },
    ]);
    // Nothing of ours is in the answer: no diff, no next steps.
    expect([message?.content, reason]).toEqual([
      "is short.\n```js src/a.js\nlet b;\n```\n",
      "stop",
    ]);
  });

  test("gets calls that the model writes into its text, with values of their types", async () => {
    const written =
      '<tool_call>{"name": "read", "arguments": {"filePath": "a.js", "limit": "3"}}</tool_call>';
    const { message, reason } = await ask({}, [`I look.\n${written}\n`], stream);
    expect(reason).toBe("tool_calls");
    expect(message?.tool_calls).toMatchObject([
      { function: { name: "read", arguments: '{"filePath":"a.js","limit":3}' } },
    ]);
    expect(message?.content).not.toContain("tool_call");
  });

  test("loses no word of what only looks like a call", async () => {
    const odd = 'I would write:\n<tool_call>{"name": "read", "arguments": {"filePath": \n';
    const { message, reason } = await ask({}, [odd], stream);
    expect([message?.content, message?.tool_calls ?? [], reason]).toEqual([odd, [], "stop"]);
  });

  test("gets the text of an answer that was cut, and no half of a call", async () => {
    const { message, reason } = await ask({}, ["I look", { end: "length" }], stream);
    expect([message?.content, message?.tool_calls ?? [], reason]).toEqual(["I look", [], "length"]);
  });
});

test("a tool named as one of ours is the client's: edits in the text stay text", async () => {
  const tool = { ...read, function: { ...read.function, name: "edit_file" } };
  const edit = "```js src/a.js\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n";
  const { message, reason } = await ask({ tools: [tool] }, [edit], false);
  expect([message?.content, reason]).toEqual([edit, "stop"]);
});

test("a model that calls nothing is asked without the tools", async () => {
  const { app, model } = createTestApp({
    models: scriptedModel([["Hello."]], { toolCalls: "none" }),
  });
  const response = await post(
    app,
    { model: "rightseat", messages, tools: [read] },
    { path: "/v1/chat/completions" },
  );
  expect([response.status, model.requests[0]?.tools]).toEqual([200, undefined]);
});

test("what the definition's own templates say of the system is in front, its other messages are not", async () => {
  const agents = [
    AgentDefinition.parse({
      name: "reviewer",
      commands: [
        {
          name: "review",
          clientTools: true,
          modelConfiguration: { temperature: 0.3 },
          messageTemplates: [
            { role: "system", template: "You work for {{ userInfo.name | default: 'us' }}." },
            { role: "user", template: "Look at {{ userInputPrompt }}" },
          ],
        },
      ],
    }),
  ];
  const { app, model } = createTestApp({ agents });
  await post(
    app,
    { model: "reviewer/review", messages, tools: [read] },
    { path: "/v1/chat/completions" },
  );
  expect(model.requests[0]).toMatchObject({
    temperature: 0.3,
    messages: [{ role: "system", content: "You work for us." }, ...messages],
  });
});

test("the answer after a model's failure is an error, never half an answer twice", async () => {
  const { app } = createTestApp({ models: [["Half\n", new Error("gone")], ["Whole"]] });
  const response = await post(
    app,
    { model: "rightseat", messages, tools: [read], stream: true },
    { path: "/v1/chat/completions" },
  );
  const text = await response.text();
  expect(text.match(/Half|Whole/g)).toEqual(["Half"]);
  expect(text).toContain('"error"');
});

describe("a request is refused", () => {
  const part = { type: "input_audio", input_audio: {} };
  test.each<[string, object, string]>([
    ["for a command with tools of its own", { model: "rightseat/code" }, "tools"],
    ["for a command with a prompt of its own", { model: "rightseat/explain" }, "tools"],
    ["with a tool that is no function", { tools: [{ type: "custom" }] }, "tools[0].type"],
    ["with an odd choice", { tool_choice: "sometimes" }, "tool_choice"],
    ["with nothing but rules", { messages: [messages[0]] }, "messages"],
    ["with a result of no call", { messages: [{ role: "tool", content: "a" }] }, "messages[0]"],
    [
      "with sound",
      { messages: [{ role: "user", content: [{ type: "text", text: "a" }, part] }] },
      "messages[0].content[1]",
    ],
  ])("%s", async (_, body, param) => {
    const { app, model } = createTestApp();
    const given = { model: "rightseat", messages, tools: [read], ...body };
    const response = await post(app, given, { path: "/v1/chat/completions" });
    const { error } = (await response.json()) as { error: object };
    expect([response.status, model.requests]).toEqual([400, []]);
    expect(error).toMatchObject({ code: "invalid_request", param });
  });
});

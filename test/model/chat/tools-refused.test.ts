// Servers that take no `tools`: the same question is asked with its calls in text.
import { describe, expect, test } from "vitest";
import { ChatMessage } from "../../../src/turn/chat-message.ts";
import type { ChatModel, ChatRequest } from "../../../src/turn/chat-model.ts";
import { ask, prompted } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createTestCoding, unit } from "../../helpers/loop-app.ts";
import {
  answerOf,
  askModel,
  bytesOf,
  defaultApi,
  type FakeAnswer,
  fakeTransport,
  modelOver,
} from "../../helpers/upstream.ts";

const tools = [{ name: "read_file", description: "Reads a file.", parameters: { type: "object" } }];
const request: ChatRequest = {
  messages: [
    { role: "system", content: "You work on code." },
    { role: "user", content: "What is in a.js?" },
  ],
  tools,
};

const refusal = (status: number, body: unknown): FakeAnswer => ({
  status,
  body: [bytesOf(typeof body === "string" ? body : JSON.stringify(body))],
});
const said = (...texts: string[]): FakeAnswer => ({ body: [bytesOf(answerOf(...texts))] });
const refused = refusal(400, { error: { message: "gemma does not support tools" } });

async function askFor(model: ChatModel, asked = request): Promise<string> {
  const { text, error } = await askModel(model, asked);
  return error?.code ?? text;
}

interface Sent {
  messages: ChatMessage[];
  tools?: unknown;
  tool_choice?: unknown;
}

const sentOf = ({ requests }: ReturnType<typeof fakeTransport>): Sent[] =>
  requests.map(({ body }) => JSON.parse(body) as Sent);

describe("a server that refuses tools", () => {
  test.each<[string, FakeAnswer]>([
    ["Ollama", refused],
    [
      "vLLM",
      refusal(400, {
        object: "error",
        message: '"auto" tool choice requires --enable-auto-tool-choice',
        code: 400,
      }),
    ],
    [
      "OpenRouter",
      refusal(404, { error: { message: "No endpoints found that support tool use.", code: 404 } }),
    ],
    [
      "llama.cpp",
      refusal(500, { error: { code: 500, message: "tools param requires --jinja flag" } }),
    ],
    [
      "a schema that is strict",
      refusal(422, { detail: [{ loc: ["body", "tools"], msg: "Extra inputs are not permitted" }] }),
    ],
    [
      "one that names its parameter",
      refusal(400, { error: { message: "Unknown.", param: "tool_choice" } }),
    ],
    [
      "Groq",
      refusal(400, { error: { message: "`tool calling` is not supported with this model" } }),
    ],
    ["one that says it in Chinese", refusal(400, { error: { message: "该模型不支持工具调用" } })],
    ["one that says nothing", refusal(400, "")],
  ])("is asked once more with calls in text: %s", async (_, answer) => {
    const transport = fakeTransport(answer, said("One."));
    expect(await askFor(modelOver(transport))).toBe("One.");
    const [first, second] = sentOf(transport);
    expect(first).toHaveProperty("tools");
    expect(transport.requests).toHaveLength(2);
    expect(second).not.toHaveProperty("tools");
    expect(second).not.toHaveProperty("tool_choice");
    const [system, user] = second?.messages ?? [];
    expect(system?.content).toContain("You work on code.");
    expect(system?.content).toContain("- `read_file`: Reads a file.");
    expect(user).toEqual({ role: "user", content: "What is in a.js?" });
  });

  test("is asked in text at once for an hour, and with tools after it", async () => {
    let now = 0;
    const transport = fakeTransport(refused, said("One."));
    const model = modelOver(transport, { now: () => now });
    const kinds = (): boolean[] => sentOf(transport).map((sent) => "tools" in sent);
    expect(model.toolCalls).toBe("tools");
    await askFor(model);
    expect([model.toolCalls, kinds()]).toEqual(["text", [true, false]]);
    now += 3_599_999;
    await askFor(model);
    expect([model.toolCalls, kinds()]).toEqual(["text", [true, false, false]]);
    now += 1;
    expect(model.toolCalls).toBe("tools");
    await askFor(model);
    expect(kinds()).toEqual([true, false, false, true]);
  });

  test("that refuses the text, too, has the last word, and nothing is remembered", async () => {
    const transport = fakeTransport(refused);
    const model = modelOver(transport);
    expect([await askFor(model), transport.requests.length]).toEqual(["upstream_refused", 2]);
    expect(model.toolCalls).toBe("tools");
  });

  test.each<[string, FakeAnswer, ChatRequest]>([
    [
      "for something else",
      refusal(400, { error: { message: "temperature is too high" } }),
      request,
    ],
    [
      "by naming another parameter",
      refusal(400, { error: { message: "tools", param: "messages" } }),
      request,
    ],
    [
      "for its length",
      refusal(400, {
        error: {
          message: "maximum context length is 10 tokens, you requested 20 (5 in the functions)",
        },
      }),
      request,
    ],
    ["for the key", refusal(401, { error: { message: "no tools for you" } }), request],
    ["where it was offered none", refused, { messages: request.messages }],
  ])("is not asked again when it refuses %s", async (_, answer, asked) => {
    const transport = fakeTransport(answer, said("One."));
    expect(await askFor(modelOver(transport), asked)).not.toBe("One.");
    expect(transport.requests).toHaveLength(1);
  });

  test("gets the steps that were made with calls as text", async () => {
    const call = (id: string, path: string) => ({
      id,
      type: "function" as const,
      function: { name: "read_file", arguments: JSON.stringify({ path }) },
    });
    const messages: ChatMessage[] = [
      { role: "user", content: "Go." },
      { role: "assistant", content: "I look.", tool_calls: [call("1", "a.js"), call("2", "b.js")] },
      { role: "tool", tool_call_id: "1", content: "one" },
      { role: "tool", tool_call_id: "2", content: "two" },
      { role: "assistant", content: null, tool_calls: [call("3", "c.js")] },
      { role: "tool", tool_call_id: "3", content: "three" },
    ];
    const transport = fakeTransport(refused, said("One."));
    await askFor(modelOver(transport), { messages, tools, locale: "zh" });
    const sent = sentOf(transport)[1]?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    expect(sent[0]?.content).toMatch(/^# 工具\n/);
    expect(sent[2]).toEqual({
      role: "assistant",
      content:
        'I look.\n\n```json\n{"tool": "read_file", "params": {"path":"a.js"}}\n```\n\n```json\n{"tool": "read_file", "params": {"path":"b.js"}}\n```',
    });
    expect(sent[3]?.content).toBe(
      '<tool_result name="read_file">\none\n</tool_result>\n\n<tool_result name="read_file">\ntwo\n</tool_result>',
    );
    expect(sent.every((message) => ChatMessage.safeParse(message).success)).toBe(true);
  });

  test("does the work of the command code all the same", async () => {
    const written = (tool: string, params: object): string =>
      `I go on.\n\n\`\`\`json\n${JSON.stringify({ tool, params })}\n\`\`\`\n`;
    const edit = {
      target_file: "a.js",
      instructions: "Change it.",
      code_edit: unit("export const one = 1;", "export const one = 11;"),
    };
    const transport = fakeTransport(
      refused,
      said(written("edit_file", edit)),
      said(written("finish", { response: "`one` is 11." })),
    );
    const coding = await createTestCoding({ "a.js": "export const one = 1;\n" });
    const { app } = createTestApp({ models: modelOver(transport, defaultApi), coding });
    const reply = await ask(app, "code", [prompted("Change one to 11.")]);
    expect(reply.text).toContain("`one` is 11.");
    expect(await coding.text("a.js")).toBe("export const one = 11;\n");
    expect(sentOf(transport).map((sent) => "tools" in sent)).toEqual([true, false, false]);
  });
});

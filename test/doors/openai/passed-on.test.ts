// What of a model's answer and of a request's messages is passed on; on Node and in workerd.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../helpers/cases.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { bytesOf, fakeTransport, frame, modelOver } from "../../helpers/upstream.ts";

const path = "/v1/chat/completions";
const ask = [{ role: "user", content: "a" }];

type Json = Record<string, unknown>;
type Choice = { delta: { content?: string }; finish_reason: string | null };

const framesOf = (text: string): Json[] =>
  text
    .split("\n\n")
    .flatMap((block) => (block.startsWith("data: {") ? [JSON.parse(block.slice(6)) as Json] : []));

/** What the client gets, streamed and whole, of frames of an upstream. */
async function answerTo(
  frames: readonly Json[],
  body: Json,
): Promise<{ chunks: Json[]; whole: Json }> {
  const text = [...frames.map((one) => JSON.stringify(one)), "[DONE]"].map(frame).join("");
  const { app } = createTestApp({ models: modelOver(fakeTransport({ body: [bytesOf(text)] })) });
  const streamed = await post(app, { ...body, stream: true }, { path });
  const whole = await post(app, body, { path });
  return { chunks: framesOf(await streamed.text()), whole: (await whole.json()) as Json };
}

const choice = (delta: object, finish_reason: string | null) => [
  { index: 0, delta, finish_reason },
];
const end = { id: "up", model: "up-1", choices: choice({}, "stop") };

test("every chunk names the model that was asked for, whatever its server calls itself, under one id", async () => {
  const name = fc.constantFrom(
    undefined,
    "",
    "up-1",
    'q"\\/',
    "rightseat",
    "模型",
    "x".repeat(600),
  );
  const server = fc.record({
    head: fc.record({
      id: fc.constantFrom("up", "chatcmpl-1", ""),
      object: fc.constantFrom("chat.completion.chunk", ""),
      created: fc.constantFrom(1_763_600_000, 1_763_600_000.25),
      model: name,
    }),
    roles: fc.constantFrom("every chunk", "first chunk"),
    open: fc.constantFrom(null, ""),
  });
  const texts = fc.array(fc.constantFrom("Hi", '"model":"up-1"', "世界", "data: x\n"), {
    minLength: 1,
  });
  const model = fc.constantFrom("rightseat", "rightseat/explain");
  await fc.assert(
    fc.asyncProperty(server, texts, model, async ({ head, roles, open }, all, asked) => {
      const frames = all.map((content, nth) => {
        const role = roles === "every chunk" || nth === 0 ? { role: "assistant" } : {};
        return {
          ...head,
          choices: [{ index: 0, delta: { ...role, content }, finish_reason: open }],
        };
      });
      const { chunks, whole } = await answerTo([...frames, { ...end, ...head }], {
        model: asked,
        messages: ask,
      });
      expect(new Set(chunks.map((one) => one["model"]))).toEqual(new Set([asked]));
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
      expect(new Set(chunks.map(({ object }) => object))).toEqual(
        new Set(["chat.completion.chunk"]),
      );
      expect(whole["model"]).toBe(asked);
      const choices = chunks.map((one) => (one["choices"] as Choice[])[0]);
      const reasons = choices.map((one) => one?.finish_reason);
      expect(reasons).toEqual([...reasons.slice(1).map(() => null), "stop"]);
      const said = choices.map((one) => one?.delta.content);
      expect(said.join("").startsWith(all.join(""))).toBe(true);
    }),
    { numRuns: cases(7) },
  );
});

test("all numbers that a server counts reach the client, streamed and whole, whatever their names", async () => {
  const count = fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e6, noNaN: true }));
  const other = fc.constantFrom(
    "cached_tokens",
    "reasoning_tokens",
    "prompt_cache_hit_tokens",
    "cost",
    "x-1",
  );
  const group = fc.dictionary(other, count);
  const counted = fc.record(
    {
      prompt_tokens: fc.nat(),
      completion_tokens: fc.integer({ min: 1, max: 9_999 }),
      total_tokens: fc.nat(),
      prompt_tokens_details: group,
      completion_tokens_details: group,
      prompt_cache_miss_tokens: count,
      cost_details: fc.record({ upstream: group }),
    },
    { requiredKeys: ["prompt_tokens", "completion_tokens", "total_tokens"] },
  );
  await fc.assert(
    fc.asyncProperty(counted, async (usage) => {
      const odd = { ...usage, service: "x", seen: null, ids: [1], negative: -1 };
      const body = { model: "rightseat", messages: ask, stream_options: { include_usage: true } };
      const { chunks, whole } = await answerTo([end, { ...end, choices: [], usage: odd }], body);
      const { usage: told } = chunks.at(-1) ?? {};
      const plain: unknown = JSON.parse(JSON.stringify(usage));
      expect([told, whole["usage"]]).toEqual([plain, plain]);
    }),
    { numRuns: cases(7) },
  );
});

test("the counts of several answers of a turn are added, name by name", async () => {
  const { addUsage } = await import("../../../src/turn/figures.ts");
  const first = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, a: { b: 4 }, c: 5 };
  const second = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30, a: { b: 40, d: 6 } };
  const sum = {
    prompt_tokens: 11,
    completion_tokens: 22,
    total_tokens: 33,
    a: { b: 44, d: 6 },
    c: 5,
  };
  expect(addUsage(addUsage(undefined, first), second)).toEqual(sum);
});

test("no limit of tokens goes to the model for -1, at every place where a limit can be named", async () => {
  for (const limit of [
    { max_tokens: -1 },
    { max_completion_tokens: -1 },
    { max_completion_tokens: -1, max_tokens: -1 },
  ]) {
    const { app, model } = createTestApp();
    const response = await post(app, { model: "rightseat", messages: ask, ...limit }, { path });
    expect(response.status).toBe(200);
    expect(model.requests[0]).not.toHaveProperty("maxTokens");
  }
  const { app, model } = createTestApp();
  const agentDefinition = { name: "x", modelConfiguration: { maxTokens: -1 } };
  const variables = [{ name: "userInputPrompt", value: "a" }];
  const body = { agentDefinition, command: "chat", contextVariables: variables };
  expect((await post(app, body)).status).toBe(200);
  expect(model.requests[0]).not.toHaveProperty("maxTokens");
});

test("of several places that set a parameter the strongest that says something counts, and null says nothing", async () => {
  const value = fc.constantFrom(undefined, null, 0, 0.5, 1);
  const place = fc.record({ temperature: value, topP: value });
  await fc.assert(
    fc.asyncProperty(fc.tuple(place, place, place), async ([weak, middle, strong]) => {
      const { app, model } = createTestApp();
      const agentDefinition = {
        name: "x",
        modelConfiguration: middle,
        commands: [{ name: "chat", modelConfiguration: strong }],
      };
      const contextVariables = [{ name: "userInputPrompt", value: "a" }];
      const body = { agentDefinition, command: "chat", modelConfiguration: weak, contextVariables };
      await (await post(app, body)).text();
      for (const name of ["temperature", "topP"] as const)
        expect(model.requests[0]?.[name]).toBe(
          strong[name] ?? middle[name] ?? weak[name] ?? undefined,
        );
    }),
    { numRuns: cases(15) },
  );
});

describe("a limit of tokens that is none", () => {
  test.each([0, -2, 1.5, "7", true, [], {}, 2 ** 60])(
    "such as %j is refused by its name",
    async (limit) => {
      for (const param of ["max_tokens", "max_completion_tokens"]) {
        const { app } = createTestApp();
        const response = await post(
          app,
          { model: "rightseat", messages: ask, [param]: limit },
          { path },
        );
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error: { param, code: "invalid_request" } });
      }
    },
  );
});

describe("of generated messages", () => {
  let marks = 0;
  const mark = () => `part-${(marks += 1)}-`;
  const textPart = fc
    .constantFrom("text", "input_text", undefined)
    .map((type) => ({ type, text: mark() }));
  const oddPart = fc.constantFrom<unknown>(
    { type: "image_url", image_url: { url: "data:," } },
    { type: "image_url", image_url: { url: "data:," }, text: "caption" },
    { type: "input_audio", input_audio: { data: "", format: "wav" } },
    { type: "file", file: { file_id: "f" } },
    { type: "tool_result", text: "x" },
    { type: "text" },
    { type: "text", text: 5 },
    {},
    7,
    null,
    ["x"],
  );
  const content = fc.oneof(
    { weight: 4, arbitrary: fc.constant(null).map(mark) },
    { weight: 4, arbitrary: fc.array(textPart, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.oneof(textPart, oddPart), { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined, 7, true, { text: "x" }) },
  );
  const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
  const more = fc.constantFrom<Json>(
    {},
    {},
    {},
    { tool_calls: [call] },
    { tool_calls: [] },
    { name: "n" },
  );
  const message = fc.record({
    role: fc.constantFrom("user", "assistant", "system", "developer", "tool", "function", "human"),
    content,
    more,
  });
  const talk = fc.array(message, { maxLength: 6 });

  const marksIn = (value: unknown): string[] =>
    [...JSON.stringify(value ?? "").matchAll(/part-\d+-/g)].map(([found]) => found);
  const isOdd = (part: unknown): boolean =>
    typeof part !== "object" || part === null || !marksIn(part).length;

  test("every part is passed on, or named in the refusal or in the receipt", async () => {
    let [passed, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(talk, async (said) => {
        const messages: Json[] = said.map(({ more: others, ...one }) => ({ ...one, ...others }));
        messages.push({ role: "user", content: "The question" });
        const { app, model } = createTestApp();
        const response = await post(app, { model: "rightseat", messages }, { path });
        const bad = messages.flatMap(({ role, content: given }, nth) => {
          const where = `messages[${nth}].content`;
          if (typeof given === "string") return [];
          if (given === null || given === undefined)
            return role === "assistant" || role === "function" ? [] : [where];
          if (!Array.isArray(given)) return [where];
          return given.flatMap((part, at) => (isOdd(part) ? [`${where}[${at}]`] : []));
        });
        if (bad.length > 0) {
          refused += 1;
          expect(response.status).toBe(400);
          const { error } = (await response.json()) as { error: Json };
          expect(error["param"]).toBe(bad[0]);
          expect(error["message"]).toContain(bad[0]);
          return;
        }
        passed += 1;
        expect(response.status).toBe(200);
        const asked = (model.requests[0]?.messages ?? []).map(textOfMessage).join("\n");
        const receipt = JSON.parse(response.headers.get("x-rightseat-context") ?? "") as {
          dropped?: { path: string }[];
        };
        const dropped = (receipt.dropped ?? []).map((one) => one.path);
        for (const [nth, { role, content: given, tool_calls: calls }] of messages.entries()) {
          const isOfTool = role === "tool" || role === "function";
          if (isOfTool)
            expect(dropped.some((one) => one.startsWith(`messages[${nth}]`))).toBe(true);
          else for (const found of marksIn(given)) expect(asked).toContain(found);
          if (!isOfTool && Array.isArray(calls) && calls.length > 0)
            expect(dropped).toContain(`messages[${nth}].tool_calls`);
        }
      }),
      { numRuns: cases(37), seed: 20 },
    );
    expect(Math.min(passed, refused)).toBeGreaterThan(5);
  });

  test("the platform's door passes every part on, or names it in the receipt", async () => {
    await fc.assert(
      fc.asyncProperty(talk, async (said) => {
        const messages: Json[] = said.map(({ more: others, ...one }) => ({ ...one, ...others }));
        const { app, model } = createTestApp();
        const contextVariables = [{ name: "userInputPrompt", value: "The question" }];
        const body = { agent: "rightseat", command: "chat", contextVariables, messages };
        const response = await post(app, body);
        expect(response.status).toBe(200);
        await response.text();
        const asked = (model.requests[0]?.messages ?? []).map(textOfMessage).join("\n");
        const receipt = JSON.parse(response.headers.get("x-rightseat-context") ?? "") as {
          dropped?: { path: string }[];
        };
        const dropped = new Set((receipt.dropped ?? []).map((one) => one.path));
        for (const [nth, { role, content: given }] of messages.entries()) {
          const where = `messages[${nth}]`;
          const parts = Array.isArray(given) ? [...given.entries()] : [];
          if (
            role === "tool" ||
            role === "function" ||
            !(Array.isArray(given) || typeof given === "string")
          )
            expect([...dropped].some((one) => one.startsWith(where))).toBe(true);
          else for (const found of marksIn(given)) expect(asked).toContain(found);
          if (role !== "tool" && role !== "function")
            for (const [at, part] of parts)
              if (isOdd(part)) expect(dropped).toContain(`${where}.content[${at}]`);
        }
      }),
      { numRuns: cases(15), seed: 20 },
    );
  });
});

test.each(["bot", "", "USERS", "tooling"])(
  "a message of role %j is refused by its path",
  async (role) => {
    const { app } = createTestApp();
    const messages = [{ role, content: "lost" }, ...ask];
    const response = await post(app, { model: "rightseat", messages }, { path });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "messages[0].role" } });
  },
);

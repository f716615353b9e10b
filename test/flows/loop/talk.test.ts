// A conversation that goes on by one task: any tools, no workspace, no templates.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { type Script, scriptedModel, truncated } from "../../../src/testing.ts";
import { readSpecs } from "../../../src/tools/specs/read-specs.ts";
import { createWorkspaceTools } from "../../../src/tools/workspace/workspace-tools.ts";
import { type ChatMessage, textOfMessage } from "../../../src/turn/chat-message.ts";
import { estimateMessage } from "../../../src/turn/tokens.ts";
import { createManualTimers, passUntil } from "../../helpers/manual-timers.ts";
import { offlineModel } from "../../helpers/offline-model.ts";
import { anyTool, openHost, runTalk, talkEvents } from "../../helpers/talks.ts";
import { createUse } from "../../helpers/tool-workspace.ts";
import {
  type FakeAnswer,
  bytesOf,
  chunk,
  fakeTransport,
  frame,
  modelOver,
  usageChunk,
} from "../../helpers/upstream.ts";

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

const limits = { maxRounds: 4, maxTurnTokens: 1_000_000, maxTurnTime: 1_800_000 };
const again: Script = [call("c", "weather", { city: "Paris" })];
const past: ChatMessage[] = [
  { role: "system", content: "Be short." },
  {
    role: "user",
    content: [{ type: "text", text: "What is this?" }, image("https://a.example/1.png")],
  },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "p1", type: "function", function: { name: "look", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "p1", content: '{"success":true,"seen":"a cat"}' },
  { role: "assistant", content: "A cat." },
];

function image(url: string) {
  return { type: "image_url" as const, image_url: { url } };
}

describe("what is told to the model", () => {
  test("is all of the past as it came: text, images, calls and their results", async () => {
    const model = scriptedModel([["Yes."]]);
    await runTalk(openHost({ models: model }), { messages: [...past, question], tools: [weather] });
    expect(model.requests[0]?.messages).toEqual([...past, question]);
    expect(model.requests[0]?.tools).toMatchObject([{ name: "weather" }]);
  });

  test("lacks no result of a call, and no call of a result", async () => {
    const [system, asked, called] = past;
    if (system === undefined || asked === undefined || called === undefined) return;
    const stray: ChatMessage = { role: "tool", tool_call_id: "other", content: "{}" };
    const model = scriptedModel([["Yes."]]);
    const messages = [system, stray, asked, called, stray, question];
    await runTalk(openHost({ models: model }), { messages });
    expect(model.requests[0]?.messages).toEqual([
      system,
      asked,
      called,
      { role: "tool", tool_call_id: "p1", content: expect.stringContaining("Stopped") },
      question,
    ]);
  });

  test("is shortened where it does not fit: old results first, then old exchanges, never by halves", async () => {
    const size = fc.integer({ min: 0, max: 6_000 });
    const step = fc.tuple(size, size, fc.nat()).map(([given, result, nth]): ChatMessage[] => [
      {
        role: "assistant",
        content: "",
        tool_calls: [
          {
            id: `c${nth}`,
            type: "function",
            function: { name: "f", arguments: JSON.stringify({ text: "a ".repeat(given) }) },
          },
        ],
      },
      {
        role: "tool",
        tool_call_id: `c${nth}`,
        content: JSON.stringify({ success: true, text: "b ".repeat(result) }),
      },
    ]);
    const exchange = fc
      .tuple(size, fc.array(step, { maxLength: 3 }))
      .map(([length, steps]): ChatMessage[] => [
        { role: "user", content: `Q ${"q ".repeat(length)}` },
        ...steps.flat(),
        { role: "assistant", content: "A." },
      ]);
    await fc.assert(
      fc.asyncProperty(fc.array(exchange, { maxLength: 8 }), async (exchanges) => {
        const window = { contextWindow: 8_192, answerReserve: 1_024 };
        const model = scriptedModel([["Yes."]], window);
        const system: ChatMessage = { role: "system", content: "Be short." };
        const run = await runTalk(openHost({ models: model }), {
          messages: [system, ...exchanges.flat(), question],
        });
        expect(run.failure).toBeUndefined();
        const told = model.requests[0]?.messages ?? [];
        const cost = told.reduce((sum, message) => sum + estimateMessage(message) + 4, 0);
        expect(cost).toBeLessThanOrEqual(8_192 - 1_024);
        expect(told[0]).toEqual(system);
        expect(told.at(-1)).toEqual(question);
        // What is left is the end of what was said, and begins with a message of the person.
        const rest = told.slice(1, -1);
        const all = exchanges.flat();
        expect(rest.map(({ role }) => role)).toEqual(
          all.slice(all.length - rest.length).map(({ role }) => role),
        );
        if (rest.length > 0) expect(rest[0]?.role).toBe("user");
        // Nothing was left out while an older result could be shortened.
        const isCut = rest.length < all.length;
        const long = rest.filter(
          ({ role, content }) => role === "tool" && (content ?? "").length > 300,
        );
        if (isCut) expect(long).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("a question that is too large is refused, and no history is", async () => {
    const model = scriptedModel([["Yes."]], { contextWindow: 8_192, answerReserve: 1_024 });
    const large: ChatMessage = { role: "user", content: "word ".repeat(20_000) };
    const host = openHost({ models: model });
    const run = await runTalk(host, { messages: [large] });
    expect(run.failure?.code).toBe("prompt_too_large");
    expect(model.requests).toHaveLength(0);
    const later = await runTalk(host, {
      messages: [large, { role: "assistant", content: "Long." }, question],
    });
    expect(later.end).toBe("stop");
  });

  test("results larger than the window are cut, and say so, before the past is given up", async () => {
    const size = fc.integer({ min: 0, max: 90_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(size, { minLength: 1, maxLength: 9 }), async (sizes) => {
        const large = anyTool({
          name: "large",
          input: z.object({ nth: z.int() }),
          run: async ({ nth }) => ({
            success: true,
            nth,
            body: "b ".repeat((sizes[nth] ?? 0) / 2),
          }),
        });
        const calls = sizes.map((_, nth) => call(`c${nth}`, "large", { nth }));
        const window = { contextWindow: 8_192, answerReserve: 1_024 };
        const model = scriptedModel([calls, ["Done."]], window);
        const messages = [...past, question];
        const run = await runTalk(openHost({ models: model }), { messages, tools: [large] });
        expect(run.end).toBe("stop");
        const told = model.requests[1]?.messages ?? [];
        const results = told.filter(({ role }) => role === "tool").slice(-sizes.length);
        for (const [nth, message] of results.entries()) {
          const result = JSON.parse(textOfMessage(message)) as Record<string, unknown>;
          expect(result).toMatchObject({ success: true, nth });
          const isWhole = String(result["body"]).length >= (sizes[nth] ?? 0) - 1;
          expect(result["is_cut"]).toBe(isWhole ? undefined : true);
        }
        if (sizes.length === 1) expect(told.slice(0, past.length)).toEqual(past);
      }),
      { numRuns: 30 },
    );
  });

  test("10,000 messages with results are fitted in one go", async () => {
    const result = JSON.stringify({ success: true, text: "x".repeat(2_000) });
    const messages: ChatMessage[] = [];
    for (let nth = 0; nth < 2_500; nth += 1)
      messages.push(
        question,
        ...past.slice(2, 3),
        { role: "tool", tool_call_id: "p1", content: result },
        ...past.slice(4),
      );
    const model = scriptedModel([["Yes."]]);
    const run = await runTalk(openHost({ models: model }), { messages: [...messages, question] });
    expect(run.end).toBe("stop");
  });
});

describe("calls", () => {
  test("reads run side by side, writes alone and each as often as it was asked for", async () => {
    const log: string[] = [];
    const work = (name: string, effect: "read" | "write") =>
      anyTool({
        name,
        input: z.object({}),
        effect,
        async run() {
          log.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, 1));
          log.push(`${name} ends`);
          return { success: true };
        },
      });
    const calls = ["get", "list", "post", "post", "get"];
    const model = scriptedModel([calls.map((name, nth) => call(`c${nth}`, name, {})), ["Done."]]);
    const tools = [work("get", "read"), work("list", "read"), work("post", "write")];
    const run = await runTalk(openHost({ models: model }), { messages: [question], tools });
    expect(run.results.map(({ id }) => id)).toEqual(["c0", "c1", "c2", "c3", "c4"]);
    const post = ["post begins", "post ends"];
    expect(log).toEqual([
      "get begins",
      "list begins",
      "get ends",
      "list ends",
      ...post,
      ...post,
      "get begins",
      "get ends",
    ]);
  });

  test("an unknown tool, wrong arguments and a fault of a tool are results that the model reads", async () => {
    const broken = anyTool({
      name: "broken",
      input: z.object({}),
      run: () => Promise.reject(new Error("planted secret")),
    });
    const model = scriptedModel([
      [
        call("c1", "wether", {}),
        call("c2", "weather", { city: 5_000 }),
        call("c3", "weather", {}),
        call("c4", "broken", {}),
      ],
      ["Done."],
    ]);
    const tools = [weather, broken];
    const { results, end } = await runTalk(openHost({ models: model }), {
      messages: [question],
      tools,
    });
    expect(results.map(({ content }) => (content as { code?: string }).code)).toEqual([
      "unknown-tool",
      undefined,
      "bad-arguments",
      "failed",
    ]);
    expect(JSON.stringify(results)).not.toContain("planted");
    expect(end).toBe("stop");
  });

  test("a tool of any name is no end of the work", async () => {
    const finish = anyTool({
      name: "finish",
      input: z.object({}),
      run: async () => ({ success: true }),
    });
    const model = scriptedModel([[call("c1", "finish", {})], ["Done."]]);
    const run = await runTalk(openHost({ models: model }), {
      messages: [question],
      tools: [finish],
    });
    expect(run.answers.map(({ text }) => text)).toEqual(["", "Done."]);
  });

  test("tools that work on files say so where there are none, and work where they are given", async () => {
    const { tools } = createWorkspaceTools();
    const { workspace, ask, seen } = createUse({ "a.txt": "one\n" });
    const scripts = [[call("c1", "read_file", { target_file: "a.txt" })], ["Done."]];
    const without = await runTalk(openHost({ models: scriptedModel(scripts) }), {
      messages: [question],
      tools,
    });
    expect(without.results[0]?.content).toMatchObject({ success: false, code: "no-files" });
    const files = { workspace, ask, seen };
    const given = await runTalk(openHost({ models: scriptedModel(scripts) }), {
      messages: [question],
      tools,
      files,
    });
    expect(given.results[0]?.content).toMatchObject({ success: true, path: "a.txt" });
  });
});

describe("limits", () => {
  test("the last answer that is allowed must be one without calls", async () => {
    const changing = anyTool({
      name: "weather",
      input: z.object({ city: z.string() }),
      mayRepeat: true,
      run: async () => ({ success: true }),
    });
    const model = scriptedModel([again, again, again, ["It may rain."]]);
    const run = await runTalk(openHost({ models: model }), {
      messages: [question],
      tools: [changing],
      limits,
    });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([
      "auto",
      "auto",
      "auto",
      "none",
    ]);
    expect(run.end).toBe("stop");
    const stubborn = scriptedModel([again]);
    const stopped = await runTalk(openHost({ models: stubborn }), {
      messages: [question],
      tools: [changing],
      limits,
    });
    expect(stopped.failure).toMatchObject({ code: "limit_reached" });
    expect(stopped.end).toBe("error");
  });

  test.each([
    ["what is read is read again and again", "get", { city: "Paris" }, 4],
    ["what cannot be sent is not", "get", {}, 3],
    ["what changes something is not", "put", { city: "Paris" }, 3],
  ])("of a description: %s", async (_, method, given, rounds) => {
    let sent = 0;
    const schema = { type: "string" };
    const parameters = [{ name: "city", in: "query", required: true, schema }];
    const paths = { "/weather": { [method]: { operationId: "weather", parameters } } };
    const openSpec = { openapi: "3.1.0", info: { title: "a", version: "1" }, paths };
    const entry = { openSpec, protocol: "openapi", baseUrl: "https://api.example" };
    const tools = await readSpecs([entry], {
      fetch: async () => {
        sent += 1;
        return Response.json({ sky: "not known yet" }, { status: 404 });
      },
      createId: () => "1",
      now: () => 0,
      grants: { "*@api.example": {} },
    });
    const model = scriptedModel([[call("c1", "weather", given)]]);
    const run = await runTalk(openHost({ models: model }), { messages: [question], tools, limits });
    expect(run.failure).toMatchObject({ code: "limit_reached" });
    expect(model.requests).toHaveLength(rounds);
    expect(sent).toBe("city" in given ? rounds : 0);
  });

  test("a model that goes round in circles is stopped", async () => {
    const run = await runTalk(openHost({ models: scriptedModel([again]) }), {
      messages: [question],
      tools: [weather],
    });
    expect(run.failure?.messageIn("en")).toContain("same result three times");
    expect(run.answers).toHaveLength(3);
  });

  test("tokens and an answer that is cut end it", async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 200, total_tokens: 1_100 };
    const spent: Script = [...again, { type: "usage", usage }];
    const run = await runTalk(openHost({ models: scriptedModel([spent]) }), {
      messages: [question],
      tools: [weather],
      limits: { ...limits, maxTurnTokens: 1_000 },
    });
    expect(run.failure?.code).toBe("limit_reached");
    const cut = scriptedModel([["It is", { end: "length" }]]);
    const cutRun = await runTalk(openHost({ models: cut }), { messages: [question] });
    expect([cutRun.end, cutRun.answers[0]?.text]).toEqual(["length", "It is"]);
  });
});

describe("a model that fails", () => {
  test("in a way that passes is asked again, and what it said before does not count", async () => {
    const timers = createManualTimers();
    const model = scriptedModel([["It is clo", truncated()], ["It is clear."]]);
    const run = await passUntil(
      runTalk(openHost({ models: model, timers }), { messages: [question] }),
      timers,
    );
    expect(run.events.map(({ type }) => type)).toEqual([
      "text-delta",
      "model-busy",
      "text-delta",
      "model-answer",
      "turn-end",
    ]);
    expect(run.events[1]).toMatchObject({ isVoid: true });
    expect(run.answers.map(({ text }) => text)).toEqual(["It is clear."]);
  });

  test("again and again ends the talk within seconds: whoever waits is told", async () => {
    const timers = createManualTimers();
    const model = scriptedModel(Array.from({ length: 20 }, () => [truncated()]));
    const run = await passUntil(
      runTalk(openHost({ models: model, timers }), { messages: [question] }),
      timers,
    );
    expect(run.failure?.code).toBe("upstream_truncated");
    // After one second, after two, and once more.
    expect(model.requests).toHaveLength(4);
  });

  test("to say anything after results is asked once more, and no answer is made of it", async () => {
    const model = scriptedModel([
      [call("c1", "weather", { city: "Paris" })],
      [{ type: "reasoning-delta", text: "It is clear." }],
      ["It is clear."],
    ]);
    const given = { messages: [question], tools: [weather] };
    const run = await runTalk(openHost({ models: model }), given);
    expect(run.answers.map(({ text }) => text)).toEqual(["", "It is clear."]);
    expect(model.requests[2]?.messages.at(-1)?.content).toContain("Your answer was empty.");
    const mute = scriptedModel([[]]);
    const silent = await runTalk(openHost({ models: mute }), { messages: [question] });
    expect([silent.end, silent.answers.length, mute.requests.length]).toEqual(["stop", 1, 1]);
    const later = scriptedModel([[call("c1", "weather", { city: "Paris" })], []]);
    const twice = await runTalk(openHost({ models: later }), given);
    expect([twice.end, twice.answers.length, later.requests.length]).toEqual(["stop", 2, 3]);
  });

  test("for good ends the talk with its error", async () => {
    const refused = new AppError("upstream_refused", { en: "No.", zh: "不。" });
    const run = await runTalk(openHost({ models: scriptedModel([[refused]]) }), {
      messages: [question],
    });
    expect([run.failure?.code, run.end]).toEqual(["upstream_refused", "error"]);
  });
});

describe("an abort", () => {
  const stopped = new AppError("aborted", { en: "Stopped.", zh: "已停止。" });

  test("does not wait for a model that hangs", async () => {
    const leave = new AbortController();
    const transport = fakeTransport({ body: [bytesOf(frame(chunk({ content: "It" }))), "hang"] });
    const events = [];
    const host = openHost({ models: modelOver(transport) });
    for await (const event of talkEvents(host, { messages: [question], signal: leave.signal })) {
      events.push(event);
      if (event.type === "text-delta") leave.abort(stopped);
    }
    expect(events.at(-1)).toEqual({ type: "turn-end", reason: "aborted" });
    expect(transport.cancelled).toBe(1);
  });

  test("does not wait for a read that looks at no signal", async () => {
    const leave = new AbortController();
    const hanging = anyTool({
      name: "hang",
      input: z.object({}),
      run: () => {
        queueMicrotask(() => leave.abort(stopped));
        return new Promise<never>(() => undefined);
      },
    });
    const model = scriptedModel([[call("c1", "hang", {})]]);
    const { signal } = leave;
    const run = await runTalk(openHost({ models: model }), {
      messages: [question],
      tools: [hanging],
      signal,
    });
    expect([run.end, run.results]).toEqual(["aborted", []]);
  });

  test("lets a write end, tells its result, and begins nothing more", async () => {
    const leave = new AbortController();
    const written: string[] = [];
    const write = anyTool({
      name: "write",
      input: z.object({ text: z.string() }),
      effect: "write",
      async run({ text }) {
        leave.abort(stopped);
        await new Promise((resolve) => setTimeout(resolve, 5));
        written.push(text);
        return { success: true, text };
      },
    });
    const calls = [call("c1", "write", { text: "one" }), call("c2", "write", { text: "two" })];
    const model = scriptedModel([calls]);
    const { signal } = leave;
    const run = await runTalk(openHost({ models: model }), {
      messages: [question],
      tools: [write],
      signal,
    });
    expect(written).toEqual(["one"]);
    expect(run.results).toEqual([{ id: "c1", content: { success: true, text: "one" } }]);
    expect([run.end, model.requests.length]).toEqual(["aborted", 1]);
  });
});

describe("on the wire", () => {
  const answer = (...frames: string[]): FakeAnswer => ({
    body: [bytesOf([...frames, usageChunk, "[DONE]"].map(frame).join(""))],
  });
  const asks = answer(
    chunk({
      tool_calls: [
        {
          index: 0,
          id: "w1",
          type: "function",
          function: { name: "weather", arguments: '{"city":"Paris"}' },
        },
      ],
    }),
    chunk({}, "tool_calls"),
  );
  const says = answer(chunk({ content: "It is clear." }), chunk({}, "stop"));

  test("answers carry usage, id and the model's own name", async () => {
    const transport = fakeTransport(asks, says);
    const run = await runTalk(openHost({ models: modelOver(transport) }), {
      messages: [question],
      tools: [weather],
    });
    const shared = { id: "chatcmpl-up", model: "up-1", usage: { total_tokens: 10 } };
    expect(run.answers).toMatchObject([
      { text: "", calls: [{ id: "w1" }], ...shared },
      { text: "It is clear.", calls: [], ...shared },
    ]);
  });

  test("a model that takes no tools gets them, past calls and results as text", async () => {
    const written = answer(
      chunk({
        content: 'I look.\n```json\n{"tool": "weather", "params": {"city": "Paris"}}\n```\n',
      }),
      chunk({}, "stop"),
    );
    const transport = fakeTransport(written, says);
    const model = modelOver(transport, {}, { toolCalls: "text" });
    const run = await runTalk(openHost({ models: model }), {
      messages: [...past, question],
      tools: [weather],
    });
    expect(run.answers.map(({ text }) => text.trim())).toEqual(["I look.", "It is clear."]);
    expect(run.results).toMatchObject([{ content: { success: true, city: "Paris" } }]);
    const bodies = transport.requests.map(
      ({ body }) => JSON.parse(body) as { messages: ChatMessage[] },
    );
    for (const body of bodies) {
      expect(body).not.toHaveProperty("tools");
      expect(body.messages.map(({ role }) => role)).not.toContain("tool");
      expect(JSON.stringify(body)).not.toContain('tool_calls":');
    }
    expect(bodies[0]?.messages[0]?.content).toMatch(/^Be short\.[^]*- `weather`: /);
    expect(JSON.stringify(bodies[1]?.messages.at(-1))).toContain("tool_result name=");
  });

  test("calls in text have ids that no other call of the conversation has", async () => {
    const written = answer(
      chunk({ content: '```json\n{"tool": "weather", "params": {"city": "Paris"}}\n```\n' }),
      chunk({}, "stop"),
    );
    const transport = fakeTransport(written, written, says, written, says);
    const host = openHost({ models: modelOver(transport, {}, { toolCalls: "text" }) });
    const ids: string[] = [];
    for (let nth = 0; nth < 2; nth += 1) {
      const run = await runTalk(host, { messages: [question], tools: [weather] });
      ids.push(...run.results.map(({ id }) => id));
    }
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/);
  });

  test("without tools a past with calls is text for it, too", async () => {
    const transport = fakeTransport(says);
    const model = modelOver(transport, {}, { toolCalls: "text" });
    await runTalk(openHost({ models: model }), { messages: [...past, question] });
    expect(transport.requests[0]?.body).not.toContain("tool_calls");
  });
});

test("without tools every word of an answer is text, however much it looks like a call or an edit", async () => {
  const text =
    '```json\n{"tool": "read_file", "params": {"target_file": "a"}}\n```\n<tool_call>{"name":"x"}</tool_call>\n```js a.js\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n```\n';
  const run = await runTalk(openHost({ models: scriptedModel([text.split("")]) }), {
    messages: [question],
  });
  expect(run.answers).toMatchObject([{ text, calls: [] }]);
  // Nothing waits for the end of a line; of what may be a tag of reasoning a few signs do.
  const deltas = run.events.filter(({ type }) => type === "text-delta");
  expect(deltas.length).toBeGreaterThan(text.length - 20);
});

test("with tools an edit in an answer is text where no tool makes it", async () => {
  const text =
    "Change it:\n\n```js src/a.js\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n```\n";
  const model = scriptedModel([[text]]);
  const run = await runTalk(openHost({ models: model }), {
    messages: [question],
    tools: [weather],
  });
  expect(run.answers).toMatchObject([{ text, calls: [] }]);
});

describe("the built-in model", () => {
  const said = async (messages: ChatMessage[]) =>
    (await runTalk(openHost({ models: offlineModel() }), { messages, tools: [weather] })).answers;

  test("says what it is and what it needs", async () => {
    const [answer, ...others] = await said([{ role: "user", content: "Hello!" }]);
    expect(others).toEqual([]);
    expect(answer?.calls).toEqual([]);
    expect(answer?.text).toContain("built-in offline model");
    expect(answer?.text).toContain("There is no code in your message.");
    expect(answer?.text).not.toContain("file is open");
  });

  test("tells what code consists of that was put into the conversation", async () => {
    const code = "What is this?\n```js\nfunction total(items) {\n  return items.length;\n}\n```";
    const first = await said([{ role: "user", content: code }]);
    expect(first[0]?.text).toContain("total");
    const later = await said([
      { role: "user", content: code },
      { role: "assistant", content: "A function." },
      { role: "user", content: "And now?" },
    ]);
    expect(later[0]?.text).toContain("total");
  });
});

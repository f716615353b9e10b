import { describe, expect, test, vi } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { breathe } from "../../../src/base/wire/patient-timer.ts";
import { toPushed } from "../../../src/model/chat/chat-api.ts";
import type { ChatModel, ChatRequest } from "../../../src/turn/chat-model.ts";
import {
  answerOf,
  askModel,
  bytesOf,
  chunk,
  defaultApi,
  type FakeAnswer,
  fakeTransport,
  frame,
  modelOver,
  platformOver,
} from "../../helpers/upstream.ts";

const request: ChatRequest = { messages: [{ role: "user", content: "hi" }] };
const whole: FakeAnswer = { body: [bytesOf(answerOf("Hello"))] };

const ask = (model: ChatModel, asked = request) => askModel(model, asked);

describe("a call that fails before the first byte", () => {
  const unreachable = new AppError("upstream_unreachable", "no route");

  test.each<[string, FakeAnswer | AppError]>([
    ["a failed connection", unreachable],
    ["HTTP 500", { status: 500 }],
    ["HTTP 503", { status: 503 }],
    ["HTTP 429 that asks for a short wait", { status: 429, headers: { "retry-after": "0" } }],
    ["HTTP 429 that asks for milliseconds", { status: 429, headers: { "retry-after-ms": "5" } }],
  ])("is tried once more after %s", async (_, failure) => {
    const transport = fakeTransport(failure, whole);
    const { text, end } = await ask(modelOver(transport));
    expect([text, end, transport.requests.length]).toEqual(["Hello", "stop", 2]);
  });

  test.each<[string, FakeAnswer | AppError, string, number]>([
    ["a failed connection", unreachable, "upstream_unreachable", 2],
    ["HTTP 500", { status: 500 }, "upstream_error", 2],
    ["HTTP 400", { status: 400 }, "upstream_refused", 1],
    ["HTTP 401", { status: 401 }, "upstream_refused", 1],
    ["HTTP 404", { status: 404 }, "upstream_refused", 1],
    ["HTTP 204", { status: 204 }, "upstream_invalid", 1],
    ["a redirect", { status: 302 }, "upstream_invalid", 1],
    ["HTML", { headers: { "content-type": "text/html" } }, "upstream_invalid", 1],
    ["plain JSON", { headers: { "content-type": "application/json" } }, "upstream_invalid", 1],
    ["a packed stream", { headers: { "content-encoding": "gzip" } }, "upstream_invalid", 1],
    [
      "HTTP 429 that asks for an hour",
      { status: 429, headers: { "retry-after": "3600" } },
      "rate_limited",
      1,
    ],
  ])("is given up after %s", async (_, failure, code, tries) => {
    const transport = fakeTransport(failure);
    const { error } = await ask(modelOver(transport));
    expect([error?.code, transport.requests.length]).toEqual([code, tries]);
  });

  test.each([
    [429, true],
    [503, true],
    [500, false],
  ])(
    "says that the model is busy before it is asked again, after %i: %s",
    async (status, isBusy) => {
      const busy = { status, headers: { "retry-after": "0" } };
      const { events } = await ask(
        modelOver(fakeTransport(busy, { body: [bytesOf(answerOf("a"))] })),
      );
      expect(events[0]?.type === "model-busy").toBe(isBusy);
      const hour = { status, headers: { "retry-after": "3600" } };
      const refused = await ask(modelOver(fakeTransport(hour, { body: [] })));
      expect(refused.events.some(({ type }) => type === "model-busy")).toBe(status === 503);
    },
  );

  test("tells whole seconds to wait, from numbers and from dates", async () => {
    const hour = await ask(
      modelOver(fakeTransport({ status: 429, headers: { "retry-after": "3599.2" } })),
    );
    expect(hour.error?.details.retryAfter).toBe(3_600);
    const date = new Date(defaultApi.now() + 90_000).toUTCString();
    const dated = await ask(
      modelOver(fakeTransport({ status: 429, headers: { "retry-after": date } })),
    );
    expect(dated.error?.details.retryAfter).toBeGreaterThan(80);
    expect(dated.error?.details.retryAfter).toBeLessThanOrEqual(90);
  });
});

describe("a stream", () => {
  const piece = bytesOf(frame(chunk({ content: "a" })));

  test("whose reader is slow is not called silent", async () => {
    const transport = fakeTransport({ body: [piece, bytesOf(answerOf("b"))] });
    const model = modelOver(transport, { times: { firstToken: 50, idle: 20, total: 5_000 } });
    const options = {
      signal: new AbortController().signal,
      caller: { forward: () => ({}) },
    } as const;
    let text = "";
    for await (const event of model.stream(request, options)) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      if (event.type === "text-delta") text += event.text;
    }
    expect(text).toBe("ab");
  });
});

describe("what is sent", () => {
  test("to an OpenAI-compatible model: its own key, its own model id, no compression, nothing of the caller", async () => {
    const transport = fakeTransport(whole);
    const forward = () => ({ authorization: "Bearer of-the-person" });
    const asked = {
      ...request,
      temperature: 0,
      maxTokens: 5,
      extra: { agent: "x" },
      model: "other",
    };
    const stream = modelOver(transport).stream(asked, {
      signal: new AbortController().signal,
      caller: { forward },
    });
    for await (const event of stream) expect(event).toBeDefined();
    const [sent] = transport.requests;
    expect(sent?.url).toBe("http://up.example/v1/chat/completions");
    expect(sent?.headers).toEqual({
      authorization: "Bearer key-of-ours",
      "content-type": "application/json",
      accept: "text/event-stream",
      "accept-encoding": "identity",
    });
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      messages: request.messages,
      model: "up-1",
      stream: true,
      temperature: 0,
      max_tokens: 5,
      stream_options: { include_usage: true },
    });
  });

  test("with tools: what is offered and the choice, in place of those of the inbound request", async () => {
    const transport = fakeTransport(whole);
    const model = platformOver(transport);
    const parameters = { type: "object", properties: { path: { type: "string" } } };
    const tool = { name: "read_file", description: "Reads a file.", parameters };
    const theirs = { tools: [{ type: "function" }], tool_choice: "none" };
    for (const more of [{}, { toolChoice: { name: "read_file" } }, { tools: [] }])
      await ask(model, { ...request, tools: [tool], extra: theirs, ...more });
    const printed = { type: "function", function: tool };
    const chosen = { type: "function", function: { name: "read_file" } };
    expect(transport.requests.map(({ body }) => JSON.parse(body))).toMatchObject([
      { tools: [printed], tool_choice: "auto" },
      { tools: [printed], tool_choice: chosen },
      theirs,
    ]);
  });
});

test("a pulled body that is left while it is pushed is asked for nothing more", async () => {
  let asked = 0;
  const body = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        asked += 1;
        return Promise.resolve({ done: false as const, value: new Uint8Array(1) });
      },
    }),
  };
  const pushed = toPushed(body);
  const ended = vi.fn<() => void>();
  pushed.pipe({
    push() {
      pushed.leave();
      return undefined;
    },
    end: ended,
  });
  await breathe();
  expect(asked).toBe(1);
  expect(ended).not.toHaveBeenCalled();
});

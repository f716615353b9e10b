import { expect, test } from "vitest";
import type { ChatModel, ChatRequest } from "../../../src/turn/chat-model.ts";
import {
  answerOf,
  askModel,
  bytesOf,
  type FakeAnswer,
  fakeTransport,
  modelOver,
} from "../../helpers/upstream.ts";

const whole: FakeAnswer = { body: [bytesOf(answerOf("Hello"))] };
const hour = 3_600_000;

function refusal(param: string | null, status = 400): FakeAnswer {
  const error = {
    message: `Unsupported parameter: '${param}'`,
    param,
    code: "unsupported_parameter",
  };
  return {
    status,
    headers: { "content-type": "application/json" },
    body: [bytesOf(JSON.stringify({ error }))],
  };
}

function create(
  name: string,
  answers: readonly FakeAnswer[],
  maxTokensField: "max_tokens" | "max_completion_tokens" = "max_tokens",
) {
  const transport = fakeTransport(...answers);
  const clock = { now: 1_763_600_000_500 };
  const changes: object[] = [];
  const api = {
    now: () => clock.now,
    onParameterChange: (change: object, where: object) =>
      void changes.push({ ...change, ...where }),
  };
  const bodies = (): Record<string, unknown>[] =>
    transport.requests.map(({ body }) => JSON.parse(body));
  return { model: modelOver(transport, api, { name, maxTokensField }), bodies, changes, clock };
}

const request: ChatRequest = {
  messages: [{ role: "user", content: "hi" }],
  temperature: 0,
  maxTokens: 5,
};

async function ask(model: ChatModel, asked = request): Promise<string> {
  const { text, error } = await askModel(model, asked);
  return error?.code ?? text;
}

test.each([400, 422])(
  "a parameter that we added and a %i names is left out, for an hour",
  async (status) => {
    const { model, bodies, changes, clock } = create("up", [
      refusal("temperature", status),
      whole,
      whole,
      whole,
    ]);
    expect(await ask(model)).toBe("Hello");
    expect(await ask(model)).toBe("Hello");
    clock.now += hour;
    expect(await ask(model)).toBe("Hello");
    expect(bodies().map((body) => "temperature" in body)).toEqual([true, false, false, true]);
    expect(bodies()[1]).toMatchObject({ max_tokens: 5, stream_options: { include_usage: true } });
    expect(changes).toEqual([{ param: "temperature", host: "up.example", model: "up-1" }]);
  },
);

test.each([
  ["max_tokens", "max_completion_tokens"],
  ["max_completion_tokens", "max_tokens"],
] as const)(
  "the limit of the answer stays when %s is refused, under its other name",
  async (param, other) => {
    const { model, bodies, changes } = create("up", [refusal(param), whole], param);
    expect(await ask(model)).toBe("Hello");
    expect(await ask(model)).toBe("Hello");
    expect(bodies().map((body) => [body[param], body[other]])).toEqual([
      [5, undefined],
      [undefined, 5],
      [undefined, 5],
    ]);
    expect(changes).toMatchObject([{ param, replacement: other }]);
  },
);

test("a call is repeated once, and the next one knows both refusals", async () => {
  const { model, bodies } = create("up", [
    refusal("max_tokens"),
    refusal("max_completion_tokens"),
    whole,
  ]);
  expect(await ask(model)).toBe("upstream_refused");
  expect(await ask(model)).toBe("Hello");
  expect(bodies()).toHaveLength(3);
  expect(bodies()[2]).not.toHaveProperty("max_tokens");
  expect(bodies()[2]).not.toHaveProperty("max_completion_tokens");
});

test("another model of the same row keeps its parameters", async () => {
  const { model, bodies } = create("*", [refusal("temperature"), whole]);
  await ask(model, { ...request, model: "a" });
  await ask(model, { ...request, model: "b" });
  await ask(model, { ...request, model: "a" });
  expect(bodies().map((body) => [body["model"], body["temperature"]])).toEqual([
    ["a", 0],
    ["a", undefined],
    ["b", 0],
    ["a", undefined],
  ]);
});

test.each([
  ["that we need", "messages", 400],
  ["that was not sent", "top_p", 400],
  ["that is none", "constructor", 400],
  ["in words alone", null, 400],
  ["by another status", "temperature", 403],
])("a refusal that names a parameter %s is the end", async (_, param, status) => {
  const { model, bodies, changes } = create("up", [refusal(param, status), whole]);
  expect([await ask(model), bodies().length, changes]).toEqual(["upstream_refused", 1, []]);
});

test("a path within a parameter names the whole of it", async () => {
  const { model, bodies } = create("up", [refusal("stream_options.include_usage"), whole]);
  expect(await ask(model)).toBe("Hello");
  expect(bodies()[1]).not.toHaveProperty("stream_options");
});

// What the official clients make of the door; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { type Script, truncated } from "../../../src/testing.ts";
import { clientOf, clients, withCode } from "../../helpers/openai-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import {
  answerOf,
  bytesOf,
  chunk,
  defaultApi,
  type FakeAnswer,
  fakeTransport,
  frame,
  modelOver,
} from "../../helpers/upstream.ts";

const usage = { prompt_tokens: 210, completion_tokens: 9, total_tokens: 219 };
const script: Script = ["It adds ", "the prices.", { type: "usage", usage }];
const messages = [{ role: "user" as const, content: "What does it do?" }];

describe.each(clients)("the client of $name", (client) => {
  const { OpenAI } = client;

  test("streams an answer, with the tokens in the last chunk where it asks for them", async () => {
    const { app } = createTestApp({ models: [script] });
    const stream = await clientOf(client, app).chat.completions.create({
      model: "rightseat",
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    const reasons: string[] = [];
    const counts: unknown[] = [];
    for await (const { choices, usage: counted, model, id } of stream) {
      expect([model, id]).toEqual(["rightseat", "chatcmpl-turn-1"]);
      text += choices[0]?.delta.content ?? "";
      if (choices[0]?.finish_reason) reasons.push(choices[0].finish_reason);
      if (counted) counts.push([choices.length, counted]);
    }
    expect([text, reasons]).toEqual(["It adds the prices.", ["stop"]]);
    expect(counts).toEqual([[0, usage]]);
  });

  test("is told no tokens in a stream where it does not ask for them", async () => {
    const { app } = createTestApp({ models: [script] });
    const stream = await clientOf(client, app).chat.completions.create({
      model: "rightseat",
      messages,
      stream: true,
    });
    for await (const event of stream) {
      expect(event.choices).toHaveLength(1);
      expect(event.usage ?? undefined).toBeUndefined();
    }
  });

  test("gets a whole answer with its tokens, reason and next steps", async () => {
    const { app } = createTestApp({ models: [script] });
    const answer = await clientOf(client, app).chat.completions.create({
      model: "rightseat/explain",
      messages: [{ role: "user", content: withCode("What does it do?") }],
    });
    expect(answer).toMatchObject({
      id: "chatcmpl-turn-1",
      object: "chat.completion",
      created: 1_763_600_000,
      model: "rightseat/explain",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant" } }],
      usage,
    });
    const text = answer.choices[0]?.message.content;
    expect(text).toMatch(/^It adds the prices\.\n\n\*\*You can type next:\*\*/);
    expect(text).toContain("- `/fix`: ");
  });

  test("assembles a stream by its own helper", async () => {
    const { app } = createTestApp({ models: [script] });
    const runner = clientOf(client, app).chat.completions.stream({ model: "rightseat", messages });
    const { choices } = await runner.finalChatCompletion();
    expect(choices).toMatchObject([
      { finish_reason: "stop", message: { role: "assistant", content: "It adds the prices." } },
    ]);
  });

  test("reads frames that a model's server has sent, and a whole answer made of them", async () => {
    const body = [bytesOf(answerOf("Hello", " 世界"))];
    const { app } = createTestApp({ models: modelOver(fakeTransport({ body })) });
    const { chat } = clientOf(client, app);
    const stream = await chat.completions.create({ model: "rightseat", messages, stream: true });
    let text = "";
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    const whole = await chat.completions.create({ model: "rightseat", messages });
    expect([text, whole.choices[0]?.message.content]).toEqual(["Hello 世界", "Hello 世界"]);
    expect(whole.usage?.total_tokens).toBe(10);
  });

  test("throws an APIError with our code after the text when the model breaks off", async () => {
    const { app } = createTestApp({ models: [["Hel", truncated()]] });
    let text = "";
    const read = async (): Promise<void> => {
      const stream = await clientOf(client, app, { language: "zh" }).chat.completions.create({
        model: "rightseat",
        messages,
        stream: true,
      });
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    };
    const thrown: unknown = await read().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(OpenAI.APIError);
    expect(thrown).toMatchObject({
      code: "upstream_truncated",
      type: "upstream_error",
      message: expect.stringContaining("中断"),
    });
    expect(text).toBe("Hel");
  });

  test("throws the error of the status when a whole answer breaks off", async () => {
    const { app } = createTestApp({ models: [["Hel", truncated()]] });
    const answer = clientOf(client, app).chat.completions.create({ model: "rightseat", messages });
    await expect(answer).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(answer).rejects.toMatchObject({ status: 502, code: "upstream_truncated" });
  });

  test.each([true, false])(
    "throws RateLimitError with Retry-After where the model takes no more, with a stream: %s",
    async (stream) => {
      const busy = new AppError("rate_limited", "Too much.", { retryAfter: 7 });
      const { app } = createTestApp({ models: [[busy]] });
      const answer = clientOf(client, app).chat.completions.create({
        model: "rightseat",
        messages,
        stream,
      });
      const thrown: unknown = await Promise.resolve(answer).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(OpenAI.RateLimitError);
      expect(thrown).toMatchObject({ status: 429, code: "rate_limited", requestID: "turn-1" });
      if (!(thrown instanceof OpenAI.APIError)) throw new Error("It is no error of the client.");
      expect(thrown.headers?.get("retry-after")).toBe("7");
    },
  );

  test.each<[string, FakeAnswer, number]>([
    ["a refused key", { status: 401 }, 1],
    ["a refused request", { status: 400 }, 1],
    ["a page in place of a stream", { headers: { "content-type": "text/html" } }, 1],
    ["a failure that may pass", { status: 500 }, 2],
    ["a conflict", { status: 409 }, 2],
  ])("asks once where another try does not mend it: %s", async (_, answer, tries) => {
    const transport = fakeTransport(answer);
    const retry = { ...defaultApi.retry, retries: 0 };
    const { app } = createTestApp({ models: modelOver(transport, { retry }) });
    const { chat } = clientOf(client, app).withOptions({ maxRetries: 1 });
    await expect(chat.completions.create({ model: "rightseat", messages })).rejects.toThrow();
    expect(transport.requests).toHaveLength(tries);
  });

  test("throws AuthenticationError without a key that counts, wherever it asks", async () => {
    const { app } = createTestApp({ settings: { RIGHTSEAT_API_KEYS: "good" } });
    const { chat, models } = clientOf(client, app, { key: "bad" });
    for (const asked of [
      () => chat.completions.create({ model: "rightseat", messages }),
      () => models.list(),
      () => models.retrieve("rightseat"),
    ]) {
      const thrown: unknown = await Promise.resolve(asked()).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(thrown).toMatchObject({ status: 401, code: "unauthorized" });
    }
    const { data } = await clientOf(client, app, { key: "good" }).models.list();
    expect(data.length).toBeGreaterThan(1);
  });

  test("throws NotFoundError for a model that is not there, with the names that are", async () => {
    const { app } = createTestApp();
    const { chat, models } = clientOf(client, app);
    for (const asked of [
      () => chat.completions.create({ model: "rightseat/fixx", messages }),
      () => models.retrieve("rightseat/fixx"),
    ]) {
      const thrown: unknown = await Promise.resolve(asked()).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(OpenAI.NotFoundError);
      expect(thrown).toMatchObject({ status: 404, code: "model_not_found", param: "model" });
      expect(String(thrown)).toContain('"rightseat/fixx". Did you mean rightseat/fix?');
    }
  });

  test("that gives up a whole answer ends the model's request", async () => {
    const transport = fakeTransport({ body: [bytesOf(frame(chunk({ content: "a" }))), "hang"] });
    const { app } = createTestApp({ models: modelOver(transport) });
    const controller = new AbortController();
    const answer = clientOf(client, app).chat.completions.create(
      { model: "rightseat", messages },
      { signal: controller.signal },
    );
    const thrown = Promise.resolve(answer).catch((error: unknown) => error);
    await expect.poll(() => transport.requests.length).toBe(1);
    controller.abort();
    expect(await thrown).toBeInstanceOf(OpenAI.APIUserAbortError);
    await expect.poll(() => transport.cancelled).toBe(1);
  });

  test("lists agents and their commands as models, and finds each by its name", async () => {
    const { app } = createTestApp();
    const { models } = clientOf(client, app);
    const { data } = await models.list();
    const ids = data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["rightseat", "rightseat/explain"]));
    const model = { object: "model", created: 1_763_600_000, owned_by: "rightseat" };
    for (const id of ids) expect(await models.retrieve(id)).toMatchObject({ id, ...model });
  });
});

import { configure, type LogRecord } from "@logtape/logtape";
import { beforeEach, expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { fallbackModel } from "../../src/model/model-table.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import { createTestApp } from "../helpers/create-test-app.ts";
import {
  answerOf,
  bytesOf,
  type FakeAnswer,
  fakeTransport,
  modelOver,
} from "../helpers/upstream.ts";

const records: LogRecord[] = [];
beforeEach(async () => {
  records.length = 0;
  await configure({
    reset: true,
    sinks: { kept: (record) => void records.push(record) },
    loggers: [
      { category: "rightseat", sinks: ["kept"], lowestLevel: "debug" },
      { category: ["logtape", "meta"], sinks: [], lowestLevel: "warning" },
    ],
  });
});

const whole: FakeAnswer = { body: [bytesOf(answerOf("Hello"))] };

async function ask(models: ChatModel, path = "/agents/rightseat", body: object = {}) {
  const { app } = createTestApp({ models });
  const asked = {
    command: "chat",
    contextVariables: [
      { name: "userInputPrompt", value: "why does the total of my prices crash?" },
    ],
    ...body,
  };
  const response = await app.fetch(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(asked),
    }),
  );
  const text = await response.text();
  // The line is written when the turn has ended, which a client need not see.
  await new Promise((resume) => setTimeout(resume, 5));
  return { status: response.status, text };
}

const propertiesOf = (): Record<string, unknown>[] => records.map(({ properties }) => properties);

function refusal(status: number, error: object): FakeAnswer {
  const body = [bytesOf(JSON.stringify({ error }))];
  return { status, headers: { "content-type": "application/json" }, body };
}

test("the line of a turn names who answered, where several models could", async () => {
  const first = { ...modelOver(fakeTransport({ status: 500 })), name: "first" };
  const second = { ...modelOver(fakeTransport(whole)), name: "second" };
  await ask(fallbackModel(first, [second], () => undefined));
  expect(propertiesOf()).toMatchObject([{ model: "second", status: 200, retries: 0 }]);
});

test("the line of a turn has status, first token, tokens, finish reason and retries", async () => {
  await ask(modelOver(fakeTransport({ status: 500 }, whole)));
  expect(propertiesOf()).toMatchObject([
    { status: 200, promptTokens: 7, answerTokens: 3, reason: "stop", retries: 1 },
  ]);
  expect(propertiesOf()[0]?.["firstToken"]).toBeTypeOf("number");
  expect(propertiesOf()[0]?.["milliseconds"]).toBeTypeOf("number");
});

test("the line has the same figures where a flow reads the answer itself", async () => {
  const editor = {
    content: "function f() {\n  return 1;\n}\n",
    filePath: "f.js",
    language: "javascript",
  };
  await ask(modelOver(fakeTransport(whole)), "/agents/rightseat", {
    command: "fix",
    contextVariables: [{ name: "activeEditor", value: editor }],
  });
  expect(propertiesOf()).toMatchObject([{ status: 200, reason: "stop" }]);
  expect(propertiesOf()[0]?.["promptTokens"]).toBeGreaterThanOrEqual(7);
  expect(propertiesOf()[0]?.["firstToken"]).toBeTypeOf("number");
});

const openAiRequest = { model: "rightseat/chat", messages: [{ role: "user", content: "hi" }] };

test("the line of a failure has the status that the client got", async () => {
  const failing = { status: 503, headers: { "retry-after": "3600" } };
  expect((await ask(modelOver(fakeTransport(failing)))).status).toBe(502);
  const whileStreaming = fakeTransport({
    body: [bytesOf(answerOf("a").slice(0, 400)), new Error("reset")],
  });
  expect((await ask(modelOver(whileStreaming))).status).toBe(200);
  const path = "/v1/chat/completions";
  expect((await ask(modelOver(fakeTransport(failing)), path, openAiRequest)).status).toBe(502);
  expect((await ask(modelOver(fakeTransport(whole)), path, openAiRequest)).status).toBe(200);
  expect((await ask(modelOver(fakeTransport(whole)), "/agents/nobody")).status).toBe(404);
  expect(propertiesOf().map(({ status, code }) => [status, code])).toEqual([
    [502, "upstream_error"],
    [200, "upstream_truncated"],
    [502, "upstream_error"],
    [200, undefined],
    [404, "unknown_agent"],
  ]);
});

test("what a model refuses is a warning with its names, and what it said is told at debug level, without our key", async () => {
  const message = "Bad 'seed' near: why does the total of my prices crash? Your key key-of-ours.";
  const refused = refusal(400, {
    message,
    type: "invalid_request_error",
    param: "seed",
    code: "bad_value",
  });
  const { status, text } = await ask(modelOver(fakeTransport(refused)));
  expect([status, JSON.parse(text).error.code]).toEqual([502, "upstream_refused"]);
  expect(text).not.toMatch(/seed|bad_value|up\.example|prices/);
  const [record] = records;
  expect(record?.level).toBe("warning");
  expect(record?.properties["upstream"]).toEqual({
    host: "up.example",
    model: "up-1",
    status: 400,
    code: "bad_value",
    type: "invalid_request_error",
    param: "seed",
  });
  const line = record?.message.join("") ?? "";
  expect(line).toContain(
    "up-1 at up.example: HTTP 400, code bad_value, type invalid_request_error, param seed",
  );
  expect(line).not.toContain("Bad");
  const said = records.find(({ level }) => level === "debug")?.message.join("");
  expect(said).toContain("Bad 'seed' near: why does the total of my prices crash? Your key ….");
});

test("a connection that fails is logged with its cause", async () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:80"), {
    code: "ECONNREFUSED",
  });
  const unreachable = new AppError("upstream_unreachable", "no route", { cause });
  const { text } = await ask(modelOver(fakeTransport(unreachable)));
  expect(text).not.toMatch(/ECONNREFUSED|up\.example/);
  expect(propertiesOf()[0]).toMatchObject({
    retries: 1,
    cause: "up-1 at up.example: the connection was refused (ECONNREFUSED)",
  });
});

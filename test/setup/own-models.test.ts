// Models that a client configures itself: a row by its name, or an address and a key of its own.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { guardedFetch } from "../../src/base/wire/address-guard.node.ts";
import { LlmConfig, openModel } from "../../src/model/own-model.ts";
import { parseConfig } from "../../src/setup/config.ts";
import { createModels } from "../../src/setup/create-models.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import { answerOf, fakeTransport } from "../helpers/upstream.ts";

const rows = [
  { name: "local", baseUrl: "http://localhost:11434/v1", model: "qwen3" },
  { name: "cloud", baseUrl: "https://cloud.example/v1", keyVariable: "CLOUD_KEY" },
];
const table = { RIGHTSEAT_MODELS: JSON.stringify(rows), CLOUD_KEY: "sk-cloud-secret" };
const hosts = { ...table, RIGHTSEAT_SESSION_HOSTS: "api.own.example, *.below.example" };
const own = { baseUrl: "https://api.own.example/v1", apiKey: "sk-own-planted", model: "own-1" };

/** What is sent to addresses of clients' own, and the models that send it. */
function open(environment: Record<string, string>, answer = () => sse(answerOf("Hello."))) {
  const sent: { url: string; headers: Headers; body: unknown }[] = [];
  const fetcher: typeof fetch = async (input, init = {}) => {
    const url = input instanceof Request ? input.url : input.toString();
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    sent.push({ url, headers: new Headers(init.headers), body });
    return answer();
  };
  const transport = fakeTransport({ body: [] });
  const config = parseConfig(environment);
  const models = createModels(config, environment, transport, undefined, false, fetcher);
  return { models, sent, transport };
}

const sse = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { "content-type": "text/event-stream" } });

async function ask(model: ChatModel): Promise<{ text: string; failure: AppError | undefined }> {
  const signal = new AbortController().signal;
  const caller = { forward: () => ({ authorization: "Bearer of-the-caller" }) };
  let text = "";
  try {
    const request = { messages: [{ role: "user" as const, content: "Hi." }] };
    for await (const event of model.stream(request, { signal, caller }))
      if (event.type === "text-delta") text += event.text;
    return { text, failure: undefined };
  } catch (thrown) {
    return { text, failure: thrown instanceof AppError ? thrown : undefined };
  }
}

function refusal(config: object, environment: Record<string, string> = hosts) {
  try {
    openModel(LlmConfig.parse(config), open(environment).models);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { code: thrown.code, param: thrown.details.param, message: thrown.message };
  }
}

test("the parameters have the document's defaults", () => {
  expect(LlmConfig.parse({})).toEqual({ temperature: 0, maxTokens: 4_096, topP: 1 });
  expect(LlmConfig.safeParse({ temperature: "hot" }).error?.issues[0]?.path).toEqual([
    "temperature",
  ]);
});

describe("without an address", () => {
  test("a row is found by its name, and the default where there is none", () => {
    const { models } = open(hosts);
    expect(openModel(LlmConfig.parse({ model: "cloud" }), models).model.name).toBe("cloud");
    expect(openModel(LlmConfig.parse({}), models).model.name).toBe("local");
  });

  test("a name passes through where a row serves any", () => {
    const any = [{ name: "*", baseUrl: "https://any.example/v1", model: "some" }];
    const { models } = open({ RIGHTSEAT_MODELS: JSON.stringify(any) });
    expect(openModel(LlmConfig.parse({ model: "gpt-x" }), models)).toMatchObject({
      modelId: "gpt-x",
    });
  });

  test("an unknown name is refused with those that there are, and a key alone is not used", () => {
    expect(refusal({ model: "clout" })).toEqual({
      code: "invalid_request",
      param: "llmConfig.model",
      message:
        'There is no model "clout" here. Did you mean cloud? There are: local, cloud, offline.',
    });
    expect(refusal({ model: "cloud", apiKey: "sk-own-planted" })).toMatchObject({
      code: "invalid_request",
      param: "llmConfig.baseUrl",
    });
  });
});

describe("an address of the client's own", () => {
  test.each([
    own.baseUrl,
    `${own.baseUrl}/`,
    ` ${own.baseUrl}/chat/completions`,
    "https://API.own.example:443/v1",
  ])("is asked with its own key, and with nothing of the caller's: %s", async (baseUrl) => {
    const { models, sent, transport } = open(hosts);
    const { model } = openModel(LlmConfig.parse({ ...own, baseUrl }), models);
    expect((await ask(model)).text).toBe("Hello.");
    expect(transport.requests).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(new URL(sent[0]?.url ?? "").href).toBe("https://api.own.example/v1/chat/completions");
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer sk-own-planted");
    expect(sent[0]?.body).toMatchObject({ model: "own-1", stream: true });
  });

  test("needs no key", async () => {
    const { models, sent } = open(hosts);
    await ask(openModel(LlmConfig.parse({ ...own, apiKey: "" }), models).model);
    expect(sent[0]?.headers.has("authorization")).toBe(false);
  });

  test.each([
    [{ baseUrl: "https://elsewhere.example/v1" }, "host_forbidden", "baseUrl"],
    [{ baseUrl: "https://below.example/v1" }, "host_forbidden", "baseUrl"],
    [{ baseUrl: "http://127.0.0.1:11434/v1" }, "host_forbidden", "baseUrl"],
    [{ baseUrl: "http://169.254.169.254/v1" }, "host_forbidden", "baseUrl"],
    [{ baseUrl: "https://api.own.example:8443/v1" }, "host_forbidden", "baseUrl"],
    [{ baseUrl: "https://a:b@api.own.example/v1" }, "invalid_request", "baseUrl"],
    [{ baseUrl: "api.own.example/v1" }, "invalid_request", "baseUrl"],
    [{ baseUrl: "https://api.own.example/v1?a=b" }, "invalid_request", "baseUrl"],
    [{ model: "" }, "invalid_request", "model"],
    [{ apiKey: "two words" }, "invalid_request", "apiKey"],
    [{ apiKey: "line\r\nx-evil: 1" }, "invalid_request", "apiKey"],
  ])("is refused where it is wrong: %j", (change, code, field) => {
    const found = refusal({ ...own, ...change });
    expect(found).toMatchObject({ code, param: `llmConfig.${field}` });
    expect(JSON.stringify(found)).not.toMatch(/planted|a:b|x-evil/);
  });

  test("is refused everywhere where the operator has listed none", () => {
    expect(refusal(own, table)).toMatchObject({ code: "host_forbidden" });
  });

  test("whose server repeats the key in its refusal tells nobody", async () => {
    const body = JSON.stringify({
      error: { message: "bad key sk-own-planted", code: "sk-own-planted" },
    });
    const { models } = open(hosts, () => new Response(body, { status: 401 }));
    const { failure } = await ask(openModel(LlmConfig.parse(own), models).model);
    expect(failure?.code).toBe("upstream_refused");
    expect(JSON.stringify([failure?.message, failure?.upstream])).not.toContain("planted");
  });
});

test("over a real connection: the listed host is asked, and a redirect to the inside is not followed", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url?.startsWith("/away/") === true)
      response.writeHead(302, { location: "/inside" }).end();
    else response.writeHead(200, { "content-type": "text/event-stream" }).end(answerOf("Real."));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const config = parseConfig({ RIGHTSEAT_SESSION_HOSTS: `127.0.0.1:${port}` });
    const options = { hosts: config.sessionHosts, allowsPublic: true, connectTimeout: 5_000 };
    const fetcher = guardedFetch(options);
    const models = createModels(config, {}, fakeTransport({}), undefined, false, fetcher);
    const at = (path: string) =>
      openModel(LlmConfig.parse({ ...own, baseUrl: `http://127.0.0.1:${port}${path}` }), models);
    expect((await ask(at("/v1").model)).text).toBe("Real.");
    expect((await ask(at("/away").model)).failure?.code).toBe("upstream_invalid");
    expect(asked).toEqual(["/v1/chat/completions", "/away/chat/completions"]);
  } finally {
    server.close();
  }
});

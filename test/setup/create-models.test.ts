import { configure } from "@logtape/logtape";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../../src/base/errors/app-error.ts";
import { ConfigError, parseConfig } from "../../src/setup/config.ts";
import { createModels } from "../../src/setup/create-models.ts";
import type { ModelTable } from "../../src/model/model-table.ts";
import { bytesOf, fakeTransport } from "../helpers/upstream.ts";
import type { UpstreamRequest, UpstreamTransport } from "../../src/model/chat/chat-api.ts";

const platform = { COPILOT_SERVER_ENDPOINT: "https://platform.example/v1" };
const rows = [
  { name: "local", baseUrl: "http://localhost:11434/v1/", model: "qwen3" },
  { name: "cloud", baseUrl: "https://cloud.example/v1", keyVariable: "CLOUD_KEY" },
];
const table = { RIGHTSEAT_MODELS: JSON.stringify(rows), CLOUD_KEY: "sk-cloud" };

/** Answers every request with a whole, empty answer, and keeps what it was asked. */
function recordingTransport(delta: object = { content: "Hi." }): {
  transport: UpstreamTransport;
  requests: UpstreamRequest[];
} {
  const requests: UpstreamRequest[] = [];
  const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
  const choices = [{ index: 0, delta, finish_reason: "stop" }];
  const answer = `data: ${JSON.stringify({ ...chunk, choices })}\n\ndata: [DONE]\n\n`;
  const transport: UpstreamTransport = {
    send(request) {
      requests.push(request);
      async function* body(): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode(answer);
      }
      return Promise.resolve({
        status: 200,
        header: (name) => (name === "content-type" ? "text/event-stream" : undefined),
        body: body(),
        discard: () => undefined,
      });
    },
  };
  return { transport, requests };
}

function create(environment: Record<string, string>): ModelTable {
  return createModels(parseConfig(environment), environment, recordingTransport().transport);
}

/** What a wanted model is asked on the wire. */
async function ask(
  environment: Record<string, string>,
  wanted?: string,
): Promise<{ url: string; headers: Record<string, string>; body: Record<string, unknown> }> {
  const { transport, requests } = recordingTransport();
  const models = createModels(parseConfig(environment), environment, transport);
  const { model, modelId } = models.resolve([wanted]);
  const request = {
    messages: [{ role: "user" as const, content: "Hello." }],
    maxTokens: 9,
    ...(modelId === undefined ? {} : { model: modelId }),
  };
  const caller = { forward: () => ({ authorization: "Bearer person" }) };
  const signal = new AbortController().signal;
  const answer = model.stream(request, { signal, caller });
  while ((await answer.next()).done !== true);
  const [sent] = requests;
  if (sent === undefined) throw new Error("Nothing was sent.");
  return { ...sent, body: JSON.parse(sent.body) as Record<string, unknown> };
}

test("the models are the platform, the table's rows in order, and the offline one", () => {
  expect(create({ ...platform, ...table, OPENAI_API_KEY: "sk-openai" }).names).toEqual([
    "platform",
    "local",
    "cloud",
    "openai",
    "offline",
  ]);
});

test("the order is a setting, and what it leaves out is not there", () => {
  const all = { ...platform, ...table };
  expect(create({ ...all, RIGHTSEAT_MODEL_ORDER: "offline, table" }).names).toEqual([
    "offline",
    "local",
    "cloud",
  ]);
  expect(() => create({ RIGHTSEAT_MODEL_ORDER: "platform,table" })).toThrow(ConfigError);
});

test.each([{}, { CLOUD_KEY: "" }])(
  "a row whose key variable is not set is refused by both names",
  (key) => {
    const environment = { ...table, CLOUD_KEY: "", ...key };
    expect(() => create(environment)).toThrow(
      new ConfigError('models: row "cloud" names the key variable CLOUD_KEY, which is not set.'),
    );
  },
);

test("a row is asked at its own address, with its own key and model id, and not with the person's", async () => {
  const local = await ask(table, "local");
  expect(local.url).toBe("http://localhost:11434/v1/chat/completions");
  expect(local.headers["authorization"]).toBeUndefined();
  expect(local.body).toMatchObject({
    model: "qwen3",
    max_tokens: 9,
    stream_options: { include_usage: true },
  });
  const cloud = await ask(table, "cloud");
  expect(cloud.url).toBe("https://cloud.example/v1/chat/completions");
  expect(cloud.headers["authorization"]).toBe("Bearer sk-cloud");
  expect(cloud.body["model"]).toBe("cloud");
});

test("a row says how its server wants to be asked", async () => {
  const row = { ...rows[0], maxTokensField: "max_completion_tokens", streamUsage: false };
  const { body } = await ask({ RIGHTSEAT_MODELS: JSON.stringify([row]) }, "local");
  expect(body).toMatchObject({ max_completion_tokens: 9 });
  expect(Object.keys(body)).not.toContain("max_tokens");
  expect(Object.keys(body)).not.toContain("stream_options");
});

test("a row's window and reserve are its own, else those of the settings", () => {
  const models = create({
    RIGHTSEAT_CONTEXT_WINDOW: "5000",
    RIGHTSEAT_ANSWER_RESERVE: "500",
    RIGHTSEAT_MODELS: JSON.stringify([
      { ...rows[0], contextWindow: 9_000, answerReserve: 0o7 },
      { ...rows[0], name: "plain" },
    ]),
  });
  expect(models.resolve(["local"]).model).toMatchObject({ contextWindow: 9_000, answerReserve: 7 });
  expect(models.resolve(["plain"]).model).toMatchObject({
    contextWindow: 5_000,
    answerReserve: 500,
  });
});

test("the * row answers for every other name and passes it on", async () => {
  const environment = {
    RIGHTSEAT_MODELS: JSON.stringify([
      rows[0],
      { name: "*", baseUrl: "https://any.example/v1", model: "usual" },
    ]),
  };
  const any = await ask(environment, "deepseek-chat");
  expect(any.url).toBe("https://any.example/v1/chat/completions");
  expect(any.body["model"]).toBe("deepseek-chat");
  expect((await ask(environment, "local")).body["model"]).toBe("qwen3");
  expect((await ask(environment)).body["model"]).toBe("qwen3");
});

test("the platform is asked for any name, with what the person's request may forward", async () => {
  const sent = await ask({ ...platform, ...table }, "their-model");
  expect(sent.url).toBe("https://platform.example/v1/chat/completions");
  expect(sent.headers["authorization"]).toBe("Bearer person");
  expect(sent.body["model"]).toBe("their-model");
});

test("the well-known variables of OpenAI clients make a row of their own", async () => {
  const keyOnly = await ask({ OPENAI_API_KEY: "sk-openai" });
  expect(keyOnly.url).toBe("https://api.openai.com/v1/chat/completions");
  expect(keyOnly.headers["authorization"]).toBe("Bearer sk-openai");
  expect(keyOnly.body["model"]).toBe("gpt-4.1-mini");
  const urlOnly = await ask({ OPENAI_BASE_URL: "http://localhost:8000/v1/", OPENAI_MODEL: "m" });
  expect(urlOnly.url).toBe("http://localhost:8000/v1/chat/completions");
  expect(urlOnly.headers["authorization"]).toBeUndefined();
  expect(urlOnly.body["model"]).toBe("m");
  expect(create({ OPENAI_MODEL: "m" }).names).toEqual(["offline"]);
});

test("a * row must say which model answers turns that name none", () => {
  const row = { name: "*", baseUrl: "https://any.example/v1" };
  expect(() => create({ RIGHTSEAT_MODELS: JSON.stringify([row]) })).toThrow(
    /^models: row "\*" needs `model`/,
  );
});

test("two rows of one name are refused by that name", () => {
  const twice = JSON.stringify([rows[0], { ...rows[1], name: "local" }]);
  expect(() => create({ RIGHTSEAT_MODELS: twice })).toThrow(
    new ConfigError('models: two rows are named "local".'),
  );
});

test("a row named openai wins over the well-known variables", async () => {
  const row = { name: "openai", baseUrl: "https://own.example/v1", model: "own" };
  const environment = { OPENAI_API_KEY: "sk-openai", RIGHTSEAT_MODELS: JSON.stringify([row]) };
  expect(create(environment).names).toEqual(["openai", "offline"]);
  const sent = await ask(environment, "openai");
  expect(sent.url).toBe("https://own.example/v1/chat/completions");
  expect(sent.headers["authorization"]).toBeUndefined();
  expect(sent.body["model"]).toBe("own");
});

test.each<[string, Record<string, string>]>([
  ["local", { RIGHTSEAT_MODELS: JSON.stringify([{ ...rows[0], contextWindow: 4_096 }]) }],
  [
    "local",
    { RIGHTSEAT_MODELS: JSON.stringify([{ ...rows[0], answerReserve: 256, contextWindow: 256 }]) },
  ],
  ["openai", { OPENAI_API_KEY: "sk-openai", RIGHTSEAT_CONTEXT_WINDOW: "1000" }],
  ["platform", { ...platform, RIGHTSEAT_CONTEXT_WINDOW: "1000" }],
])("%s with a window that the answer would fill is refused by its name", (name, environment) => {
  expect(() => create(environment)).toThrow(ConfigError);
  expect(() => create(environment)).toThrow(`"${name}" keeps `);
});

test("a window with one token more than the answer keeps is taken", () => {
  const row = { ...rows[0], contextWindow: 257, answerReserve: 256 };
  expect(create({ RIGHTSEAT_MODELS: JSON.stringify([row]) }).names).toContain("local");
});

test("an answer with very many calls of tools is read, since its first ones are run", async () => {
  const calls = Array.from({ length: 300 }, (_, index) => ({
    index,
    id: `c${index}`,
    type: "function",
    function: { name: "read_file", arguments: "{}" },
  }));
  const { transport } = recordingTransport({ tool_calls: calls });
  const { model } = createModels(parseConfig(table), table, transport).resolve([undefined]);
  const tools = [{ name: "read_file", description: "", parameters: {} }];
  const request = { messages: [{ role: "user" as const, content: "Go." }], tools };
  const { signal } = new AbortController();
  let heard = 0;
  for await (const event of model.stream(request, { signal, caller: { forward: () => ({}) } }))
    if (event.type === "tool-call") heard += 1;
  expect(heard).toBe(300);
});

describe("headers of a row", () => {
  const row = { name: "gateway", baseUrl: "https://gateway.example/v1" };
  const withHeaders = (headers: unknown, more: Record<string, string> = {}) => ({
    RIGHTSEAT_MODELS: JSON.stringify([{ ...row, headers }]),
    ...more,
  });

  test("go with every request to it, and with none to others", async () => {
    const headers = {
      "X-Portkey-Provider": "openai",
      "x-portkey-api-key": "Key ${GATE_KEY}/${TAIL}",
    };
    const environment = withHeaders(headers, { GATE_KEY: "pk-1", TAIL: "t\n" });
    const sent = await ask({ ...environment, OPENAI_API_KEY: "sk-openai" }, "gateway");
    expect(sent.headers).toMatchObject({
      "x-portkey-provider": "openai",
      "x-portkey-api-key": "Key pk-1/t",
    });
    const other = await ask({ ...environment, OPENAI_API_KEY: "sk-openai" }, "openai");
    expect(Object.keys(other.headers).join()).not.toContain("portkey");
  });

  test.each<[string, unknown, RegExp]>([
    [
      "a header of the connection",
      { Connection: "close" },
      /"connection" is not a header that a row may set/,
    ],
    ["a header of ours", { "Content-Type": "a/b" }, /"content-type" is not a header that a row/],
    ["no name of a header", { "x y": "a" }, /"x y" is not a header that a row may set/],
    ["a form of names", { "x-*": "a" }, /is not a header that a row may set/],
    ["one header twice", { "x-a": "1", "X-A": "2" }, /has one header twice/],
    ["a line end", { "x-a": "sk-1\r\nx-b: 2" }, /x-a: holds signs that no header may have/],
    ["a sign of no header", { "x-a": "sk-1世" }, /x-a: holds signs that no header may have/],
    ["nothing", { "x-a": "" }, /x-a: holds signs that no header may have, or nothing/],
    ["a number", { "x-a": 5 }, /x-a: must be a text, not a number/],
    [
      "a variable that is not set",
      { "x-a": "a ${NOT_SET}" },
      /"gateway" names the variable NOT_SET in its header x-a/,
    ],
    [
      "a variable with a line end",
      { "x-a": "a ${BAD}" },
      /"gateway" gets signs into its header x-a/,
    ],
  ])("are refused at the start with %s, and no value is told", (_, headers, message) => {
    const environment = withHeaders(headers, { BAD: "sk-1\nx" });
    const start = (): unknown => create(environment);
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(message);
    expect(start).not.toThrow(/sk-1/);
  });

  test("may hold the key in place of keyVariable, not beside it", async () => {
    const headers = { authorization: "Basic ${GATE_KEY}" };
    const sent = await ask(withHeaders(headers, { GATE_KEY: "YTpi" }));
    expect(sent.headers["authorization"]).toBe("Basic YTpi");
    const both = { ...row, headers, keyVariable: "GATE_KEY" };
    expect(() => create({ RIGHTSEAT_MODELS: JSON.stringify([both]), GATE_KEY: "YTpi" })).toThrow(
      'row "gateway" has both a key and a header authorization.',
    );
  });

  test("are secrets where they come from variables: no refusal repeats them", async () => {
    const environment = withHeaders(
      { "x-tenant": "${TENANT}" },
      { TENANT: "tenant-of-the-house-9" },
    );
    const body = JSON.stringify({ error: { message: "No tenant tenant-of-the-house-9 here." } });
    const transport = fakeTransport({ status: 400, body: [bytesOf(body)] });
    const { model } = createModels(parseConfig(environment), environment, transport).resolve([]);
    const { signal } = new AbortController();
    const request = { messages: [{ role: "user" as const, content: "Hi." }] };
    const answer = model.stream(request, { signal, caller: { forward: () => ({}) } });
    const error: unknown = await answer.next().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "upstream_refused" });
    if (!(error instanceof AppError)) throw new Error("It is no error of ours.");
    expect(error.upstream?.message).toMatch(/^No tenant .* here\.$/);
    expect(error.upstream?.message).not.toContain("of-the-house");
  });
});

describe("the fallback of a row", () => {
  const rowsOf = (fallbacks: Readonly<Record<string, readonly string[]>>) => ({
    RIGHTSEAT_MODELS: JSON.stringify(
      Object.entries(fallbacks).map(([name, fallback]) => ({
        name,
        baseUrl: `https://${name}.example/v1`,
        fallback,
      })),
    ),
  });

  /** Whose servers are asked, one after another, where all of them fail. */
  async function askedOf(environment: Record<string, string>, wanted: string): Promise<string[]> {
    const transport = fakeTransport({ status: 503 });
    const { model } = createModels(parseConfig(environment), environment, transport).resolve([
      wanted,
    ]);
    const { signal } = new AbortController();
    const request = { messages: [{ role: "user" as const, content: "Hi." }] };
    const answer = model.stream(request, { signal, caller: { forward: () => ({}) } });
    const read = async (): Promise<void> => {
      while ((await answer.next()).done !== true);
    };
    await expect(read()).rejects.toBeInstanceOf(AppError);
    return transport.requests.map(({ url }) => new URL(url).hostname.replace(".example", ""));
  }

  test("is asked in its order, then what the fallbacks themselves fall back to, each once", async () => {
    const environment = rowsOf({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] });
    expect(await askedOf(environment, "a")).toEqual(["a", "b", "d", "c"]);
    expect(await askedOf(environment, "c")).toEqual(["c", "d"]);
    // Who has nobody behind it is asked again, as before.
    expect(await askedOf(environment, "d")).toEqual(["d", "d"]);
  });

  test("is told in the log, with why the row before it failed", async () => {
    const lines: string[] = [];
    await configure({
      reset: true,
      sinks: { kept: (record) => void lines.push(record.message.join("")) },
      loggers: [
        { category: "rightseat", sinks: ["kept"], lowestLevel: "info" },
        { category: ["logtape", "meta"], sinks: [], lowestLevel: "warning" },
      ],
    });
    await askedOf(rowsOf({ a: ["b"], b: [] }), "a");
    expect(lines).toEqual([
      "a failed before its first word: upstream_error a at a.example: HTTP 503; b is asked",
    ]);
  });

  test("is refused at the start where it leads back, and only there", () => {
    const names = ["a", "b", "c", "d", "e"];
    const graph = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.subarray(names, { maxLength: 2 })])),
    );
    fc.assert(
      fc.property(graph, (fallbacks) => {
        // Whoever falls back to nobody who is left is taken away, until nobody is, or only circles are.
        let left = names;
        for (let rest: string[] = []; rest.length !== left.length;) {
          rest = left;
          const now = left;
          left = left.filter((name) => fallbacks[name]?.some((next) => now.includes(next)));
        }
        const start = (): unknown => create(rowsOf(fallbacks));
        if (left.length === 0) expect(start).not.toThrow();
        else
          expect(start).toThrow(
            /^models: the fallback of row "\w" leads back to it: (\w)(?: -> \w)* -> \1\.$/,
          );
      }),
    );
  });

  test("is refused at the start where no model has its name", () => {
    expect(() => create(rowsOf({ a: ["b", "x"], b: [] }))).toThrow(
      'models: row "a" has the fallback "x", which is not a model here. There are: a, b, offline.',
    );
    expect(() => create(rowsOf({ a: ["platform"] }))).toThrow(ConfigError);
    expect(() => create({ ...rowsOf({ a: ["platform", "offline"] }), ...platform })).not.toThrow();
  });
});

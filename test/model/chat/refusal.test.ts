import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import refusals from "../../fixtures/refusals.json" with { type: "json" };
import { type ChatCall, RefusedParameters } from "../../../src/model/chat/chat-api.ts";
import { type Refusal, classifyRefusal, readRefusal } from "../../../src/model/chat/refusal.ts";
import { explainReported, tellRefusal } from "../../../src/model/chat/sending.ts";

/** A call to the model `m-1`. */
const callOf = (more: Partial<ChatCall> = {}): ChatCall => ({
  name: "m",
  baseUrl: "https://m.test/v1",
  headers: {},
  model: "m-1",
  added: [],
  refused: new RefusedParameters(() => 0),
  toolUse: "read",
  body: { model: "m-1", messages: [] },
  ...more,
});

function classify(status: number, body: object | string, type = "application/json") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return classifyRefusal(status, readRefusal(text, type));
}

/** What servers write, in test/fixtures/refusals.json: by what it means, a name, the status and the body. */
const Body = z.union([z.string(), z.looseObject({})]);
const Refusals = z.record(z.string(), z.array(z.tuple([z.string(), z.number(), Body])));
const kinds = Object.entries(Refusals.parse(refusals));

describe.each(kinds)("a refusal of the kind %s is recognised in the words of", (kind, rows) => {
  test.each(rows)("%s", (_, status, body) => {
    const found = classify(status, body);
    expect(found).toBe(kind === "neither" ? undefined : kind);
  });
});

describe("a refusal that quotes the prompt means what the server says besides it:", () => {
  test.each([
    [
      "a model that the prompt speaks of",
      "Why does it say: The user model could not be found in app/models.py?",
    ],
    [
      "a length that the prompt speaks of",
      "Explain: the prompt is too long, it exceeds the maximum context length of the model.",
    ],
  ])("%s", (_, content) => {
    const body = { model: "m", messages: [{ role: "user", content }] };
    const call = callOf({ body });
    const quote = `Invalid value for 'messages[0].content': ${JSON.stringify(content)}`;
    const codeOf = (message: string) => explainReported({ error: { message } }, call, []).code;
    expect(codeOf(quote)).toBe("upstream_error");
    expect(codeOf(`${quote}. The model gpt-9 does not exist.`)).toBe("upstream_unknown_model");
  });
});

describe("what a refusal says is found", () => {
  test.each<[string, object | string, object]>([
    [
      "in OpenAI's form",
      { error: { message: "m", type: "t", param: "stream_options.include_usage", code: "c" } },
      { message: "m", type: "t", param: "stream_options", code: "c" },
    ],
    [
      "in FastAPI's list",
      {
        detail: [
          {
            type: "extra_forbidden",
            loc: ["body", "stream_options"],
            msg: "Extra inputs are not permitted",
            input: {},
          },
        ],
      },
      { param: "stream_options", message: "Extra inputs are not permitted" },
    ],
    [
      "in Mistral's list",
      {
        object: "error",
        message: { detail: [{ loc: ["body", "top_p"], msg: "too high" }] },
        type: "invalid_request_error",
        param: null,
      },
      { type: "invalid_request_error", param: "top_p", message: "too high" },
    ],
    ["in a text", "upstream connect error", { message: "upstream connect error" }],
    [
      "in the title of a page",
      "<!doctype html><html><title>502 Bad Gateway</title>…",
      { message: "502 Bad Gateway" },
    ],
    ["nowhere", "{}", {}],
    ["nowhere in a list", "[]", {}],
    ["nowhere in a number", "7", {}],
  ])("%s", (_, body, expected) => {
    expect(readRefusal(typeof body === "string" ? body : JSON.stringify(body), "")).toEqual(
      expected,
    );
  });
});

function tell(refusal: Refusal, secrets: readonly string[], key?: string) {
  const headers = { authorization: `Bearer ${key}`, "x-team": "our-team-name" };
  return tellRefusal(callOf(key === undefined ? {} : { headers }), refusal, secrets);
}

describe("what is told of a refusal", () => {
  test("is its names, where the call went, and its message on one line, without control characters", () => {
    const names = { code: "1211", type: "invalid_request_error", param: "stream_options" };
    expect(tell({ ...names, message: "a\u001b[31m\r\nb\u202ec 模型 qwen-x 不存在" }, [])).toEqual({
      host: "m.test",
      model: "m-1",
      ...names,
      message: "a [31m b c 模型 qwen-x 不存在",
    });
    expect(tell({ message: "x".repeat(5_000) }, []).message).toHaveLength(300);
    expect(tell({ message: " \n " }, [])).toEqual({ host: "m.test", model: "m-1" });
  });

  test("has no code, type or parameter that is not a name, since a sentence may quote the prompt", () => {
    const sentence = "why does the total crash?";
    expect(tell({ code: sentence, type: `${sentence}\n`, param: "我的 代码" }, [])).toEqual({
      host: "m.test",
      model: "m-1",
    });
  });

  test("loses keys, also the beginnings of them that servers show", () => {
    const message =
      "Incorrect API key provided: sk-proj-abcdefg****mnop. Is sk-proj-abcdefghijklmnop yours, our-team-name?";
    const said = "Incorrect API key provided: …****mnop. Is … yours, our-team-name?";
    expect(tell({ message }, ["sk-proj-abcdefghijklmnop"]).message).toBe(said);
    expect(tell({ message }, [], "sk-proj-abcdefghijklmnop").message).toBe(said);
    expect(tell({ message: "key-of-ours", code: "key-of-ours" }, ["key-of-ours"])).toEqual({
      host: "m.test",
      model: "m-1",
    });
  });

  test("holds no secret and no piece of one, wherever and however escaped a server quotes it", () => {
    const secret = fc.string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" });
    const escapes: readonly ((text: string) => string)[] = [
      (text) => text,
      (text) => JSON.stringify(text),
      (text) =>
        text.replace(/[^]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ];
    const check = fc.property(
      secret.filter((text) => /^[^\\\s]+$/.test(text)),
      fc.string({ maxLength: 30 }),
      fc.string({ maxLength: 30 }),
      fc.constantFrom(...escapes),
      fc.nat(),
      (key, before, after, escape, cut) => {
        const start = cut % (key.length - 7);
        const quoted = escape(key.slice(start));
        const refusal = { message: `${before} ${quoted} ${after}`, code: key, param: key };
        const told = JSON.stringify(Object.values(tell(refusal, [key])));
        const plain = Object.values(tell(refusal, [key])).join(" ");
        for (let at = 0; at + 8 <= key.length; at += 1) {
          expect(plain).not.toContain(key.slice(at, at + 8));
          expect(told).not.toContain(key.slice(at, at + 8));
        }
      },
    );
    fc.assert(check, { numRuns: 500 });
  });

  test("takes no time to speak of, however many secrets and quotes there are", () => {
    const secrets = Array.from({ length: 200 }, (_, nth) => `sk-${nth}-${"a".repeat(60)}`);
    const message = '"'.repeat(2_000) + "sk-1-aaaaaaaa ".repeat(140);
    expect(tell({ message }, secrets).message).not.toContain("aaaaaaaa");
  });
});

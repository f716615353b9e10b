import { describe, expect, test } from "vitest";
import * as z from "zod";
import refusals from "../../../fixtures/refusals.json" with { type: "json" };
import { type ChatCall, RefusedParameters } from "../../../../src/model/chat/chat-api.ts";
import { classifyRefusal, readRefusal } from "../../../../src/model/chat/refusal.ts";
import { explainReported } from "../../../../src/model/chat/send-with-retry.ts";

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
    const call: ChatCall = {
      name: "m",
      baseUrl: "https://m.test/v1",
      headers: {},
      model: "m",
      added: [],
      refused: new RefusedParameters(() => 0),
      toolUse: "read",
      body: { model: "m", messages: [{ role: "user", content }] },
    };
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

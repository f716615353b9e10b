// Every refusal under /v1 has the form of the OpenAI API; on Node and in workerd.
import { expect, test } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { createTestApp, type TestAppOptions } from "../../helpers/create-test-app.ts";
import type { Script } from "../../../src/testing.ts";

const chat = "/v1/chat/completions";
const messages = [{ role: "user", content: "a" }];
const question = JSON.stringify({ model: "rightseat", messages });
const json = { "content-type": "application/json" };

interface Case {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | null;
  options?: TestAppOptions<readonly Script[]>;
}

const keyed = { settings: { RIGHTSEAT_API_KEYS: "good" } };

test.each<[number, string, string, Case]>([
  [400, "a body that is not JSON", "invalid_json", { body: "{" }],
  [400, "a body that is a list", "invalid_request", { body: "[]" }],
  [400, "a body without messages", "invalid_request", { body: '{"model":"rightseat"}' }],
  [400, "a Host that is none", "invalid_request", { headers: { ...json, host: "a b" } }],
  [401, "a chat without a key", "unauthorized", { options: keyed }],
  [
    401,
    "a list without a key",
    "unauthorized",
    { options: keyed, path: "/v1/models", method: "GET" },
  ],
  [
    401,
    "a model without a key",
    "unauthorized",
    { options: keyed, path: "/v1/models/rightseat", method: "GET" },
  ],
  [
    403,
    "a page of elsewhere",
    "origin_forbidden",
    { headers: { ...json, origin: "https://else.example" } },
  ],
  [
    403,
    "a foreign host",
    "host_forbidden",
    { options: { settings: { RIGHTSEAT_ALLOWED_HOSTS: "mine" } } },
  ],
  [404, "an unknown model", "model_not_found", { body: JSON.stringify({ model: "x", messages }) }],
  [
    404,
    "an unknown model in the path",
    "model_not_found",
    { path: "/v1/models/x/y", method: "GET" },
  ],
  [404, "another resource", "not_found", { path: "/v1/embeddings" }],
  [404, "the base alone", "not_found", { path: "/v1", method: "GET" }],
  [404, "the base with a slash", "not_found", { path: "/v1/", method: "GET" }],
  [405, "another method", "method_not_allowed", { method: "GET" }],
  [
    405,
    "a method that deletes",
    "method_not_allowed",
    { path: "/v1/models/rightseat", method: "DELETE" },
  ],
  [
    413,
    "a body that is too large",
    "body_too_large",
    { options: { settings: { RIGHTSEAT_MAX_BODY_BYTES: "10" } } },
  ],
  [
    415,
    "a body of another type",
    "unsupported_media_type",
    { headers: { "content-type": "text/plain" } },
  ],
  [
    415,
    "an unknown encoding",
    "unsupported_media_type",
    { headers: { ...json, "content-encoding": "br" } },
  ],
  [
    429,
    "a model that takes no more",
    "rate_limited",
    { options: { models: [[new AppError("rate_limited", "x")]] } },
  ],
  [500, "a fault of ours", "internal", { options: { models: [[new Error("x")]] } }],
  [
    502,
    "a model that is away",
    "upstream_unreachable",
    { options: { models: [[new AppError("upstream_unreachable", "x")]] } },
  ],
])(
  "a refusal with %i, of %s, has the four fields of the OpenAI API and no others",
  async (status, _, code, given) => {
    const { path = chat, method = "POST", headers = json, body = question, options } = given;
    for (const language of ["en", "zh"]) {
      const { app } = createTestApp(options);
      const response = await app.fetch(
        new Request(`http://localhost${path}`, {
          method,
          headers: { host: "localhost", "accept-language": language, ...headers },
          ...(method === "GET" || method === "DELETE" ? {} : { body }),
        }),
      );
      const { error, ...others } = (await response.json()) as { error: Record<string, unknown> };
      expect([response.status, error["code"], others]).toEqual([status, code, {}]);
      expect(Object.keys(error)).toEqual(["message", "type", "param", "code"]);
      const { message, type, param } = error;
      expect([typeof message, typeof type]).toEqual(["string", "string"]);
      expect(param === null || typeof param === "string").toBe(true);
      expect(response.headers.get("x-request-id")).toMatch(/^turn-/);
    }
  },
);

test("a draining server refuses in that form, and other paths keep their own", async () => {
  const { app } = createTestApp();
  const missing = await app.fetch(new Request("http://localhost/v1x"));
  expect(Object.keys(((await missing.json()) as { error: object }).error)).toContain("request_id");
  await app.drain();
  const response = await app.fetch(
    new Request(`http://localhost${chat}`, { method: "POST", headers: json, body: question }),
  );
  const { error } = (await response.json()) as { error: object };
  expect([response.status, Object.keys(error)]).toEqual([
    503,
    ["message", "type", "param", "code"],
  ]);
});

import { expect, test } from "vitest";
import { createTestApp } from "../helpers/create-test-app.ts";

const han = /\p{Script=Han}/u;

interface Refused {
  path?: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

async function refuse(
  { path = "/", method = "POST", body, headers = {} }: Refused,
  language: string,
) {
  const { app } = createTestApp({ settings: { RIGHTSEAT_API_KEYS: "secret-1" } });
  const shown = { "content-type": "application/json", "x-api-key": "secret-1", ...headers };
  const response = await app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { ...shown, "accept-language": language },
      ...(method === "GET" ? {} : { body: body ?? "{}" }),
    }),
  );
  expect(response.status).toBeGreaterThanOrEqual(400);
  const { error } = (await response.json()) as {
    error: { message: string; code: string; problems?: { message: string }[] };
  };
  return error;
}

const chat = "/v1/chat/completions";
const many = JSON.stringify({ agent: "rightseat", command: "x".repeat(201) });

test.each<[string, Refused]>([
  ["a body that is not JSON", { body: "{" }],
  ["a field of the wrong kind", { body: '{"agent":7}' }],
  ["a name that is too long", { body: many }],
  ["a request without an agent", {}],
  ["an unknown agent", { body: '{"agent":"rightseet"}' }],
  ["an unknown command", { body: '{"agent":"rightseat","command":"fixx"}' }],
  ["a body of another type", { headers: { "content-type": "text/plain" } }],
  ["a wrong key", { headers: { "x-api-key": "other" } }],
  ["a foreign origin", { headers: { origin: "http://evil.example" } }],
  ["a path that does not exist", { path: "/nowhere" }],
  ["a wrong method", { path: "/", method: "PUT" }],
  ["feedback that cannot be read", { body: '{"agent":"rightseat","action":"jump"}' }],
  [
    "an unknown model of the OpenAI door",
    { path: chat, body: '{"model":"x","messages":[{"role":"user","content":"a"}]}' },
  ],
  ["a body of the OpenAI door that is not JSON", { path: chat, body: "[" }],
  [
    "tools at the OpenAI door",
    { path: chat, body: '{"model":"rightseat","messages":[{"role":"user"}],"tools":[1]}' },
  ],
  ["an unknown model at the list", { path: "/v1/models/nobody", method: "GET" }],
])("%s is refused in the person's language", async (_, refused) => {
  const zh = await refuse(refused, "zh-CN,zh;q=0.9,en;q=0.5");
  const en = await refuse(refused, "en-US,en;q=0.9,zh;q=0.1");
  expect(zh.code).toBe(en.code);
  expect(zh.message).toMatch(han);
  expect(en.message).not.toMatch(han);
  for (const problem of zh.problems ?? []) expect(problem.message).toMatch(han);
  for (const problem of en.problems ?? []) expect(problem.message).not.toMatch(han);
});

test("the field `language` of a request is stronger than its header", async () => {
  const body = '{"agent":"rightseat","command":"fixx","language":"zh"}';
  expect((await refuse({ body }, "en")).message).toMatch(han);
});

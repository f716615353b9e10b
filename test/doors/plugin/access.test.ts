// Who gets in; on Node and in workerd.
import { describe, expect, test } from "vitest";
import type { ChatModel } from "../../../src/turn/chat-model.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect, open } from "../../helpers/plugin-client.ts";
import { cases } from "../../helpers/plugin-ide.ts";
import { requests } from "../../helpers/plugin-requests.ts";

const keys = { RIGHTSEAT_PLUGIN_KEYS: "plain-key,simpletest2025_*" };
const page = { origin: "https://page.example" };

async function statusOf(app: Parameters<typeof open>[0], options: Parameters<typeof open>[1]) {
  const opened = await open(app, options);
  return opened instanceof Response ? opened.status : 101;
}

describe("a key", () => {
  const named = `rightseat.key.${btoa("plain-key").replaceAll("=", "")}`;

  test.each<[string, number, NonNullable<Parameters<typeof open>[1]>]>([
    ["in the header", 101, { headers: { "X-Api-Key": "plain-key" } }],
    ["of a family", 101, { headers: { "X-Api-Key": "simpletest2025_001" } }],
    ["in the query", 101, { path: "/ws?api_key=plain-key" }],
    ["as a subprotocol", 101, { headers: { "sec-websocket-protocol": `rightseat, ${named}` } }],
    ["that is missing", 401, {}],
    ["that is wrong", 401, { headers: { "X-Api-Key": "plain-ke" } }],
    ["of other doors", 401, { headers: { "X-Api-Key": "house-key" } }],
    [
      "as a subprotocol that is no base64",
      401,
      { headers: { "sec-websocket-protocol": "rightseat.key.%" } },
    ],
  ])("%s is answered with %i", async (_, status, options) => {
    const { app } = createTestApp({ settings: { ...keys, RIGHTSEAT_API_KEYS: "house-key" } });
    expect(await statusOf(app, options)).toBe(status);
  });

  test("of all doors lets in where plugins have none of their own", async () => {
    const { app } = createTestApp({ settings: { RIGHTSEAT_API_KEYS: "house-key" } });
    expect(await statusOf(app, { headers: { "X-Api-Key": "house-key" } })).toBe(101);
    expect(await statusOf(app, { path: "/ws?api_key=house-key" })).toBe(101);
    expect(await statusOf(app, { headers: { "X-Api-Key": "simpletest2025_001" } })).toBe(401);
  });

  test("holds five connections, the sixth is refused until one is gone; so does each of a family", async () => {
    const { app } = createTestApp({ settings: keys });
    const by = (key: string) => ({ headers: { "X-Api-Key": key } });
    const clients = [];
    for (let nth = 0; nth < 5; nth += 1) clients.push(await connect(app, by("simpletest2025_001")));
    const refused = await open(app, by("simpletest2025_001"));
    expect(refused).toMatchObject({ status: 429 });
    for (const other of ["plain-key", "simpletest2025_002", "simpletest2025_"])
      expect(await statusOf(app, by(other))).toBe(101);
    clients[0]?.leave();
    await expect.poll(() => statusOf(app, by("simpletest2025_001"))).toBe(101);
  });

  test("of a family knows no task of another one of it", async () => {
    const { app } = createTestApp({ models: [[cases]], settings: keys });
    const by = (key: string) => connect(app, { headers: { "X-Api-Key": key } });
    const asked = await (await by("simpletest2025_001")).ask(requests.exec_unittest_recommend);
    const write = { request_id: 2, cmd: "exec_unittest_code", test_cases_str: "1. adds" };
    const task = { ...write, task_id: asked.at(-1)?.["task_id"] };
    const [answer] = await (await by("simpletest2025_002")).ask(task);
    expect(answer).toMatchObject({ error: expect.stringContaining("task_id is not known") });
    expect((await (await by("simpletest2025_001")).ask(task))[0]).toHaveProperty("msg");
  });

  test("does not travel on to the platform", async () => {
    const seen: Record<string, string>[] = [];
    const model: ChatModel = {
      name: "watching",
      contextWindow: 100_000,
      answerReserve: 1_000,
      async *stream(_, { caller }) {
        seen.push(caller.forward());
        yield { type: "text-delta", text: "Hello." };
        return "stop";
      },
    };
    const { app } = createTestApp({ models: model, settings: keys });
    const headers = {
      "X-Api-Key": "plain-key",
      authorization: "Bearer plain-key",
      "x-user-id": "ada",
    };
    await (await connect(app, { headers })).ask(requests.exec_chat);
    expect(seen).toEqual([{ "x-user-id": "ada" }]);
  });
});

describe("a page", () => {
  test("of a foreign origin is refused", async () => {
    const { app } = createTestApp({ settings: keys });
    const headers = { ...page, "X-Api-Key": "plain-key" };
    expect(await statusOf(app, { headers })).toBe(403);
  });

  test("that may call reads in the socket's end why it gets no further", async () => {
    const settings = {
      ...keys,
      RIGHTSEAT_CORS_ORIGINS: page.origin,
      RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: "1",
    };
    const { app } = createTestApp({ settings });
    const wrong = await connect(app, { headers: page });
    expect(await wrong.closed).toMatchObject({ code: 4401 });
    const path = "/ws?api_key=plain-key";
    await connect(app, { headers: page, path });
    const second = await connect(app, { headers: page, path });
    expect(await second.closed).toMatchObject({ code: 4429 });
  });
});

test("whoever comes while the server drains is told when to come again", async () => {
  const { app } = createTestApp({ settings: keys });
  await app.drain();
  const refused = await open(app, { headers: { "X-Api-Key": "plain-key" } });
  if (!(refused instanceof Response)) throw new Error("The connection is open.");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
});

test("what is no WebSocket is told to be one, also with a key", async () => {
  const { app } = createTestApp({ settings: keys });
  const response = await app.fetch(
    new Request("http://localhost/ws?api_key=plain-key", { headers: { host: "localhost" } }),
  );
  expect(response.status).toBe(426);
  expect(await response.text()).not.toContain("plain-key");
});

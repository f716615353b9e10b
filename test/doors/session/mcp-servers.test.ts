// Sessions with tools of the operator's MCP servers; on Node and in workerd.
import { expect, test } from "vitest";
import { createMcpServers } from "../../../src/tools/specs/mcp-servers.ts";
import { type TestAppOptions, createTestApp } from "../../helpers/create-test-app.ts";
import { openRaw, openShop, textTool } from "../../helpers/mcp-servers.ts";
import { history, init, line, post, readEvents, task } from "../../helpers/session-client.ts";
import type { Script } from "../../../src/testing.ts";
import type { App } from "../../../src/app.ts";

const call = (name: string, args: object) => [
  { type: "tool-call" as const, call: { id: "1", name, arguments: JSON.stringify(args) } },
];

function createApp(options: TestAppOptions<readonly Script[]>, isConfigured = true): App {
  const fetches = [openShop(), openRaw({ tools: [textTool("say")] })];
  const config = {
    shop: { url: "https://shop.test/mcp", type: "http", trusted: true },
    raw: { url: "https://raw.test/mcp", type: "http" },
    away: { url: "https://away.test/mcp", type: "http" },
  };
  const given = {
    environment: { SECRET: "secret" },
    version: "1.0.0",
    followsChanges: false,
    openFetch:
      ([host = ""]: readonly string[]): typeof fetch =>
      async (...request) => {
        const answer = fetches[["shop.test", "raw.test"].indexOf(host)];
        if (answer === undefined) throw new TypeError("fetch failed");
        return answer(new Request(...request));
      },
  };
  const mcp = () => createMcpServers(config, given);
  return createTestApp({ ...options, ...(isConfigured ? { mcp } : {}) }).app;
}

test("a session calls the tools of the servers that it names, under the operator's policy", async () => {
  const settings = { RIGHTSEAT_TOOL_GRANTS: "add_item@shop" };
  const models = [
    call("list_items", { query: "pens" }),
    call("add_item", { name: "pen", count: 2 }),
    call("show", {}),
    ["Done."],
  ];
  const app = createApp({ models, settings });
  const id = await init(app, { mcpServers: ["shop"] });
  const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi")));
  expect(line(events.at(-1)?.message ?? {})).toBe("agent>client [TASK_DONE]");
  const returned = (await history(app, id)).flatMap(({ type, to, message }) =>
    type === "toolReturn" && to === "agent" ? [(message as { result: object }).result] : [],
  );
  expect(returned).toEqual([
    { statusCode: 200, body: "items of pens" },
    { statusCode: 200, body: 'added\n{"id":"pen-2"}' },
    expect.objectContaining({ statusCode: 403 }),
  ]);
});

test.each<[unknown, string, string]>([
  [["other"], "mcpServers[0]", "must be the name of a server: shop, raw, away"],
  [["shop", "${SECRET}"], "mcpServers[1]", "must be the name of a server: shop, raw, away"],
  [["__proto__"], "mcpServers[0]", "must be the name of a server"],
  [[{ command: "sh", args: ["-c", "id"] }], "mcpServers[0]", "must be"],
  [{ shop: { command: "sh" } }, "mcpServers", "must be a list"],
  [
    { shop: { url: "https://x.test", headers: { a: "${SECRET}" } } },
    "mcpServers",
    "must be a list",
  ],
  ["shop", "mcpServers", "must be a list"],
])("%j is refused with its place", async (mcpServers, param, text) => {
  const response = await post(createApp({}), "/api/init", { mcpServers });
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: Record<string, string> };
  expect(error).toMatchObject({ code: "invalid_request", param });
  expect(error["message"]).toContain(text);
  expect(JSON.stringify(error)).not.toContain('"secret"');
});

test("a server that cannot be reached is told of when it is named, and others go on", async () => {
  const app = createApp({ models: [call("say", {}), ["Done."]] });
  const response = await post(app, "/api/init", { mcpServers: ["raw", "away"] });
  expect(response.status).toBe(502);
  expect(await response.text()).toContain("The MCP server away cannot be used");
  const id = await init(app, { mcpServers: ["raw", "raw"] });
  const events = await readEvents(await post(app, `/api/chat?id=${id}`, task("Hi")));
  expect(line(events.at(-1)?.message ?? {})).toBe("agent>client [TASK_DONE]");
});

test("without servers none can be named", async () => {
  const response = await post(createApp({}, false), "/api/init", { mcpServers: ["shop"] });
  expect(await response.json()).toMatchObject({
    error: {
      param: "mcpServers[0]",
      message: expect.stringContaining("the operator has configured none"),
    },
  });
  const app = createApp({}, false);
  expect(await init(app, { mcpServers: [] })).not.toBe("");
});

// Agents whose operator has listed descriptions of services: their questions call these.
import { expect, test } from "vitest";
import type { AppDeps } from "../../../src/app.ts";
import { AgentDefinition } from "../../../src/turn/agent-definition.ts";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { send } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { clientOf, clients } from "../../helpers/openai-client.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";
import { openHouse, openRaw, textTool } from "../../helpers/mcp-servers.ts";
import { apiOf, openSpecs } from "../../helpers/spec-tools.ts";

const [newest] = clients;
const shop = apiOf(
  { "/orders": { get: { operationId: "listOrders" }, post: { operationId: "order" } } },
  {},
  { apiKey: { type: "bearer", apiKey: "secret-of-the-shop" } },
);
const template = { role: "user" as const, template: "Answer: {{ userInputPrompt }}" };
const agent = AgentDefinition.parse({
  name: "shopkeeper",
  openSpecList: [shop],
  commands: [{ name: "default" }, { name: "chat" }, { name: "ask", messageTemplates: [template] }],
});
const others = AgentDefinition.parse({ name: "other", commands: [{ name: "chat" }] });

const call = (id: string, name: string): Script[number] => ({
  type: "tool-call",
  call: { id, name, arguments: "{}" },
});

function openShop(scripts: readonly Script[]) {
  const sent: string[] = [];
  const openTools: NonNullable<AppDeps["openTools"]> = async (list, use) => {
    const { toolbox } = await openSpecs(list, {
      ...use,
      grants: {},
      answer({ method, url, headers }) {
        sent.push(`${method} ${url} ${headers.get("authorization")}`);
        return Response.json({ orders: 3 });
      },
    });
    return toolbox.tools;
  };
  const model = scriptedModel(scripts);
  const { app } = createTestApp({ models: model, agents: [agent, others], openTools });
  return { app, model, sent };
}

const variables = [{ name: "userInputPrompt", value: "How many orders are there?" }];
const script = [["Let me look.", call("a", "listOrders"), call("b", "order")], ["There are 3."]];
const sentOnce = ["GET https://api.test/v1/orders Bearer secret-of-the-shop"];

test.each(["chat", "ask", "default"])(
  "the command %s calls them under the policy, and answers with what it found",
  async (command) => {
    const { app, model, sent } = openShop(script);
    const asked = { agent: "shopkeeper", command, contextVariables: variables };
    const { text, finish } = await send(app, asked);
    expect([text, finish]).toEqual([expect.stringContaining("There are 3."), "stop"]);
    expect(sent).toEqual(sentOnce);
    const results = model.requests[1]?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringContaining('{\\"orders\\":3}'),
      expect.stringContaining('"statusCode":403'),
    ]);
    expect(JSON.stringify(model.requests)).not.toContain("secret-of-the-shop");
  },
);

test("clients of the OpenAI API get the answer, and no calls that are not theirs to make", async () => {
  const { app, sent } = openShop(script);
  const { completions } = clientOf(newest, app).chat;
  const messages = [{ role: "user" as const, content: "How many orders are there?" }];
  const { choices } = await completions.create({ model: "shopkeeper", messages });
  expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { role: "assistant" } });
  expect(choices[0]?.message.content).toContain("There are 3.");
  expect(choices[0]?.message.tool_calls ?? []).toEqual([]);
  expect(sent).toEqual(sentOnce);
});

test("other agents have none, and a request cannot bring any", async () => {
  const { app, model, sent } = openShop([["No."], ["No."]]);
  for (const given of [
    { agent: "other" },
    { agent: "other", agentDefinition: { ...others, openSpecList: [shop] } },
  ])
    await send(app, { ...given, command: "chat", contextVariables: variables });
  expect(model.requests.map(({ tools = [] }) => tools)).toEqual([[], []]);
  expect(sent).toEqual([]);
});

test("a description that cannot be read is told with the agent's name", async () => {
  const wrong = AgentDefinition.parse({ ...agent, openSpecList: [{ ...shop, protocol: "soap" }] });
  const { app } = createTestApp({ agents: [wrong] });
  await expect(app.readTools()).rejects.toMatchObject({
    code: "invalid_request",
    details: { param: "shopkeeper.openSpecList[0].protocol" },
  });
});

const hello = { tools: [textTool("hello")], call: () => ({ content: [] }) };
const named = (mcpServers: string[]) => AgentDefinition.parse({ ...others, mcpServers });
const asked = { agent: "other", command: "chat", contextVariables: variables };

test("servers of MCP that an agent names are called by its questions, as they are at that time", async () => {
  const raw: Parameters<typeof openRaw>[0] = { ...hello };
  const timers = createManualTimers();
  const fetches = { greeter: openRaw(raw), unnamed: openRaw({ tools: [textTool("other")] }) };
  const { servers } = await openHouse(fetches, {}, { timers });
  const once = [[call("a", "hello"), call("b", "bye")], ["Hi."]];
  const model = scriptedModel([...once, ...once]);
  const { app } = createTestApp({
    models: model,
    agents: [named(["greeter"])],
    settings: { RIGHTSEAT_TOOL_GRANTS: '{"*@greeter":{"perMinute":1}}' },
    mcp: () => servers,
  });
  const ask = async (more: object) => {
    await send(app, { ...asked, ...more });
    const { messages = [], tools = [] } = model.requests.at(-1) ?? {};
    const results = messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
    return { tools: tools.map(({ name }) => name), results };
  };
  const first = await ask({});
  expect(first.tools).toEqual(["hello"]);
  expect(first.results[0]).toContain('"statusCode":200');
  expect(raw.called).toMatchObject({ name: "hello" });
  // A list that its server has changed, and a rate that goes on from one question to the next.
  raw.tools = [textTool("hello"), textTool("bye")];
  timers.pass(30_000);
  const second = await ask({ agentDefinition: named(["greeter", "unnamed"]) });
  expect(second.tools).toEqual(["hello", "bye"]);
  expect(second.results).toEqual(Array(2).fill(expect.stringContaining('"statusCode":429')));
  await servers.close();
});

test("a server that the operator has not listed stops the start, one that is gone fails the question", async () => {
  const { servers } = await openHouse(
    { greeter: openRaw(hello) },
    { greeter: { url: "https://gone.test" } },
  );
  const open = (name: string, mcp?: () => typeof servers) =>
    createTestApp({ agents: [named([name])], ...(mcp === undefined ? {} : { mcp }) }).app;
  const app = open("greeter", () => servers);
  await app.readTools();
  expect((await send(app, asked)).status).toBe(502);
  const listed = /^other\.mcpServers\[0\] must be the name of a server: greeter/;
  await expect(open("nobody", () => servers).readTools()).rejects.toThrow(listed);
  const none = /^other\.mcpServers\[0\] .* the operator has configured none/;
  await expect(open("greeter").readTools()).rejects.toThrow(none);
});

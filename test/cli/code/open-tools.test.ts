// Tools that the person's settings describe: what only reads runs, what changes something is asked for.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openTools } from "../../../src/cli/code/run-code.ts";
import { createLocalApp } from "../../../src/cli/create-local-app.ts";
import { cliTexts } from "../../../src/cli/texts.ts";
import { type Config, parseConfig } from "../../../src/setup/config.ts";
import { runCall } from "../../../src/tools/run-call.ts";
import { type AnyTool, type AskedCall, type CommonUse, Toolbox } from "../../../src/tools/tool.ts";
import { temporaryFolder } from "../call/temporary-folder.ts";

const pets = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: {
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: { operationId: "getPet", responses: { "200": { description: "ok" } } },
      delete: { operationId: "deletePet", responses: { "200": { description: "ok" } } },
      put: { operationId: "putPet", responses: { "200": { description: "ok" } } },
    },
  },
};

async function startPets() {
  const heard: string[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    heard.push(`${method} ${url} ${headers.authorization ?? ""}`);
    response.setHeader("content-type", "application/json").end('{"name":"Rex"}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { heard, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function useOf(says?: { ok: true } | { ok: false; reason: string }) {
  const asked: AskedCall[] = [];
  const use: CommonUse & { seen: Map<string, string> } = {
    locale: "en",
    signal: new AbortController().signal,
    seen: new Map(),
    ...(says && { askCall: async (call: AskedCall) => (asked.push(call), says) }),
  };
  const call = async (tools: readonly AnyTool[], name: string, args: object) => {
    const given = { id: "1", name, arguments: JSON.stringify(args) };
    return (await runCall(given, new Toolbox(tools), use)).outcome;
  };
  return { asked, call };
}

const texts = cliTexts("en");

async function openFor(config: Config, root: string) {
  const app = await createLocalApp(config, [], {});
  onTestFinished(() => app.close());
  return openTools({ config, root, texts }, app);
}

describe("a description of the settings", () => {
  async function openPets(entry: object, grants: string[]) {
    const { heard, host } = await startPets();
    const folder = temporaryFolder({ "pets.json": JSON.stringify(pets) });
    const file = {
      openSpecList: [{ protocol: "openapi", baseUrl: `http://${host}`, ...entry }],
      toolGrants: grants.map((grant) => `${grant}@${host}`),
      sessionHosts: [host],
    };
    writeFileSync(join(folder, "rightseat.json"), JSON.stringify(file));
    vi.stubEnv("RIGHTSEAT_CONFIG", join(folder, "rightseat.json"));
    const config = parseConfig({}, file);
    const tools = await openFor(config, temporaryFolder());
    return { tools, heard, host, folder, config };
  }

  test.each([{ openSpec: pets }, { openSpec: JSON.stringify(pets) }, { openSpec: "pets.json" }])(
    "is read as %j",
    async (entry) => {
      const apiKey = { type: "bearer", apiKey: "canary" };
      const { tools, heard } = await openPets({ ...entry, apiKey }, []);
      const { call } = useOf();
      expect(await call(tools, "getPet", { id: 7 })).toMatchObject({ statusCode: 200 });
      expect(heard).toEqual(["GET /pets/7 Bearer canary"]);
    },
  );

  test("lets reads pass, asks for granted writes with all that is sent, and refuses the others", async () => {
    const { tools, heard, host } = await openPets({ openSpec: pets }, ["deletePet"]);
    const yes = useOf({ ok: true });
    expect(await yes.call(tools, "deletePet", { id: 7 })).toMatchObject({ statusCode: 200 });
    expect(yes.asked).toMatchObject([{ tool: "deletePet", target: host, arguments: { id: 7 } }]);
    expect(await yes.call(tools, "putPet", { id: 7 })).toMatchObject({ statusCode: 403 });
    expect(yes.asked).toHaveLength(1);
    const no = useOf({ ok: false, reason: "they said no." });
    expect(await no.call(tools, "deletePet", { id: 8 })).toMatchObject({
      statusCode: 403,
      body: "Nothing was sent: they said no.",
    });
    expect(await useOf().call(tools, "deletePet", { id: 9 })).toMatchObject({ success: false });
    expect(heard).toEqual(["DELETE /pets/7 "]);
  });

  test("is refused where the agent could change it, or where there is none", async () => {
    const { config, folder } = await openPets({ openSpec: "pets.json" }, []);
    await expect(openFor(config, folder)).rejects.toThrow("Move it out");
    await expect(openPets({ openSpec: "none.yaml" }, [])).rejects.toThrow("does not exist");
  });
});

test("of very many tools each write is asked for by its own name, and no read is", async () => {
  const { heard, host } = await startPets();
  const paths = Object.fromEntries(
    Array.from({ length: 100 }, (_, nth) => [
      `/pets/${nth}`,
      { [nth % 2 === 0 ? "get" : "put"]: { operationId: `tool${nth}` } },
    ]),
  );
  const entry = { protocol: "openapi", openSpec: { ...pets, paths }, baseUrl: `http://${host}` };
  const file = { openSpecList: [entry], toolGrants: [`*@${host}`], sessionHosts: [host] };
  const tools = await openFor(parseConfig({}, file), temporaryFolder());
  const yes = useOf({ ok: true });
  await yes.call(tools, "call_tool", { name: "tool2", arguments: {} });
  await yes.call(tools, "call_tool", { name: "tool3", arguments: "{}" });
  await yes.call(tools, "tool5", {});
  expect(yes.asked.map(({ tool, target }) => [tool, target])).toEqual([
    ["tool3", host],
    ["tool5", host],
  ]);
  const no = useOf({ ok: false, reason: "no." });
  await no.call(tools, "call_tool", { name: "tool7", arguments: {} });
  await no.call(tools, "TOOL-9", {});
  expect(heard.map((line) => line.trim())).toEqual(["GET /pets/2", "PUT /pets/3", "PUT /pets/5"]);
});

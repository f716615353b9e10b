import { expect, test } from "vitest";
import { createLocalApp } from "../../src/cli/create-local-app.ts";
import { parseConfig } from "../../src/setup/config.ts";
import { AgentDefinition } from "../../src/turn/agent-definition.ts";
import { copilotRequest, post } from "../helpers/copilot-request.ts";
import { temporaryFolder } from "./call/temporary-folder.ts";

const knowledgeBase = { name: "knowledgeBase", resolverOptions: { recallByAgent: true } };
const contextVariableCollectionStrategy = { contextVariables: [knowledgeBase] };
const helper = AgentDefinition.parse({
  name: "helper",
  commands: [{ name: "explain", contextVariableCollectionStrategy }],
});

function folder(): string {
  return temporaryFolder({ "guide/lines.md": "# Lines\n\n`countLines` counts the lines.\n" });
}

test("the app of this process searches the knowledge folder as the server does", async () => {
  const config = parseConfig({ RIGHTSEAT_KNOWLEDGE: folder() });
  const local = await createLocalApp(config, [helper], {});
  const response = await post(local.app, copilotRequest("explain", { agent: "helper" }));
  expect(await response.text()).toContain("[1] guide/lines.md:1-3");
  await local.close();
});

test("a definition that comes with the requests is searched for, too", async () => {
  const config = parseConfig({ RIGHTSEAT_KNOWLEDGE: folder() });
  const local = await createLocalApp(config, [], {}, helper);
  const response = await post(local.app, copilotRequest("explain", { agentDefinition: helper }));
  expect(await response.text()).toContain("[1] guide/lines.md:1-3");
  await local.close();
});

test("a knowledge folder that is missing stops the call only where it would be searched", async () => {
  const config = parseConfig({ RIGHTSEAT_KNOWLEDGE: "no/such/folder" });
  await expect(createLocalApp(config, [helper], {})).rejects.toThrow(
    "The knowledge folder no/such/folder cannot be read.",
  );
  const other = AgentDefinition.parse({ name: "other" });
  const local = await createLocalApp(config, [other], {});
  await local.close();
});

test("the offline model says what it is once in a conversation", async () => {
  const local = await createLocalApp(parseConfig({}), [helper], {});
  const ask = async () =>
    (await post(local.app, copilotRequest("explain", { agent: "helper" }))).text();
  const notice = "This is the built-in offline model";
  expect(await ask()).toContain(notice);
  expect(await ask()).not.toContain(notice);
  await local.close();
});

test("why a model could not be reached is known in this process", async () => {
  const environment = { OPENAI_BASE_URL: "http://localhost:9/v1" };
  const config = { ...parseConfig(environment), retryBackoff: 1 };
  const local = await createLocalApp(config, [helper], environment);
  const question = { name: "userInputPrompt", value: "Why?" };
  const asked = copilotRequest("chat", { agent: "helper", contextVariables: [question] });
  const response = await post(local.app, asked);
  expect([response.status, await response.text()]).toEqual([
    502,
    expect.not.stringContaining("ECONNREFUSED"),
  ]);
  expect(local.trouble).toMatchObject({
    host: "localhost:9",
    model: "gpt-4.1-mini",
    connection: "the connection was refused (ECONNREFUSED)",
  });
  await local.close();
});

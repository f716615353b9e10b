// What a search of the agent takes, at doors with an engine for expressions and without one.
import { expect, test } from "vitest";
import { createOpenApp } from "../../../src/cli/create-local-app.ts";
import { createModelTable } from "../../../src/model/model-table.ts";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { loadAgents } from "../../../src/setup/load-agents.node.ts";
import { loadPromptFiles } from "../../../src/setup/load-prompt-files.node.ts";
import { parseConfig } from "../../../src/setup/config.ts";
import { plainCodeParser } from "../../../src/code/plain/analyze-plain.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { ask, prompted } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { toolCall } from "../../helpers/loop-app.ts";

const script = (query: string): Script[] => [
  [toolCall("grep_search", { query })],
  [toolCall("finish", { response: "Done." })],
];
const files = {
  name: "packageFiles",
  value: [{ filepath: "src/a.js", content: "export const sum = total(1, 2);\n" }],
};

test("a search at a door of Node takes an expression", async () => {
  const model = scriptedModel(script(String.raw`total\(`));
  const config = parseConfig({});
  const app = createOpenApp({
    config,
    agents: loadAgents(config.agents, () => undefined),
    models: createModelTable([{ name: model.name, model }]),
    promptFiles: loadPromptFiles(),
    code: plainCodeParser,
  });
  await ask(app, "code", [prompted("Where is total called?"), files]);
  expect(describeQuery(model)).toContain("RE2");
  const told = model.requests.at(-1)?.messages.at(-1);
  expect(told && textOfMessage(told)).toContain("export const sum = total(1, 2);");
});

test("a search without an engine says that it takes plain text", async () => {
  const { app, model } = createTestApp({ models: script(String.raw`total\(`) });
  await ask(app, "code", [prompted("Where is total called?"), files]);
  expect(describeQuery(model)).toContain("Regular expressions do not work here");
  const told = model.requests.at(-1)?.messages.at(-1);
  expect(told && textOfMessage(told)).toContain("without escapes");
});

function describeQuery({ requests }: ReturnType<typeof scriptedModel>): string {
  const tool = requests[0]?.tools?.find(({ name }) => name === "grep_search");
  return JSON.stringify(tool?.parameters);
}

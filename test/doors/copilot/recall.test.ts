// Definitions that leave the search for knowledge to the agent.
import { addFile } from "../../knowledge/fixtures.ts";
import { expect, test } from "vitest";
import { createKnowledgeIndex } from "../../../src/knowledge/knowledge-index.ts";
import { copilotRequest, post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

function definition(recallByAgent: boolean, knowledgeBaseIds: string[] = []) {
  const contextVariables = [
    { name: "activeEditor" },
    { name: "knowledgeBase", resolverOptions: { recallByAgent, knowledgeBaseIds } },
  ];
  const contextVariableCollectionStrategy = { type: "specify", contextVariables };
  return { name: "helper", commands: [{ name: "explain", contextVariableCollectionStrategy }] };
}

function retriever() {
  const index = createKnowledgeIndex();
  addFile(
    index,
    "guide/lines.md",
    "# Lines\n\nAn empty file has one line. `countLines` counts it.\n",
  );
  addFile(index, "guide/money.md", "# Money\n\nPrices are in cents.\n");
  return index;
}

async function ask(agentDefinition: object) {
  const { app, model } = createTestApp({ models: [["It counts [1]."]], retriever: retriever() });
  const response = await post(app, copilotRequest("explain", { agent: "helper", agentDefinition }));
  return { text: await response.text(), prompt: model.requests[0]?.messages.at(-1)?.content ?? "" };
}

test("what is found for the question is numbered in the prompt and listed at the end", async () => {
  const { text, prompt } = await ask(definition(true));
  expect(prompt).toContain("[1] guide/lines.md:1-3");
  expect(prompt).toContain("An empty file has one line.");
  const list = "**Sources:**\\n\\n- [1] `guide/lines.md:1-3`\\n";
  expect(text).toContain(list);
  expect(text.indexOf(list)).toBeLessThan(text.indexOf("copilot_action"));
});

test("only the knowledge bases that the definition names are searched", async () => {
  expect((await ask(definition(true, ["guide"]))).prompt).toContain("An empty file");
  const { text, prompt } = await ask(definition(true, ["other"]));
  expect(prompt).not.toContain("An empty file");
  expect(text).not.toContain("Sources");
});

test("nothing is searched where the client does it", async () => {
  const { text, prompt } = await ask(definition(false));
  expect(prompt).not.toContain("An empty file");
  expect(text).not.toContain("Sources");
});

test("a question without a command searches where default leaves the search to the agent", async () => {
  const found = (recallByAgent: boolean) => {
    const [command] = definition(recallByAgent).commands;
    return command?.contextVariableCollectionStrategy;
  };
  const cases = [
    [[{ name: "default", contextVariableCollectionStrategy: found(true) }], true],
    [
      [
        { name: "default", contextVariableCollectionStrategy: found(true) },
        { name: "chat", contextVariableCollectionStrategy: found(false) },
      ],
      true,
    ],
    [[{ name: "default" }, { name: "chat", contextVariableCollectionStrategy: found(true) }], true],
    [[{ name: "default", contextVariableCollectionStrategy: found(false) }], false],
  ] as const;
  for (const [commands, isFound] of cases) {
    const { app, model } = createTestApp({ retriever: retriever() });
    const agentDefinition = { name: "helper", commands };
    await (await post(app, copilotRequest("default", { agentDefinition }))).text();
    const asked = JSON.stringify(model.requests[0]?.messages);
    expect(asked.includes("An empty file has one line.")).toBe(isFound);
  }
});

import { expect, test } from "vitest";
import { createAgent } from "../../eval/create-agent.ts";
import { parseConfig } from "../../src/setup/config.ts";
import { loadAgents } from "../../src/setup/load-agents.node.ts";
import { type ScriptedModel, scriptedModel } from "../../src/testing.ts";
import { loadPromptFiles } from "../../src/setup/load-prompt-files.node.ts";
import { code } from "./scripted-eval.ts";

const signal = new AbortController().signal;
const values = {
  userInputPrompt: "What is it?",
  activeEditor: { filePath: "a.ts", content: "f();" },
};

function agentOf(model: ScriptedModel, settings: Record<string, string> = {}) {
  return createAgent({
    config: parseConfig(settings),
    agents: loadAgents(undefined),
    promptFiles: loadPromptFiles(),
    code,
    chosen: { name: "big", model, modelId: "big-2" },
    locale: "zh",
  });
}

test("settings that guard a server do not keep the evaluation out", async () => {
  const agent = agentOf(scriptedModel([["It."]]), {
    RIGHTSEAT_ALLOWED_HOSTS: "agents.example",
    RIGHTSEAT_API_KEYS: "a-key-that-is-long-enough-to-be-one",
  });
  const { response } = await agent.ask("explain", values, signal);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"It."');
});

test("the chosen model is asked under its id, in the language that was chosen", async () => {
  const model = scriptedModel([["It."]]);
  const { response } = await agentOf(model).ask("explain", values, signal);
  await response.text();
  expect(model.requests).toMatchObject([{ model: "big-2", locale: "zh" }]);
});

test("turns that run at once keep their calls apart", async () => {
  const agent = agentOf(scriptedModel([["One."], ["Two."]]));
  const turns = await Promise.all([1, 2].map(() => agent.ask("explain", values, signal)));
  const texts = await Promise.all(turns.map(({ response }) => response.text()));
  expect(texts.map((text) => text.includes("One."))).toEqual([true, false]);
  expect(turns.map(({ calls }) => calls)).toEqual([[{ text: "One." }], [{ text: "Two." }]]);
});

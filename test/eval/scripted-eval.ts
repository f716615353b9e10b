import { runCase, type CaseResult } from "../../eval/run-case.ts";
import { createAgent } from "../../eval/create-agent.ts";
import type { EvalCase } from "../../eval/eval-case.ts";
import { parseConfig } from "../../src/setup/config.ts";
import { loadAgents } from "../../src/setup/load-agents.node.ts";
import { type Script, scriptedModel } from "../../src/testing.ts";
import { loadPromptFiles } from "../../src/setup/load-prompt-files.node.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import { code } from "../helpers/code-parser.ts";
export { code };

const agents = loadAgents(undefined);
const promptFiles = loadPromptFiles();

/** Runs a case through the real door with a model of the test's own, or one that follows scripts. */
export function evaluate(
  asked: EvalCase,
  models: ChatModel | readonly Script[],
  signal = new AbortController().signal,
): Promise<CaseResult> {
  const model = "stream" in models ? models : scriptedModel(models);
  const agent = createAgent({
    config: parseConfig({}),
    agents,
    promptFiles,
    code,
    chosen: { name: model.name, model, modelId: undefined },
  });
  return runCase(asked, agent, code, signal);
}

/** An edit as a model writes it. */
export function fileEdit(path: string, search: string, replace: string): string {
  const unit = `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE`;
  return `<file-edit filePath="${path}">\n${unit}\n</file-edit>\n`;
}

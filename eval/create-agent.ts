import { CliError } from "../src/cli/cli-error.ts";
import { createOpenApp } from "../src/cli/create-local-app.ts";
import type { Config } from "../src/setup/config.ts";
import type { Locale } from "../src/base/errors/locale.ts";
import type { PromptFiles } from "../src/prompt/prompt-library.ts";
import type { CodeParser } from "../src/code/code-analysis.ts";
import type { AgentDefinition } from "../src/turn/agent-definition.ts";
import type { ChosenModel } from "./choose-model.ts";
import { type WatchedModel, watchModel } from "./watch-model.ts";

export interface AgentParts {
  config: Config;
  /** The first one is asked. */
  agents: readonly AgentDefinition[];
  promptFiles: PromptFiles;
  code: CodeParser;
  chosen: ChosenModel;
  /** Goes where the platform's model wants one. */
  key?: string | undefined;
  locale?: Locale | undefined;
}

/** What a case asks beside its command. */
export type ContextValues = Readonly<Record<string, unknown>>;

export interface Agent {
  /** Posts a request as an IDE does. `calls` and `prompts` grow while the response is read. */
  ask(
    command: string,
    values: ContextValues,
    signal: AbortSignal,
    /** Settings of this turn only. */
    settings?: Partial<Config>,
  ): Promise<{ response: Response } & Omit<WatchedModel, "model">>;
}

/**
 * The agent of the settings in this process, with one model whatever definitions name. Each turn
 * has an app of its own, so that turns that run at once keep their calls apart.
 */
export function createAgent({ chosen, agents, key, locale, ...parts }: AgentParts): Agent {
  const [agent] = agents;
  if (agent === undefined) throw new CliError("No agent is configured here.");
  return {
    async ask(command, values, signal, settings = {}) {
      const { model, calls, prompts } = watchModel(chosen.model);
      const { modelId } = chosen;
      const models = { names: [chosen.name], resolve: () => ({ model, modelId }) };
      const app = createOpenApp({
        ...parts,
        config: { ...parts.config, ...settings },
        agents: [agent],
        models,
      });
      const contextVariables = Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => ({ name, value }));
      const request = new Request("http://localhost/", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ agent: agent.name, command, language: locale, contextVariables }),
        signal,
      });
      return { response: await app.fetch(request), calls, prompts };
    },
  };
}

import { type App, type AppDeps, createApp } from "../app.ts";
import type { Config } from "../config.ts";
import { createModels } from "../create-models.ts";
import { loadGrammars } from "../load-grammars.node.ts";
import { createUndiciTransport } from "../model/undici-transport.node.ts";
import { productVersion } from "../node.ts";
import { loadPromptFiles } from "../prompt/load-prompt-files.node.ts";
import { createCodeParser } from "../symbols/create-code-parser.ts";
import type { AgentDefinition } from "../turn/agent-definition.ts";
import { createWebExchange } from "../wire/web-exchange.ts";

export interface LocalApp {
  app: App;
  /** Closes the connections to models. */
  close(): Promise<void>;
}

/**
 * The app without a server: the same parts as `startServer`, but no port, no key and no Host name.
 *
 * @throws ConfigError when a model's key is not set
 */
export function createLocalApp(
  config: Config,
  agents: readonly AgentDefinition[],
  environment: Readonly<Record<string, string | undefined>>,
): LocalApp {
  const transport = createUndiciTransport(config.connectTimeout);
  const code = createCodeParser(loadGrammars());
  const models = createModels(config, environment, transport, code);
  const promptFiles = loadPromptFiles();
  const app = createOpenApp({ config, agents, models, promptFiles, code });
  return { app, close: () => transport.close() };
}

/** An app for this process only: whoever can start the process may use it. */
export function createOpenApp(
  parts: Pick<AppDeps, "config" | "agents" | "models" | "promptFiles" | "code">,
): App {
  return createApp({
    ...parts,
    config: { ...parts.config, allowedHosts: undefined, apiKeys: [], jwksUrl: undefined },
    createExchange: createWebExchange,
    createId: () => crypto.randomUUID(),
    now: Date.now,
    version: productVersion(),
  });
}

import { type App, createApp } from "../app.ts";
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
 * The app without a server: the same parts as `startServer`, but no port. Whoever can start the
 * process may use it, so it asks for no key and no Host name.
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
  const app = createApp({
    config: { ...config, allowedHosts: undefined, apiKeys: [], jwksUrl: undefined },
    agents,
    models: createModels(config, environment, transport, code),
    promptFiles: loadPromptFiles(),
    code,
    createExchange: createWebExchange,
    createId: () => crypto.randomUUID(),
    now: Date.now,
    version: productVersion(),
  });
  return { app, close: () => transport.close() };
}

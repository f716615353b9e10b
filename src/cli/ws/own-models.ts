import type { CodeParser } from "../../code/code-analysis.ts";
import type { ChatModel } from "../../turn/chat-model.ts";
import { createUndiciTransport } from "../../model/chat/undici-transport.node.ts";
import type { Config } from "../../setup/config.ts";
import { readProxies } from "../../setup/read-proxies.node.ts";
import { createModels } from "../../setup/create-models.ts";

/** The models of the settings, for prompts that an agent sends to this side. */
export interface OwnModels {
  find(name: string): ChatModel | undefined;
  close(): Promise<void>;
}

/**
 * The rows of the models table by their names; the platform and the offline model answer no bare prompts.
 *
 * @throws ConfigError when a row's key variable is not set
 */
export function createOwnModels(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  code: CodeParser,
): OwnModels {
  const transport = createUndiciTransport(config.connectTimeout, readProxies(environment));
  const table = createModels(
    { ...config, modelOrder: ["table", "offline", "platform"] },
    environment,
    transport,
    code,
  );
  return {
    find(name) {
      const isRow = !["offline", "platform", "*"].includes(name) && table.names.includes(name);
      return isRow ? table.resolve([name]).model : undefined;
    },
    close: () => transport.close(),
  };
}

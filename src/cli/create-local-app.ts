import { type App, type AppDeps, createApp } from "../app.ts";
import type { AppError, UpstreamFacts } from "../base/errors/app-error.ts";
import type { Config } from "../setup/config.ts";
import { createMcp } from "../setup/create-mcp.node.ts";
import { createModels } from "../setup/create-models.ts";
import { listRecalls } from "../knowledge/retriever.ts";
import { loadKnowledge } from "../setup/knowledge/load-knowledge.node.ts";
import { createUndiciTransport } from "../model/chat/undici-transport.node.ts";
import { createConfiguredThreads } from "../setup/threads/create-code-threads.node.ts";
import { createOutsideFetch, readProxies } from "../setup/read-proxies.node.ts";
import { loadPromptFiles } from "../setup/load-prompt-files.node.ts";
import { productVersion } from "../setup/check-node.node.ts";
import type { AgentDefinition } from "../turn/agent-definition.ts";
import { compilePattern } from "../workspace/search/compile-pattern.node.ts";
import { createWebExchange } from "../base/wire/exchange.ts";
import { nodeExchanges } from "../base/wire/node-exchange.node.ts";
import { createNodeSockets } from "../base/wire/node-sockets.node.ts";
import type { ReadYaml } from "../tools/specs/spec-document.ts";
import { createModbus, modbusOptions } from "../tools/specs/modbus-serial.node.ts";
import { keyProtocol } from "../doors/http/sockets.ts";

export type LocalApp = Awaited<ReturnType<typeof createLocalApp>>;

/**
 * The app without a server: the same parts as `startServer`, but no port, no key and no Host name.
 *
 * @param sent a definition that comes with the requests
 * @throws ConfigError when a model's key is not set, or the knowledge folder cannot be read
 */
export async function createLocalApp(
  config: Config,
  agents: readonly AgentDefinition[],
  environment: NodeJS.ProcessEnv,
  sent?: AgentDefinition,
  parts: Pick<AppDeps, "doors"> = {},
) {
  const knowledge = await readKnowledge(config, sent === undefined ? agents : [sent]);
  const proxies = readProxies(environment);
  const transport = createUndiciTransport(config.connectTimeout, proxies);
  const guardedFetch = createOutsideFetch(config, proxies);
  // One call reads one text at a time.
  const code = createConfiguredThreads({ ...config, parseThreads: 1 });
  const models = createModels(config, environment, transport, code, true, guardedFetch);
  const promptFiles = loadPromptFiles();
  let trouble: UpstreamFacts | undefined;
  const onFailure = ({ upstream }: AppError): void => {
    trouble = upstream;
  };
  const sockets = createNodeSockets({ ...config, secretProtocol: keyProtocol });
  const exchanges = { createExchange: nodeExchanges(sockets) };
  const readYaml: ReadYaml = async (text) =>
    (await import("../tools/specs/spec-document.ts")).readYaml(text);
  const modbus = createModbus(modbusOptions(config));
  const mcp = await createMcp(config, environment, proxies);
  const servers = mcp === undefined ? {} : { mcp: () => mcp };
  const tools = { guardedFetch, modbus, readYaml, asksForCalls: true, ...servers };
  const given = { ...parts, ...knowledge, ...exchanges, ...tools };
  const app = createOpenApp({ config, agents, models, promptFiles, code, onFailure, ...given });
  return {
    app,
    sockets,
    code,
    /** What is known of the last failure of a model; undefined if none has failed. */
    get trouble(): UpstreamFacts | undefined {
      return trouble;
    },
    /**
     * Reads the operator's descriptions of what models may call, and the lists of their servers of MCP; whatever changes
     * something is asked for, and needs a grant besides.
     *
     * @param taken names that other tools have
     * @throws AppError
     */
    async openTools(list: readonly unknown[], taken: readonly string[]) {
      // What cannot be used is told.
      await mcp?.update();
      const operations = mcp?.operations() ?? [];
      if (list.length + operations.length === 0) return [];
      const { readSpecs } = await import("../tools/specs/read-specs.ts");
      return readSpecs(list, {
        fetch: guardedFetch,
        createId: () => crypto.randomUUID(),
        now: Date.now,
        modbus,
        operations,
        grants: config.toolGrants,
        asks: true,
        maxText,
        taken,
      });
    },
    async close(): Promise<void> {
      sockets.close();
      code.close();
      await mcp?.close();
      await transport.close();
    },
  };
}

/** Of a description, in characters: it is the person's own. */
const maxText = 10 * 1024 * 1024;

/** One call takes what is there now; where no command searches it, reading it would be time lost. */
async function readKnowledge({ knowledge: folder }: Config, agents: readonly AgentDefinition[]) {
  if (folder === undefined || agents.every((agent) => listRecalls(agent).length === 0)) return {};
  const { retriever } = await loadKnowledge(folder, { watch: false });
  return { retriever };
}

const unguarded = { allowedHosts: undefined, apiKeys: [], pluginKeys: [], jwksUrl: undefined };

/** An app for this process only: who can start the process may use it. */
export function createOpenApp(
  parts: Omit<AppDeps, "compilePattern" | "createExchange" | "createId" | "now" | "version"> &
    Partial<Pick<AppDeps, "createExchange">>,
): App {
  return createApp({
    createExchange: createWebExchange,
    ...parts,
    config: { ...parts.config, ...unguarded },
    compilePattern,
    createId: () => crypto.randomUUID(),
    now: Date.now,
    version: productVersion(),
  });
}

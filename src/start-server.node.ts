import { type Server, type ServerOptions as HttpOptions, createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { RequestError, getRequestListener } from "@hono/node-server";
import { getLogger } from "@logtape/logtape";
import { type App, type AppDeps, createApp } from "./app.ts";
import { checkNode, productVersion } from "./setup/check-node.node.ts";
import { type Config, ConfigError, parseConfig } from "./setup/config.ts";
import { toAppError } from "./base/errors/app-error.ts";
import { toErrorResponse } from "./base/errors/to-public-error.ts";
import { createMcp } from "./setup/create-mcp.node.ts";
import { createModels } from "./setup/create-models.ts";
import { createModbus, modbusOptions } from "./tools/specs/modbus-serial.node.ts";
import { createStore } from "./setup/create-store.node.ts";
import type { Limits } from "./setup/settings.ts";
import { findKnowledgeProblems, loadAgents } from "./setup/load-agents.node.ts";
import type { Knowledge } from "./setup/knowledge/load-knowledge.node.ts";
import { createSpecReader } from "./setup/threads/create-spec-reader.node.ts";
import { createConfiguredThreads } from "./setup/threads/create-code-threads.node.ts";
import { createOutsideFetch, readProxies } from "./setup/read-proxies.node.ts";
import { readTls } from "./setup/read-tls.node.ts";
import { loadPromptFiles, loadTestPage } from "./setup/load-prompt-files.node.ts";
import { checkTemplates } from "./prompt/build-prompt.ts";
import { createTemplateEngine } from "./prompt/template.ts";
import { createUndiciTransport } from "./model/chat/undici-transport.node.ts";
import type { ModelTable } from "./model/model-table.ts";
import { watchLoop } from "./setup/watch-loop.node.ts";
import { keyProtocol } from "./doors/http/sockets.ts";
import { createProxyFetch } from "./base/wire/proxies.node.ts";
import { nodeExchanges, oneATurn } from "./base/wire/node-exchange.node.ts";
import { type NodeSockets, badTarget, createNodeSockets } from "./base/wire/node-sockets.node.ts";
import type { TopicWire } from "./store/sqlite-store.node.ts";
import { compilePattern } from "./workspace/search/compile-pattern.node.ts";
import { createPatientTimer, createTimers } from "./base/wire/patient-timer.ts";

export interface RunningServer {
  /** `http://127.0.0.1:18080` */
  url: string;
  config: Config;
  models: ModelTable;
  agents: readonly string[];
  /** What was read from the knowledge folder; absent without one. */
  knowledge?: Knowledge;
  /** What its agents ask for and do not get; a sentence each. */
  warnings: readonly string[];
  /** Takes no new work, lets running answers end within the drain time, then closes. */
  close(): Promise<void>;
}

export interface ServerOptions extends Pick<AppDeps, "commands" | "doors" | "store" | "tools"> {
  environment?: Readonly<Record<string, string | undefined>>;
  /** The parsed settings file. */
  file?: unknown;
  /** Limits that are constants where this does not set them. */
  limits?: Partial<Limits>;
  /** How processes that share one file of SQLite tell each other what is published. */
  wire?: TopicWire;
}

/**
 * Starts a Node server from settings; nothing else of the process is touched.
 *
 * @throws ConfigError on bad settings; the listen error (EADDRINUSE, ...) as node gives it; Error on
 * a Node that is too old
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const problem = checkNode(process.versions.node);
  if (problem !== undefined) throw new Error(problem);
  const { environment = process.env, file, limits, wire, ...added } = options;
  const config = { ...parseConfig(environment, file), ...limits };
  // Before anything runs that would have to be ended.
  const tls = readTls(config);
  const proxies = readProxies(environment);
  const transport = createUndiciTransport(config.connectTimeout, proxies);
  const code = createConfiguredThreads(config);
  const specs = createSpecReader();
  const outside = createOutsideFetch(config, proxies);
  const models = createModels(config, environment, transport, code, false, outside);
  const templates = createTemplateEngine(() => performance.now());
  const agents = loadAgents(config.agents, (agent) => checkTemplates(agent, templates));
  const mcp = await createMcp(config, environment, proxies);
  const knowledge = await readKnowledge(config.knowledge);
  // From here on something is open. Whoever brings a store closes it.
  const own =
    added.store === undefined
      ? await createStore(config, wire).catch(async (thrown: unknown) => {
          await knowledge?.close();
          throw thrown;
        })
      : undefined;
  const loop = watchLoop({ onStall: logStall });
  const sockets = createNodeSockets({ ...config, secretProtocol: keyProtocol });
  const app = createApp({
    config,
    agents,
    models,
    promptFiles: loadPromptFiles(),
    ...(config.testPage ? { testPage: loadTestPage() } : {}),
    code,
    ...added,
    store: added.store ?? own,
    ...(knowledge === undefined ? {} : { retriever: knowledge.retriever }),
    fetch: createProxyFetch(proxies, config.connectTimeout),
    guardedFetch: outside,
    modbus: createModbus(modbusOptions(config)),
    readYaml: specs.read,
    ...(mcp === undefined ? {} : { mcp: () => mcp }),
    compilePattern,
    createExchange: nodeExchanges(sockets),
    loop: loop.figures,
    createId: () => crypto.randomUUID(),
    now: Date.now,
    version: productVersion(),
  });
  const server = createNodeServer(app, config, sockets, tls);
  const letGo = async (): Promise<void> => {
    loop.close();
    sockets.close();
    await transport.close();
    await knowledge?.close();
    await mcp?.close();
    await own?.close();
    code.close();
    specs.close();
  };
  try {
    await app.readTools().catch((thrown: unknown) => {
      throw new ConfigError(`RIGHTSEAT_AGENTS: ${toAppError(thrown).message}`);
    });
    await listen(server, config);
  } catch (thrown) {
    await letGo();
    throw thrown;
  }
  return {
    url: addressOf(server, config),
    config,
    models,
    agents: agents.map(({ name }) => name),
    ...(knowledge === undefined ? {} : { knowledge }),
    warnings: findKnowledgeProblems(agents, knowledge?.knowledgeBaseIds),
    async close() {
      // Until the last answer has ended the server listens on, so that probes see that it drains.
      await app.drain();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // What still waits for its last bytes gets a moment, then its connection is cut.
      const cut = createPatientTimer(createTimers(), () => {
        server.closeAllConnections();
        sockets.close();
      });
      cut.set(1_000);
      server.closeIdleConnections();
      await closed;
      cut.stop();
      await letGo();
    },
  };
}

/** Few servers have any, and the index takes memory. */
async function readKnowledge(folder: string | undefined): Promise<Knowledge | undefined> {
  if (folder === undefined) return undefined;
  const { loadKnowledge } = await import("./setup/knowledge/load-knowledge.node.ts");
  return loadKnowledge(folder);
}

function createNodeServer(
  app: App,
  config: Config,
  sockets: NodeSockets,
  tls: ReturnType<typeof readTls>,
): Server {
  // The adapter would replace the process's Request and Response; a library has no business there.
  const listener = getRequestListener(app.fetch, {
    hostname: config.host,
    overrideGlobalObjects: false,
    // A target or Host that makes no URL does not reach the app.
    errorHandler: (thrown) =>
      toErrorResponse(
        thrown instanceof RequestError ? badTarget() : toAppError(thrown),
        crypto.randomUUID(),
      ),
  });
  const options: HttpOptions = {
    maxHeaderSize: config.maxHeaders,
    headersTimeout: config.headersTimeout,
    requestTimeout: config.requestTimeout,
    keepAliveTimeout: config.keepAliveTimeout,
    connectionsCheckingInterval: Math.min(config.checkInterval, config.headersTimeout),
    noDelay: true,
    // Some clients offer HTTP/2 with every request; those are answered as if they had not (Node 24.9 and newer).
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
  };
  const answer = oneATurn((incoming, outgoing) => void listener(incoming, outgoing));
  const server =
    tls === undefined
      ? createServer(options, answer)
      : createSecureServer({ ...options, ...tls }, answer);
  sockets.attach(server, app.fetch);
  return server;
}

function logStall(milliseconds: number): void {
  getLogger(["rightseat", "app"]).warn(
    "the event loop was held for {milliseconds} ms; every answer waited",
    { milliseconds },
  );
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 8_192 }, resolve);
  });
}

function addressOf(server: Server, { host, tlsCert }: Config): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = host.includes(":") ? `[${host}]` : host;
  const scheme = tlsCert === undefined ? "http" : "https";
  return `${scheme}://${name === "0.0.0.0" || name === "[::]" ? "127.0.0.1" : name}:${port}`;
}

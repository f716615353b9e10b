import type { EventEmitter } from "node:events";
import { type Server, type ServerOptions as HttpOptions, createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { RequestError, getRequestListener } from "@hono/node-server";
import { getLogger } from "@logtape/logtape";
import { type App, type AppDeps, createApp } from "./app.ts";
import { checkNode } from "./setup/check-node.node.ts";
import { type Config, parseConfig } from "./setup/config.ts";
import { toAppError } from "./base/errors/to-app-error.ts";
import { toErrorResponse } from "./base/errors/to-public-error.ts";
import { createModels } from "./setup/create-models.ts";
import { loadAgents } from "./setup/load-agents.node.ts";
import { findKnowledgeProblems } from "./setup/knowledge/find-knowledge-problems.ts";
import { type Knowledge, loadKnowledge } from "./setup/knowledge/load-knowledge.node.ts";
import { createCodeThreads } from "./setup/threads/create-code-threads.node.ts";
import { logCodeTrouble } from "./setup/log-code-trouble.ts";
import type { CodeThreads } from "./code/threads/create-code-pool.ts";
import { readProxies } from "./setup/read-proxies.node.ts";
import { readTls } from "./setup/read-tls.node.ts";
import { loadPromptFiles } from "./setup/load-prompt-files.node.ts";
import { loadTestPage } from "./setup/load-test-page.node.ts";
import { productVersion } from "./setup/product-version.node.ts";
import { checkTemplates } from "./prompt/build-prompt.ts";
import { createTemplateEngine } from "./prompt/template.ts";
import { createUndiciTransport } from "./model/chat/undici-transport.node.ts";
import type { ModelTable } from "./model/model-table.ts";
import type { Stall } from "./turn/figures/loop-figures.ts";
import { createSlices } from "./turn/slices.ts";
import { watchLoop } from "./setup/watch-loop.node.ts";
import { keyProtocol } from "./doors/plugin/shown-key.ts";
import { type Proxies, createProxyFetch } from "./base/wire/proxies.node.ts";
import type { CreateExchange } from "./base/wire/exchange.ts";
import { nodeExchanges } from "./base/wire/node-exchange.node.ts";
import { oneATurn } from "./base/wire/one-a-turn.node.ts";
import { type NodeSockets, badTarget, createNodeSockets } from "./base/wire/node-sockets.node.ts";
import { compilePattern } from "./workspace/search/compile-pattern.node.ts";
import { PatientTimer, createTimers } from "./base/wire/patient-timer.ts";

// For apps that are put together by hand.
export {
  type CodeThreadsOptions,
  createCodeThreads,
} from "./setup/threads/create-code-threads.node.ts";
export {
  type DirectoryWorkspace,
  type DirectoryWorkspaceParts,
  createDirectoryWorkspace,
} from "./workspace/directory/directory-workspace.node.ts";
export { findRipgrep } from "./workspace/directory/search/find-ripgrep.node.ts";
export { createFolderSearch } from "./workspace/directory/search/search-folder.node.ts";
export { findStateFolder } from "./workspace/journal/state-folder.node.ts";
export { compilePattern } from "./workspace/search/compile-pattern.node.ts";
export { loadAgents } from "./setup/load-agents.node.ts";
export { createUndiciTransport } from "./model/chat/undici-transport.node.ts";
export { loadGrammars } from "./setup/load-grammars.node.ts";
export { loadKnowledge } from "./setup/knowledge/load-knowledge.node.ts";
export { loadPromptFiles } from "./setup/load-prompt-files.node.ts";
export { loadTestPage } from "./setup/load-test-page.node.ts";
export { type LoopWatch, type LoopWatchOptions, watchLoop } from "./setup/watch-loop.node.ts";
export type { Proxies };
export { nodeExchanges } from "./base/wire/node-exchange.node.ts";

/** The WebSockets of an app in a server of your own. */
export interface AppSockets {
  /** What `createApp` gets; for requests of @hono/node-server, and those that come without it. */
  createExchange: CreateExchange;
  /**
   * Opens the app's WebSockets on a server, and leaves those at other paths to whoever else listens for `upgrade`.
   *
   * @param prefix below which the app is mounted
   * @param paths the app's own
   */
  attach(
    server: EventEmitter,
    app: Pick<App, "fetch">,
    options?: { prefix?: string; paths?: readonly string[] },
  ): void;
  /** Cuts what is still open, and ends the pings. */
  close(): void;
}

/** Makes `/ws` work where an app is mounted in a server of your own; `startServer` needs none of it. */
export function createAppSockets(
  config: Pick<Config, "maxMessage" | "pingInterval" | "maxStall">,
): AppSockets {
  const sockets = createNodeSockets({ ...config, secretProtocol: keyProtocol });
  return {
    createExchange: nodeExchanges(sockets),
    attach: (server, app, { prefix = "", paths = ["/ws"] } = {}) =>
      sockets.attach(server, app.fetch, (path) => paths.find((known) => prefix + known === path)),
    close: () => sockets.close(),
  };
}

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

export interface ServerOptions extends Pick<AppDeps, "commands" | "doors" | "tools"> {
  environment?: Readonly<Record<string, string | undefined>>;
  /** The parsed settings file. */
  file?: unknown;
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
  const environment = options.environment ?? process.env;
  const config = parseConfig(environment, options.file);
  // Before anything runs that would have to be ended.
  const tls = readTls(config);
  const proxies = readProxies(environment);
  const loop = watchLoop({ onStall: logStall });
  const slices = createSlices({
    now: () => performance.now(),
    defer: (next) => void setImmediate(next),
    onSlice: loop.onSlice,
  });
  const transport = createUndiciTransport(config.connectTimeout, proxies);
  const code = createConfiguredThreads(config);
  const models = createModels(config, environment, transport, code, slices);
  const templates = createTemplateEngine(() => performance.now());
  const agents = loadAgents(config.agents, (agent) => checkTemplates(agent, templates));
  const knowledge =
    config.knowledge === undefined ? undefined : await loadKnowledge(config.knowledge, { slices });
  const sockets = createNodeSockets({ ...config, secretProtocol: keyProtocol });
  const app = createApp({
    config,
    agents,
    models,
    promptFiles: loadPromptFiles(),
    testPage: loadTestPage(),
    code,
    ...(options.commands === undefined ? {} : { commands: options.commands }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.doors === undefined ? {} : { doors: options.doors }),
    ...(knowledge === undefined ? {} : { retriever: knowledge.retriever }),
    fetch: createProxyFetch(proxies, config.connectTimeout),
    compilePattern,
    createExchange: nodeExchanges(sockets),
    slices,
    loop: loop.figures,
    createId: () => crypto.randomUUID(),
    now: Date.now,
    version: productVersion(),
  });
  const server = createNodeServer(app, config, sockets, tls);
  try {
    await listen(server, config);
  } catch (thrown) {
    loop.close();
    sockets.close();
    await knowledge?.close();
    throw thrown;
  }
  // The first question then need not wait for it.
  code.warm();
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
      const cut = new PatientTimer(createTimers(), () => {
        server.closeAllConnections();
        sockets.close();
      });
      cut.set(1_000);
      server.closeIdleConnections();
      await closed;
      loop.close();
      sockets.close();
      cut.stop();
      await transport.close();
      await knowledge?.close();
      code.close();
    },
  };
}

/** What startServer and the commands of the terminal read code with. */
export function createConfiguredThreads(config: Config): CodeThreads {
  return createCodeThreads({
    size: config.parseThreads,
    maxCharacters: config.maxParse,
    maxQueue: config.maxParseQueue,
    maxWait: config.maxParseWait,
    maxTime: config.parseTimeout,
    onTrouble: logCodeTrouble,
  });
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

function logStall({ milliseconds, work = "work without a label" }: Stall): void {
  getLogger(["rightseat", "app"]).warn(
    "the event loop was held for {milliseconds} ms by {work}; every answer waited",
    { milliseconds, work },
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

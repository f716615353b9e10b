import { configureSync, getConsoleSink, getLogger, jsonLinesFormatter } from "@logtape/logtape";
import rightseat from "../agent-definitions/rightseat.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };
import { type App, createApp } from "./app.ts";
import { type Config, ConfigError, parseConfig } from "./setup/config.ts";
import { createModels } from "./setup/create-models.ts";
import { createPluginQueue, createQueuePool } from "./setup/rooms/plugin-queue.worker.ts";
import { createPluginRoom } from "./setup/rooms/plugin-room.worker.ts";
import {
  hideKey,
  openInRoom,
  wantsRoom,
  workerExchanges,
} from "./setup/rooms/worker-exchange.worker.ts";
import testPage from "./doors/plugin/page/test-page.html";
import { AppError, toAppError } from "./base/errors/app-error.ts";
import { toErrorResponse } from "./base/errors/to-public-error.ts";
import { bindKnowledge } from "./setup/knowledge/load-knowledge.worker.ts";
import { grammarSource } from "./setup/load-grammars.worker.ts";
import prompts from "./setup/prompts.worker.txt";
import { createFetchTransport } from "./model/chat/chat-api.ts";
import { createCodeParser } from "./setup/create-code-parser.ts";
import type { TaskPool } from "./run/admissions.ts";
import { listedFetch } from "./base/wire/address-guard.ts";
import { createTimers } from "./base/wire/patient-timer.ts";
import { createDurableStore, createStoreObject } from "./store/durable-store.worker.ts";
import type { DurableObject, FindObject } from "./base/wire/worker-sockets.worker.ts";
import type { Store } from "./store/store.ts";
import { type McpServers, createMcpServers } from "./tools/specs/mcp-servers.ts";
import { AgentDefinition } from "./turn/agent-definition.ts";

type Environment = Readonly<Record<string, string | undefined>>;

// Settings arrive with the first request, and every request of an isolate brings the same object:
// reading them and compiling the prompts again each time would cost more than the relay itself.
const apps = new WeakMap<object, BuiltApp>();

interface BuiltApp {
  app: App;
  maxMessage: number;
}

/** The entry for Cloudflare Workers: settings are the worker's text bindings and secrets. */
export default {
  async fetch(request: Request, env: object): Promise<Response> {
    try {
      const { app } = resolveApp(env);
      const rooms = wantsRoom(request) ? findObjects(env, "PLUGIN_ROOM") : undefined;
      if (rooms === undefined) return await app.fetch(request);
      const hidden = hideKey(request);
      return await app.fetch(hidden, openInRoom(hidden, rooms));
    } catch (thrown) {
      if (thrown instanceof ConfigError) return refuse(thrown);
      throw thrown;
    }
  },
};

/** Holds the sockets of the plugins of one key, or those of one session. */
export const PluginRoom = createPluginRoom((env) => buildApp(env, findQueue(env)));

/** Owns the queue of all plugins' tasks. */
export const PluginQueue = createPluginQueue((env) => readConfig(textBindings(env)));

/** Keeps what sessions say and share; one object for each session. */
export const SessionStore = createStoreObject(() => Date.now());

/** The objects of a binding, by their names; without PLUGIN_ROOM there are no WebSockets. */
function findObjects(env: object, binding: string): FindObject | undefined {
  const objects = Reflect.get(env, binding) as
    | { idFromName(name: string): unknown; get(id: unknown): DurableObject }
    | undefined;
  return objects && ((name) => objects.get(objects.idFromName(name)));
}

/** Without the binding SESSION_STORE each isolate would have sessions of its own. */
function findStore(env: object): Store | undefined {
  const objects = findObjects(env, "SESSION_STORE");
  return objects && createDurableStore(objects, createTimers());
}

/** Without the binding PLUGIN_QUEUE each room has a queue of its own. */
function findQueue(env: object): TaskPool | undefined {
  const queues = findObjects(env, "PLUGIN_QUEUE");
  return queues && createQueuePool(queues("queue"));
}

function resolveApp(env: object): BuiltApp {
  const known = apps.get(env);
  if (known !== undefined) return known;
  const built = buildApp(env);
  apps.set(env, built);
  return built;
}

/** @throws ConfigError */
function buildApp(env: object, pool?: TaskPool): BuiltApp {
  const environment = textBindings(env);
  const config = readConfig(environment);
  configureLog(config);
  warnOfStates(config);
  const code = createCodeParser(grammarSource, {
    maxCharacters: config.maxParse,
    maxPlainCharacters: 2 * config.maxParse,
  });
  const retriever = bindKnowledge(Reflect.get(env, "KNOWLEDGE"));
  const app = createApp({
    config,
    agents: [AgentDefinition.parse(rightseat)],
    // Unbound, fetch loses the `this` that workerd asks for.
    models: createModels(config, environment, createFetchTransport(fetch.bind(globalThis)), code),
    promptFiles: JSON.parse(prompts),
    testPage,
    code,
    ...(retriever === undefined ? {} : { retriever }),
    createExchange: workerExchanges,
    pool,
    store: findStore(env),
    mcp: createMcp(config, environment),
    createId: () => crypto.randomUUID(),
    now: Date.now,
    version: manifest.version,
  });
  return { app, maxMessage: config.maxMessage };
}

/** What one request has opened no other one may use, so each task has connections of its own. @throws ConfigError */
function createMcp(
  { mcpServers }: Config,
  environment: Environment,
): (() => McpServers) | undefined {
  if (mcpServers === undefined) return undefined;
  const create = (): McpServers =>
    createMcpServers(mcpServers, {
      environment,
      openFetch: (hosts) => listedFetch(hosts, fetch.bind(globalThis)),
      version: manifest.version,
      followsChanges: false,
      onProblem: (server, { en }) =>
        getLogger(["rightseat", "app"]).warning("{server}: {problem}", { server, problem: en }),
    });
  try {
    create();
  } catch (thrown) {
    throw new ConfigError(`RIGHTSEAT_MCP_SERVERS: ${toAppError(thrown).message}`);
  }
  return create;
}

/** @throws ConfigError */
function readConfig(environment: Environment): Config {
  // A worker listens on no address of its own; with the default, loopback, the guard against
  // foreign Host names would refuse the name that the worker is deployed under.
  const config = parseConfig({ RIGHTSEAT_HOST: "0.0.0.0", ...environment });
  // Nothing else runs in an isolate while it parses.
  return { ...config, maxParse: 65_536 };
}

/** Namespaces, buckets and the like are bindings, too, but no settings. */
function textBindings(env: object): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => typeof value === "string"));
}

/** Sends the log as JSON lines to the console, which is what Workers keep. */
function configureLog({ logLevel }: Pick<Config, "logLevel">): void {
  configureSync({
    reset: true,
    sinks: { console: getConsoleSink({ formatter: jsonLinesFormatter }) },
    loggers: [
      { category: "rightseat", sinks: ["console"], lowestLevel: logLevel },
      { category: ["logtape", "meta"], sinks: ["console"], lowestLevel: "warning" },
    ],
  });
}

/** Two requests of one person may well meet two isolates. */
function warnOfStates({ stateKeys }: Pick<Config, "stateKeys">): void {
  if (stateKeys.length > 0) return;
  getLogger(["rightseat", "app"]).warning(
    "RIGHTSEAT_STATE_KEYS is not set. Each isolate seals the states of actions with a random key of its own and refuses those of the others. Set it: npx wrangler secret put RIGHTSEAT_STATE_KEYS",
  );
}

/** The operator reads which setting is wrong in the log; a client need not know. */
function refuse(error: ConfigError): Response {
  console.error(error.message);
  const message = {
    en: "The settings of this server are not valid. Its operator finds the reason in the log.",
    zh: "该服务的设置无效，管理员可以在日志中找到原因。",
  };
  return toErrorResponse(
    new AppError("internal", message, { isLasting: true }),
    crypto.randomUUID(),
  );
}

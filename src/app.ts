import { getLogger } from "@logtape/logtape";
import { Hono } from "hono";
import { type TurnSources, resolveTurn } from "./turn/agents/resolve-turn.ts";
import { checkBrowser, createIdentify } from "./run/auth/guards.ts";
import type { CodeParser } from "./code/code-analysis.ts";
import { plainCodeParser } from "./code/plain/analyze-plain.ts";
import { copilotDoor } from "./doors/copilot/copilot-door.ts";
import { type Door, type DoorEnv, type DoorHost, allowOrigins } from "./doors/http/door.ts";
import { mcpDoor } from "./doors/mcp/mcp-door.ts";
import { openAiDoor } from "./doors/openai/openai-door.ts";
import { pluginDoor } from "./doors/plugin/plugin-door.ts";
import { AppError, toAppError } from "./base/errors/app-error.ts";
import { parseLocale } from "./base/errors/locale.ts";
import { cutName } from "./base/errors/names.ts";
import { toErrorResponse, toPublicError } from "./base/errors/to-public-error.ts";
import { createCommandTable } from "./flows/commands.ts";
import type { Command, Flow, Services, ToolsOf } from "./flows/flow.ts";
import type { Retriever } from "./knowledge/retriever.ts";
import { listedFetch } from "./base/wire/address-guard.ts";
import { openModel } from "./model/own-model.ts";
import type { ModelTable } from "./model/model-table.ts";
import { checkTemplates } from "./prompt/build-prompt.ts";
import { type PromptFiles, createPromptLibrary } from "./prompt/prompt-library.ts";
import { type TemplateEngine, createTemplateEngine } from "./prompt/template.ts";
import { type Admissions, type TaskPool, createAdmissions } from "./run/admissions.ts";
import { logRefusal, logTurn, runTurn } from "./run/run-turn.ts";
import type { Coding } from "./flows/loop/coding.ts";
import { type AnyTool, checkTools } from "./tools/tool.ts";
import type { McpServers } from "./tools/specs/mcp-servers.ts";
import type { Modbus } from "./tools/specs/open-modbus.ts";
import { countCalls } from "./tools/specs/policy.ts";
import type { OpenTools } from "./tools/specs/read-specs.ts";
import type { ReadYaml } from "./tools/specs/spec-document.ts";
import type { Config } from "./setup/config.ts";
import {
  type StateKey,
  createStateSeal,
  createTextSeal,
  randomStateKey,
} from "./turn/state/sealed-state.ts";
import { sessionDoor } from "./doors/session/session-door.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import type { Store } from "./store/store.ts";
import type { AgentDefinition } from "./turn/agent-definition.ts";
import type { LoopFigures } from "./turn/figures.ts";
import { deepFreeze } from "./base/text/json.ts";
import type { CompilePattern } from "./workspace/search/prepare-search.ts";
import type { CreateExchange } from "./base/wire/exchange.ts";
import { type Timers, createTimers } from "./base/wire/patient-timer.ts";

/** What an app is joined from. Nothing of it is read from the environment here. */
export interface AppDeps {
  config: Config;
  /** The agents that we publish ourselves; requests may bring others. */
  agents: readonly AgentDefinition[];
  models: ModelTable;
  promptFiles: PromptFiles;
  /** The HTML of the page that `RIGHTSEAT_TEST_PAGE` switches on; without it there is none. */
  testPage?: string;
  /** Further commands; one with the name of ours takes its place. */
  commands?: readonly Command[];
  /** Further tools of the command `code`; one with the name of ours takes its place. `finish` is the agent's own. */
  tools?: readonly AnyTool[];
  /** Further doors, mounted after ours; one with the name of ours (`copilot`, `openai`, `mcp`, `plugin`, `session`, `ops`) takes its place. */
  doors?: readonly Door[];
  /** Reads code for flows; where absent, by indentation and keywords only. */
  code?: CodeParser;
  /** Finds knowledge for definitions with `recallByAgent`; absent where there is none. */
  retriever?: Retriever;
  createExchange: CreateExchange;
  /** Compiles expressions of searches (`compilePattern` of `rightseat/node`); without it they look for plain text. */
  compilePattern?: CompilePattern | undefined;
  /** How long the event loop was held, for `/readyz`. */
  loop?: () => LoopFigures;
  /** The runtime's where absent. */
  timers?: Timers;
  /** Fetches key sets; the runtime's where absent. */
  fetch?: typeof fetch;
  /** Asks addresses that clients have named themselves; where absent, hosts that the settings list, and no others. */
  guardedFetch?: typeof fetch;
  /** Is told of each turn that failed; for whoever runs the app in their own process and may know why. */
  onFailure?: (failure: AppError) => void;
  /** What the command `code` works on; absent: the files that a request brings, which it does not write. */
  coding?: Coding | undefined;
  /** The queue of tasks that several processes share; each has its own where this is absent. */
  pool?: TaskPool | undefined;
  /** Where sessions are kept; in the memory of this process where absent. */
  store?: Store | undefined;
  /** Tools of the descriptions of services that a session brings. */
  openTools?: OpenTools | undefined;
  /** Talks to the devices of such descriptions; without it those are refused. */
  modbus?: Modbus;
  /** Reads long descriptions without holding the event loop; without it those of agents are no longer than others. */
  readYaml?: ReadYaml;
  /** The operator's servers of MCP, which sessions and agents name, the same or other connections each time; who opens them closes them. */
  mcp?: (() => Pick<McpServers, "update" | "operations">) | undefined;
  /** A person is asked for each write of tools that agents list. */
  asksForCalls?: boolean;
  createId: () => string;
  /** Milliseconds since 1970, for `created`. */
  now: () => number;
  version: string;
}

export interface App {
  fetch: (request: Request, env?: object) => Response | Promise<Response>;
  /** Answers `/readyz` with 503, takes no new work, and resolves when every stream has ended. */
  drain(): Promise<void>;
  /** Reads the descriptions that agents list, as is done when they are first needed. @throws AppError with the agent's name */
  readTools(): Promise<void>;
}

/** Joins ports to adapters and mounts the doors. */
export function createApp(deps: AppDeps): App {
  const { config, createId } = deps;
  // Of one name the last one counts, so that a library user's replaces ours.
  const doors = new Map(
    [
      opsDoor,
      copilotDoor(config),
      openAiDoor,
      mcpDoor(deps.version),
      pluginDoor(config, deps.testPage),
      sessionDoor(config, {
        store: deps.store ?? createMemoryStore({ now: deps.now }),
        seal: createTextSeal(stateKeysOf(config)),
      }),
      ...(deps.doors ?? []),
    ].map((door) => [door.name, door]),
  );
  // Unbound, fetch loses the `this` that workerd asks for.
  const fetcher: typeof fetch = deps.fetch ?? ((...request) => fetch(...request));
  const openTools = deps.openTools ?? toolOpener(deps, fetcher);
  const toolsOf = rememberTools(deps, openTools);
  const host = createHost(deps, fetcher, openTools, toolsOf);
  const app = new Hono<DoorEnv>({ strict: false });
  const spellings = [...doors.values()].flatMap(({ errors }) => errors ?? []);
  const print = (error: AppError, id: string, { url, headers }: Request): Response => {
    // With a Host that is refused it may be no URL.
    const path = `${/^\w+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? ""}/`;
    const own = spellings.find(({ under }) => path.startsWith(`${under}/`));
    const locale = parseLocale(headers.get("accept-language")) ?? config.locale;
    const shown =
      own === undefined ? toPublicError(error, id, locale) : own.spell(error, id, locale);
    return toErrorResponse(error, id, shown);
  };
  const refuse = (thrown: unknown, request: Request): Response => {
    const [error, id] = [toAppError(thrown), createId()];
    logRefusal(getLogger(["rightseat", "app"]), error, id);
    return print(error, id, request);
  };
  app.onError((thrown, c) => refuse(thrown, c.req.raw));
  app.notFound((c) => print(missing(app, c.req.method, c.req.path), createId(), c.req.raw));
  if (config.corsOrigins.length > 0) app.use(allowOrigins(config.corsOrigins));
  for (const door of doors.values()) door.mount(app, host);
  return {
    // In front of the router and no middleware of it, since every one costs each request a promise.
    fetch(request, env) {
      try {
        const exchange = deps.createExchange(request, env);
        checkBrowser(exchange, config);
        return app.fetch(request, { exchange });
      } catch (thrown) {
        return refuse(thrown, request);
      }
    },
    async readTools() {
      for (const { name } of deps.agents)
        await toolsOf(name)?.catch((thrown: unknown) => {
          // A server of MCP may be there later.
          if (toAppError(thrown).code !== "upstream_unreachable") throw thrown;
        });
    },
    async drain() {
      await host.drain(config.drainTimeout);
      await Promise.all([...doors.values()].map(async (door) => door.close?.()));
    },
  };
}

/** The house as its doors see it. */
function createHost(
  deps: AppDeps,
  fetcher: typeof fetch,
  openTools: OpenTools,
  toolsOf: ToolsOf,
): DoorHost & Pick<Admissions, "drain"> {
  const { config, createId } = deps;
  const timers = deps.timers ?? createTimers();
  const templates = createTemplateEngine(timers.now);
  const agents = deps.agents.map(copyFrozen);
  for (const agent of agents) checkTemplates(agent, templates);
  const log = getLogger(["rightseat", "turn"]);
  const admissions = createAdmissions({
    limits: config,
    onEnd(id, turn, failure, figures) {
      logTurn(log, id, turn, failure, figures);
      if (failure !== undefined) deps.onFailure?.(failure);
    },
    timers,
    createId,
    pool: deps.pool,
  });
  checkTools(deps.tools ?? [], ["finish"]);
  const commands = createCommandTable(deps.commands, toolsOf);
  const services = { ...createServices(deps, templates, timers), toolsOf };
  const sources: TurnSources = {
    agents: new Map(agents.map((agent) => [agent.name, agent])),
    commands: [...new Set([...commands.names, ...services.prompts.commands])],
    resolveModel: (wanted) => deps.models.resolve(wanted),
    modelNames: deps.models.names,
    locale: config.locale,
  };
  return {
    identify: createIdentify(config, { fetcher, now: deps.now }),
    admit: (caller) => admissions.admit(caller),
    queue: (caller, options) => admissions.queue(caller, options),
    resolve: (request) => resolveTurn(request, sources),
    isAboutCode: (definition, command) => commands.isAboutCode(definition, command),
    isAboutFiles: (command) => commands.isAboutFiles(command),
    run: (admission, turn, coding = services.coding) =>
      runTurn(admission, turn, commands.resolve(turn), { ...services, coding }),
    converse(admission, turn, given) {
      const flow: Flow = async function* (measured) {
        const { answerClient, talk } = await import("./flows/loop/talk.ts");
        if ("offered" in given) yield* answerClient(measured, services, given);
        else yield* talk(measured, services, given);
      };
      return runTurn(admission, turn, flow, services);
    },
    openTools,
    openModel: (wanted) => openModel(wanted, deps.models),
    drain: (within) => admissions.drain(within),
    get isDraining() {
      return admissions.isDraining;
    },
    sources,
    limits: config,
    stream: { firstByteHold: config.firstByteHold, heartbeat: config.heartbeat },
    states: services.states,
    compilePattern: services.compilePattern,
    timers,
    now: deps.now,
    createId,
    extraHeaders: (c) =>
      config.corsOrigins.length > 0 ? { ...Object.fromEntries(c.res.headers), vary: "Origin" } : {},
    loop: deps.loop,
  };
}

function createServices(deps: AppDeps, templates: TemplateEngine, timers: Timers): Services {
  const { config } = deps;
  return {
    prompts: createPromptLibrary(deps.promptFiles),
    templates,
    code: deps.code ?? plainCodeParser,
    states: createStateSeal({
      keys: stateKeysOf(config),
      now: deps.now,
      lifetime: config.stateLifetime,
    }),
    retriever: deps.retriever,
    maxFileTokens: config.maxFileTokens,
    coding: deps.coding,
    loopLimits: config,
    tools: deps.tools,
    compilePattern: deps.compilePattern,
    now: deps.now,
    timers,
    version: deps.version,
  };
}

function stateKeysOf({ stateKeys }: Pick<Config, "stateKeys">): readonly StateKey[] {
  return stateKeys.length > 0 ? stateKeys : [randomStateKey()];
}

/** What is frozen may be remembered by whoever reads it. Definitions are JSON; keys in a list of descriptions go nowhere. */
function copyFrozen({ openSpecList: _, mcpServers: __, ...agent }: AgentDefinition) {
  return deepFreeze(JSON.parse(JSON.stringify(agent)) as AgentDefinition);
}

/** Reads descriptions under the operator's policy. */
function toolOpener(deps: AppDeps, fetcher: typeof fetch): OpenTools {
  const { createId, now, readYaml, modbus, mcp } = deps;
  const { sessionHosts, toolGrants: grants } = deps.config;
  const guarded = deps.guardedFetch ?? listedFetch(sessionHosts, fetcher);
  return async (list, { mcpServers = [], ...use }) => {
    if (list.length + mcpServers.length === 0) return [];
    // Few bring any.
    const { readSpecs, refuseServer } = await import("./tools/specs/read-specs.ts");
    const servers =
      mcpServers.length === 0 ? undefined : (mcp?.() ?? refuseServer(0, [], use.owner));
    await servers?.update(mcpServers, use.owner);
    const operations = servers?.operations(mcpServers) ?? [];
    const parts = { fetch: guarded, createId, now, grants, readYaml, operations };
    return readSpecs(list, { ...parts, ...use, ...(modbus === undefined ? {} : { modbus }) });
  };
}

/** Of an operator's description, in characters, where a thread reads the long ones. */
const maxSpec = 10 * 1024 * 1024;

/** The tools of each agent that lists descriptions, read once; where it names servers, anew for each turn, as these change. */
function rememberTools(
  { agents, readYaml, asksForCalls: asks, now }: AppDeps,
  openTools: OpenTools,
): ToolsOf {
  const opened = new Map<string, Promise<readonly AnyTool[]>>();
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const count = countCalls(now);
  return (name) => {
    const agent = byName.get(name);
    const [list, mcpServers] = [agent?.openSpecList ?? [], agent?.mcpServers ?? []];
    if (list.length + mcpServers.length === 0) return undefined;
    const known = opened.get(name);
    if (known !== undefined) return known;
    const tools = openTools(list, {
      owner: `${name}.`,
      mcpServers,
      asks: asks === true,
      countCall: (grant, perMinute) => count(`${name} ${grant}`, perMinute),
      ...(readYaml === undefined ? {} : { maxText: maxSpec }),
    });
    opened.set(name, tools);
    const forget = (): void => void opened.delete(name);
    tools.then(mcpServers.length === 0 ? undefined : forget, forget);
    return tools;
  };
}

/** `/v1/agents/:name` fits `/v1/agents/java`. */
function fitsRoute(path: string, route: string): boolean {
  const [parts, wanted] = [path.split("/"), route.split("/")];
  return (
    parts.length === wanted.length &&
    wanted.every((want, at) => (want.startsWith(":") ? parts[at] !== "" : parts[at] === want))
  );
}

/** Tells what the path takes if it is the method that is wrong, else what there is. */
function missing(app: Hono<DoorEnv>, method: string, path: string): AppError {
  const routes = app.routes.filter((route) => route.method !== "ALL");
  const here = routes.filter((route) => fitsRoute(path, route.path));
  const allow = here.map((route) => route.method).join(", ");
  if (allow !== "") {
    const message = {
      en: `${cutName(method)} is not possible at ${cutName(path)}. Send ${allow}.`,
      zh: `${cutName(path)} 不支持 ${cutName(method)}，请使用 ${allow}。`,
    };
    return new AppError("method_not_allowed", message, { allow });
  }
  const known = routes.map((route) => `${route.method} ${route.path}`).join(", ");
  return new AppError("not_found", {
    en: `Nothing is at ${cutName(path)}. This server has: ${known}.`,
    zh: `${cutName(path)} 不存在。此服务提供：${known}。`,
  });
}

/** `/healthz` (the process lives) and `/readyz` (it takes new work); both need no key. */
const opsDoor: Door = {
  name: "ops",
  mount(app, host) {
    app.get("/healthz", (c) => c.json({ status: "ok" }));
    app.get("/readyz", (c) => {
      const figures = host.loop === undefined ? {} : { loop: host.loop() };
      return host.isDraining
        ? c.json({ status: "draining", ...figures }, 503, { "retry-after": "5" })
        : c.json({ status: "ready", ...figures });
    });
  },
};

import { type Logger, getLogger } from "@logtape/logtape";
import { Hono } from "hono";
import type { Config } from "./setup/config.ts";
import { createActiveTurns } from "./run/active-turns.ts";
import { copilotDoor } from "./doors/copilot/copilot-door.ts";
import { checkBrowser, createIdentify } from "./auth/guards.ts";
import { allowOrigins, type DoorEnv } from "./doors/http/door-env.ts";
import { opsDoor } from "./doors/ops/ops-door.ts";
import { AppError } from "./errors/app-error.ts";
import { describeFault, nameCause } from "./errors/describe-cause.ts";
import { cutName } from "./errors/print-names.ts";
import { toAppError } from "./errors/to-app-error.ts";
import { toErrorResponse } from "./errors/to-public-error.ts";
import type { ModelTable } from "./model/model-table.ts";
import { type PromptFiles, createPromptLibrary } from "./prompt/prompt-library.ts";
import { checkTemplates } from "./prompt/build-prompt.ts";
import { createTemplateEngine } from "./prompt/template.ts";
import type { AgentDefinition } from "./turn/agent-definition.ts";
import { nameCaller } from "./turn/caller.ts";
import { createStateSeal, randomStateKey } from "./state/sealed-state.ts";
import { type Slices, timerSlices } from "./turn/slices.ts";
import type { LoopFigures } from "./turn/loop-figures.ts";
import type { CodeParser } from "./code/code-analysis.ts";
import { plainCodeParser } from "./code/plain/plain-code-parser.ts";
import type { Retriever } from "./knowledge/retriever.ts";
import type { Turn } from "./turn/turn.ts";
import type { CreateExchange } from "./wire/exchange.ts";
import { deepFreeze } from "./wire/deep-freeze.ts";
import { KnownMember } from "./wire/known-member.ts";
import { type Timers, createTimers } from "./wire/patient-timer.ts";

/** What an app is joined from. Nothing of it is read from the environment here. */
export interface AppDeps {
  config: Config;
  /** The agents that we publish ourselves; requests may bring others. */
  agents: readonly AgentDefinition[];
  models: ModelTable;
  promptFiles: PromptFiles;
  /** Reads code for flows; where absent, by indentation and keywords only. */
  code?: CodeParser;
  /** Finds knowledge for definitions with `recallByAgent`; absent where there is none. */
  retriever?: Retriever;
  createExchange: CreateExchange;
  /** Takes long work in slices; each by timers of its own where absent. */
  slices?: Slices;
  /** How long the event loop was held, for `/readyz`. */
  loop?: () => LoopFigures;
  /** The runtime's where absent. */
  timers?: Timers;
  createId: () => string;
  /** Milliseconds since 1970, for `created`. */
  now: () => number;
  version: string;
}

export interface App {
  fetch: (request: Request, env?: object) => Response | Promise<Response>;
  /** Answers `/readyz` with 503, takes no new work, and resolves when every stream has ended. */
  drain(): Promise<void>;
}

/** Of definitions that came with requests, in characters; in memory they take some five times as much. */
const keptDefinitions = { maxText: 256 * 1_024, maxKept: 4 * 1_024 * 1_024 };

/** Joins ports to adapters and mounts the doors. */
export function createApp(deps: AppDeps): App {
  const { config, createId } = deps;
  const log = getLogger(["rightseat", "turn"]);
  const templates = createTemplateEngine(config);
  // What is frozen may be remembered by whoever reads it.
  const agents = deps.agents.map((agent) => deepFreeze(structuredClone(agent)));
  for (const agent of agents) checkTemplates(agent, templates);
  const timers = deps.timers ?? createTimers();
  const turns = createActiveTurns(config, (...ended) => logTurn(log, ...ended), timers);
  const states = createStateSeal({
    keys: config.stateKeys.length > 0 ? config.stateKeys : [randomStateKey()],
    now: deps.now,
    lifetime: config.stateLifetime,
  });
  const app = new Hono<DoorEnv>({ strict: false });
  app.onError((thrown) => toResponse(thrown, createId()));
  app.notFound((c) => toErrorResponse(missing(app, c.req.method, c.req.path), createId()));
  if (config.corsOrigins.length > 0) app.use(allowOrigins(config.corsOrigins));
  app.route("/", opsDoor(turns, deps.loop));
  app.route(
    "/",
    copilotDoor({
      definitions: new KnownMember("agentDefinition", keptDefinitions),
      agents: new Map(agents.map((agent) => [agent.name, agent])),
      models: deps.models,
      prompts: createPromptLibrary(deps.promptFiles),
      templates,
      code: deps.code ?? plainCodeParser,
      states,
      slices: deps.slices ?? timerSlices(),
      retriever: deps.retriever,
      version: deps.version,
      locale: config.locale,
      maxProblems: config.maxProblems,
      maxCommands: config.maxCommands,
      maxVariables: config.maxVariables,
      limits: config,
      doneMarker: config.doneMarker,
      firstByteHold: config.firstByteHold,
      heartbeat: config.heartbeat,
      timers,
      createId,
      now: deps.now,
      identify: createIdentify(config, {
        fetcher: (...request) => fetch(...request),
        now: deps.now,
        timers,
      }),
      extraHeaders: (c) =>
        config.corsOrigins.length > 0
          ? { ...Object.fromEntries(c.res.headers), vary: "Origin" }
          : {},
      turns,
    }),
  );
  return {
    // In front of the router and no middleware of it, since every one costs each request a promise.
    fetch(request, env) {
      try {
        const exchange = deps.createExchange(request, env);
        checkBrowser(exchange, config);
        return app.fetch(request, { exchange });
      } catch (thrown) {
        return toResponse(thrown, createId());
      }
    },
    drain: () => turns.drain(config.drainTimeout),
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
    return new AppError(
      "method_not_allowed",
      `${cutName(method)} is not possible at ${cutName(path)}. Send ${allow}.`,
      { allow },
    );
  }
  const known = routes.map((route) => `${route.method} ${route.path}`).join(", ");
  return new AppError("not_found", `Nothing is at ${cutName(path)}. This server has: ${known}.`);
}

/** For what fails outside of a turn: a fault of ours, or a guard that lets nobody in. */
function toResponse(thrown: unknown, requestId: string): Response {
  const error = toAppError(thrown);
  const log = getLogger(["rightseat", "app"]);
  if (error.code === "internal") {
    const cause = describeFault(error.cause);
    log.error("request {requestId} failed: {cause}", { requestId, cause });
  } else if (error.status >= 500 && error.details.cause !== undefined) {
    const { code, details } = error;
    log.warn("request {requestId} was refused: {code} {cause}", {
      requestId,
      code,
      cause: describeFault(details.cause),
    });
  } else {
    log.info("request {requestId} was refused: {code}", { requestId, code: error.code });
  }
  return toErrorResponse(error, requestId);
}

/** One line a turn; who asked and what became of it, never what was said. */
function logTurn(
  log: Logger,
  id: string,
  turn: Turn | undefined,
  failure: AppError | undefined,
  milliseconds: number,
): void {
  if (failure === undefined && !log.isEnabledFor("info")) return;
  const facts = {
    id,
    agent: turn === undefined ? undefined : cutName(turn.agent),
    command: turn === undefined ? undefined : cutName(turn.command),
    model: turn?.model.name,
    caller: turn === undefined ? undefined : nameCaller(turn.caller),
    milliseconds,
  };
  if (failure === undefined)
    log.info("turn {id} {agent}/{command} by {model} took {milliseconds} ms", facts);
  else if (failure.status >= 500) {
    log.warn(
      "turn {id} {agent}/{command} by {model} failed after {milliseconds} ms: {code} {message}",
      {
        ...facts,
        code: failure.code,
        message: failure.message,
        cause: (failure.code === "internal" ? describeFault : nameCause)(failure.details.cause),
      },
    );
  } else
    log.info("turn {id} was refused or stopped after {milliseconds} ms: {code}", {
      ...facts,
      code: failure.code,
    });
}

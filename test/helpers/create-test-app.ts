// Joins an app for tests; it runs on Node and in workerd, so nothing here may come from node:.
import { promptsIn } from "../../src/prompt/prompt-library.ts";
import rightseat from "../../agent-definitions/rightseat.json" with { type: "json" };
import { type App, type AppDeps, createApp } from "../../src/app.ts";
import type { Store } from "../../src/store/store.ts";
import { parseConfig } from "../../src/setup/config.ts";
import { type TestSettings, splitSettings } from "./test-settings.ts";
import { type ModelTable, createModelTable } from "../../src/model/model-table.ts";
import { type Script, type ScriptedModel, scriptedModel } from "../../src/testing.ts";
import type { Retriever } from "../../src/knowledge/retriever.ts";
import type { CodeParser } from "../../src/code/code-analysis.ts";
import { AgentDefinition } from "../../src/turn/agent-definition.ts";
import type { Command } from "../../src/flows/flow.ts";
import type { Coding } from "../../src/flows/loop/coding.ts";
import type { Door } from "../../src/doors/http/door.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import { createTimers, type Timers } from "../../src/base/wire/patient-timer.ts";
import type { CompilePattern } from "../../src/workspace/search/prepare-search.ts";
import { socketExchanges } from "./plugin-client.ts";

export interface TestAppOptions<Models> {
  /** The n-th call plays the n-th script; or a model of the test's own. */
  models?: Models;
  /** As environment variables. Every Host is served unless RIGHTSEAT_ALLOWED_HOSTS says which (empty: the default). */
  settings?: TestSettings;
  /** Instead of one model; then `models` is not asked. */
  modelTable?: ModelTable;
  /** The shipped agent where absent. */
  agents?: readonly AgentDefinition[];
  /** Reads code; without it only what indentation and keywords show. */
  code?: CodeParser;
  /** Finds knowledge for definitions with `recallByAgent`. */
  retriever?: Retriever;
  /** Compiles expressions of searches. */
  compilePattern?: CompilePattern;
  timers?: Timers;
  /** What the command `code` works on. */
  coding?: Coding;
  /** Further commands, doors and tools, of a library user. */
  commands?: readonly Command[];
  doors?: readonly Door[];
  tools?: readonly AnyTool[];
  /** Where sessions are kept. */
  store?: Store;
  /** Tools of what sessions bring. */
  openTools?: NonNullable<AppDeps["openTools"]>;
  /** Servers of MCP that sessions may name. */
  mcp?: NonNullable<AppDeps["mcp"]>;
  /** Counted where absent. */
  createId?: () => string;
  /** Milliseconds since 1970; always the same where absent. */
  now?: () => number;
}

export interface TestApp<Model extends ChatModel> {
  app: App;
  model: Model;
}

const promptFiles = Object.fromEntries(
  Object.entries(
    import.meta.glob("/src/flows/**/*.liquid", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).flatMap(([path, text]) => promptsIn(path, text)),
);

const { "/src/doors/plugin/page/test-page.html": testPage = "" } = import.meta.glob(
  "/src/doors/plugin/page/test-page.html",
  { query: "?raw", import: "default", eager: true },
);

const ofTests = { RIGHTSEAT_ALLOWED_HOSTS: "*", RIGHTSEAT_HEARTBEAT_MS: "60000" };
/** On a busy machine an answer would begin with a comment before its first text. */
const patience = { firstByteHold: 20_000 };

/** The shipped agent with some of its commands: what it tells of all of them changes with each new one. */
export const fewCommands: AgentDefinition = AgentDefinition.parse({
  ...rightseat,
  commands: rightseat.commands.filter(({ name }) =>
    /^(?:default|explain|fix|unittest)$/.test(name),
  ),
});

/** Makes an app whose model follows scripts, whose ids are counted, and which reads no environment. */
export function createTestApp(options?: TestAppOptions<readonly Script[]>): TestApp<ScriptedModel>;
export function createTestApp<Model extends ChatModel>(
  options: TestAppOptions<Model> & { models: Model },
): TestApp<Model>;
export function createTestApp(
  options: TestAppOptions<readonly Script[] | ChatModel> = {},
): TestApp<ChatModel> {
  const {
    models = [["Hello."]],
    settings = {},
    agents = [AgentDefinition.parse(rightseat)],
  } = options;
  const { environment, limits } = splitSettings(settings);
  const model = "stream" in models ? models : scriptedModel(models);
  let count = 0;
  const app = createApp({
    config: { ...parseConfig({ ...ofTests, ...environment }), ...patience, ...limits },
    agents,
    models: options.modelTable ?? createModelTable([{ name: model.name, model }]),
    promptFiles,
    testPage,
    ...(options.code === undefined ? {} : { code: options.code }),
    ...(options.retriever === undefined ? {} : { retriever: options.retriever }),
    compilePattern: options.compilePattern,
    coding: options.coding,
    commands: options.commands ?? [],
    doors: options.doors ?? [],
    tools: options.tools ?? [],
    createExchange: socketExchanges,
    timers: options.timers ?? createSteadyTimers(),
    createId: options.createId ?? (() => `turn-${++count}`),
    now: options.now ?? (() => 1_763_600_000_500),
    store: options.store,
    ...(options.openTools === undefined ? {} : { openTools: options.openTools }),
    ...(options.mcp === undefined ? {} : { mcp: options.mcp }),
    version: "1.2.3",
  });
  return { app, model };
}

/** A clock that goes on only between two steps of a program: a busy machine makes no template late. */
function createSteadyTimers(): Timers {
  const timers = createTimers();
  let time: number | undefined;
  return {
    ...timers,
    now() {
      if (time !== undefined) return time;
      queueMicrotask(() => (time = undefined));
      return (time = timers.now());
    },
  };
}

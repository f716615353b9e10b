import { getLogger } from "@logtape/logtape";
import { trimEndSigns } from "../base/text/lines.ts";
import { type Config, ConfigError } from "./config.ts";
import { type ModelSetting, fillReferences, isHeaderValue, listRowSecrets } from "./settings.ts";
import {
  type ChatApi,
  type UpstreamTransport,
  createFetchTransport,
} from "../model/chat/chat-api.ts";
import { checkAddress, listedFetch } from "../base/wire/address-guard.ts";
import {
  type ModelTable,
  type NamedModel,
  type OnNext,
  createModelTable,
  fallbackModel,
} from "../model/model-table.ts";
import { openAiCompatibleModel } from "../model/chat/openai-compatible.ts";
import { describeUpstream, withoutMessage } from "../base/errors/app-error.ts";
import { cutName } from "../base/errors/names.ts";
import type { ChatModel } from "../turn/chat-model.ts";
import type { CodeParser } from "../code/code-analysis.ts";
import { plainCodeParser } from "../code/plain/analyze-plain.ts";
import { BoundedMap } from "../base/wire/known-member.ts";
import { createTimers } from "../base/wire/patient-timer.ts";

/**
 * Builds the models that the settings name, in the settings' order, so that the first is the default.
 *
 * @param environment where the rows' keys are looked up
 * @param isOneTalk whether the models answer one person at a terminal
 * @param guardedFetch asks the models of clients' own
 * @throws ConfigError when a row's key variable is not set
 */
export function createModels(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  transport: UpstreamTransport,
  code?: CodeParser,
  isOneTalk = false,
  guardedFetch = listedFetch(config.sessionHosts, (...request) => fetch(...request)),
): ModelTable {
  const api: ChatApi = {
    transport,
    limits: config,
    times: {
      firstToken: config.firstTokenTimeout,
      idle: config.idleTimeout,
      total: config.answerTimeout,
    },
    retry: {
      retries: config.retries,
      backoff: config.retryBackoff,
      maxWait: config.maxRetryAfter,
    },
    random: Math.random,
    createId: () => crypto.randomUUID(),
    now: Date.now,
    timers: createTimers(),
    secrets: listSecrets(config, environment),
    onParameterChange: logParameterChange,
  };
  const found: Record<Config["modelOrder"][number], NamedModel[]> = {
    platform: listPlatform(config, api),
    table: listRows(config).map((row) => ({
      name: row.name,
      model: createRow(row, config, environment, api),
    })),
    offline: [{ name: "offline", model: offlineModel(code, isOneTalk) }],
  };
  const [first, ...others] = config.modelOrder.flatMap((kind) => found[kind]);
  if (first === undefined)
    throw new ConfigError("modelOrder leaves no model. Add `offline`, or configure one.");
  const table: [NamedModel, ...NamedModel[]] = [first, ...others];
  const fallbacks = new Map(config.models.map(({ name, fallback = [] }) => [name, fallback]));
  const models = new Map(table.map(({ name, model }) => [name, model]));
  for (const row of table) {
    const chain = chainOf(row.name, fallbacks, [...models.keys()]);
    const next = [...chain].flatMap((name) => models.get(name) ?? []);
    if (next.length > 0) row.model = fallbackModel(row.model, next, logFallback);
  }
  if (config.sessionHosts.length === 0) return createModelTable(table);
  return { ...createModelTable(table), openOwn: ownModels(config, api, guardedFetch) };
}

function listPlatform(
  { platformEndpoint: endpoint, platformTimeout: total, contextWindow, answerReserve }: Config,
  api: ChatApi,
): NamedModel[] {
  if (endpoint === undefined) return [];
  checkWindow("platform", contextWindow, answerReserve);
  const row = { name: "platform", baseUrl: endpoint, contextWindow, answerReserve };
  const ownApi = { ...api, times: { ...api.times, total } };
  const model = openAiCompatibleModel({ ...row, isPlatform: true }, ownApi);
  return [{ name: "platform", model, takesAnyName: true }];
}

const maxOwnModels = 1_000;

/** Models at addresses of clients' own, which the operator has listed. */
function ownModels(
  { sessionHosts: hosts, contextWindow, answerReserve }: Config,
  api: ChatApi,
  guardedFetch: typeof fetch,
): NonNullable<ModelTable["openOwn"]> {
  const ownApi = { ...api, transport: createFetchTransport(guardedFetch) };
  const usual = { contextWindow, answerReserve, streamUsage: true };
  // What a server refuses is learnt once.
  const known = new BoundedMap<string, ChatModel>(maxOwnModels, () => 1);
  return (own) => {
    checkAddress(own.baseUrl, { hosts, allowsPublic: false });
    const key = JSON.stringify([own.baseUrl, own.model, own.apiKey]);
    const model =
      known.get(key) ?? openAiCompatibleModel({ ...usual, ...own, name: own.model }, ownApi);
    known.set(key, model);
    return model;
  };
}

/**
 * The built-in model, which needs neither network nor key, and is loaded with its first answer.
 *
 * @param parser reads the code; without it lines and indentation are all that is seen
 * @param isOneTalk whether all answers go to one person: then only the first says what this model is
 */
function offlineModel(parser: CodeParser = plainCodeParser, isOneTalk = false): ChatModel {
  let isIntroduced = false;
  return {
    name: "offline",
    contextWindow: 128_000,
    answerReserve: 4_096,
    isDeterministic: true,
    toolCalls: "none",
    async *stream(request, { signal }) {
      const { answerOffline } = await import("../model/offline/offline.ts");
      const isKnown = isIntroduced;
      isIntroduced = isOneTalk;
      return yield* answerOffline(request, signal, parser, isKnown);
    },
  };
}

/**
 * Who is asked in a row's place, one after another: each that it names, followed by those that this one names.
 *
 * @param found those that were found so far, and what is found here
 * @throws ConfigError for names that no model has, and where a row would be asked in its own place
 */
function chainOf(
  name: string,
  fallbacks: ReadonlyMap<string, readonly string[]>,
  known: readonly string[],
  path: readonly string[] = [],
  found: Set<string> = new Set(),
): Set<string> {
  const here = [...path, name];
  for (const next of fallbacks.get(name) ?? []) {
    if (!known.includes(next)) {
      const all = known.map((one) => cutName(one)).join(", ");
      throw new ConfigError(
        `models: row "${name}" has the fallback "${cutName(next)}", which is not a model here. There are: ${all}.`,
      );
    }
    if (here.includes(next)) {
      const way = [...here.slice(here.indexOf(next)), next].join(" -> ");
      throw new ConfigError(`models: the fallback of row "${next}" leads back to it: ${way}.`);
    }
    if (found.has(next)) continue;
    found.add(next);
    chainOf(next, fallbacks, known, here, found);
  }
  return found;
}

const logFallback: OnNext = (failed, error, next) => {
  const { upstream } = error;
  const why = upstream === undefined ? "" : describeUpstream(withoutMessage(upstream));
  getLogger(["rightseat", "model"]).warn(
    "{failed} failed before its first word: {code} {why}; {next} is asked",
    { failed: cutName(failed), code: error.code, why, next: cutName(next) },
  );
};

/** Whatever a refusal must not repeat: keys of callers, of models, and those that seal states. */
function listSecrets(
  { apiKeys, openaiApiKey, models, stateKeys }: Config,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const sealing = stateKeys.map(({ bytes }) => btoa(String.fromCharCode(...bytes)));
  const secrets = [...apiKeys, openaiApiKey, ...listRowSecrets(models, environment), ...sealing];
  return secrets.filter((secret) => secret !== undefined);
}

const logParameterChange: NonNullable<ChatApi["onParameterChange"]> = (
  { param, replacement },
  { host, model },
) => {
  const then = replacement === undefined ? "it is left out" : "its value is sent as {replacement}";
  getLogger(["rightseat", "model"]).warn(
    `{model} at {host} refuses the parameter {param}; ${then} for an hour`,
    { model: cutName(model), host, param, ...(replacement !== undefined && { replacement }) },
  );
};

type Row = ModelSetting & { apiKey?: string };

/** The table's rows, and one more for the well-known variables of OpenAI clients, unless the table has it. */
function listRows(config: Config): Row[] {
  const { openaiApiKey: apiKey, openaiBaseUrl, openaiModel, models } = config;
  const names = new Set<string>();
  for (const { name } of models) {
    if (names.has(name)) throw new ConfigError(`models: two rows are named "${name}".`);
    names.add(name);
  }
  if ((apiKey === undefined && openaiBaseUrl === undefined) || names.has("openai")) return models;
  const baseUrl = openaiBaseUrl ?? "https://api.openai.com/v1";
  return [
    ...models,
    { name: "openai", baseUrl, model: openaiModel, ...(apiKey === undefined ? {} : { apiKey }) },
  ];
}

function createRow(
  row: Row,
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  api: ChatApi,
): NamedModel["model"] {
  const apiKey = row.keyVariable === undefined ? row.apiKey : environment[row.keyVariable];
  if (row.keyVariable !== undefined && !apiKey) {
    throw new ConfigError(
      `models: row "${row.name}" names the key variable ${row.keyVariable}, which is not set.`,
    );
  }
  if (row.name === "*" && row.model === undefined) {
    throw new ConfigError('models: row "*" needs `model`, for turns that name no model.');
  }
  const headers = fillHeaders(row, environment);
  if (apiKey !== undefined && headers["authorization"] !== undefined) {
    throw new ConfigError(
      `models: row "${row.name}" has both a key and a header authorization. Leave one of them out.`,
    );
  }
  const {
    name,
    model = name,
    streamUsage = true,
    contextWindow = config.contextWindow,
    answerReserve = config.answerReserve,
    ...others
  } = row;
  checkWindow(name, contextWindow, answerReserve);
  const baseUrl = trimEndSigns(row.baseUrl, "/");
  const filled = { name, model, streamUsage, contextWindow, answerReserve, baseUrl, headers };
  const key = apiKey === undefined ? {} : { apiKey };
  return openAiCompatibleModel({ ...others, ...filled, ...key }, api);
}

function fillHeaders(
  { name: row, headers = {} }: Row,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const filled = Object.entries(headers).map(([name, value]) => {
    const found = fillReferences(value, (variable) => {
      const text = environment[variable];
      if (text) return text;
      throw new ConfigError(
        `models: row "${row}" names the variable ${variable} in its header ${name}, which is not set.`,
      );
    });
    if (isHeaderValue(found)) return [name.toLowerCase(), found];
    throw new ConfigError(
      `models: row "${row}" gets signs into its header ${name} that no header may have. Look at the variables that it names.`,
    );
  });
  return Object.fromEntries(filled);
}

function checkWindow(name: string, contextWindow: number, answerReserve: number): void {
  if (answerReserve < contextWindow) return;
  throw new ConfigError(
    `models: "${name}" keeps ${answerReserve} tokens for the answer of a window of ${contextWindow}, so nothing is left to ask with. Set contextWindow or answerReserve.`,
  );
}

import { cliTexts } from "../../src/cli/texts.ts";
import { createUndiciTransport } from "../../src/model/chat/undici-transport.node.ts";
import { createConfiguredThreads } from "../../src/setup/threads/create-code-threads.node.ts";
import { type Config, parseConfig } from "../../src/setup/config.ts";
import { createModels } from "../../src/setup/create-models.ts";
import { readProxies } from "../../src/setup/read-proxies.node.ts";
import { loadAgents } from "../../src/setup/load-agents.node.ts";
import { loadPromptFiles } from "../../src/setup/load-prompt-files.node.ts";
import { listRowSecrets } from "../../src/setup/settings.ts";
import type { Locale } from "../../src/base/errors/locale.ts";
import { CliError } from "../../src/cli/cli-error.ts";
import { createCheckEnvironment } from "../../src/cli/code/run-check.ts";
import { readSettingsFile } from "../../src/cli/read/read-settings-file.ts";
import { type ChosenModel, chooseModel } from "../choose-model.ts";
import { runCases } from "../run-cases.ts";
import { type CodingTask, loadTasks } from "./coding-task.ts";
import { printTask, printTasks, summarizeTasks } from "./print-tasks.ts";
import { recordedModel } from "./recorded-model.ts";
import { type TaskResult, runTask } from "./run-task.ts";

export interface EvalCodeOptions {
  model: string | undefined;
  /** The recorded calls of the tasks are made instead of asking a model. */
  isRecorded: boolean;
  key: string | undefined;
  locale: Locale | undefined;
  /** Where absent, the folder of the project. */
  folder: string | undefined;
  /** Names of tasks; empty: all. */
  names: readonly string[];
  /** Tasks at once. */
  concurrency: number;
  /** The least share of tasks that are solved, in percent. */
  expectRight: number;
  expectSound: boolean;
  showsCases: boolean;
  json: boolean;
}

/**
 * Has the coding agent do the tasks of a folder, each in a copy, and looks at what became of the copies.
 *
 * @returns the text to print, and whether it is as good as was expected
 * @throws CliError, ConfigError
 */
export async function evalCode(
  options: EvalCodeOptions,
  signal: AbortSignal,
  progress: (done: number, all: number) => void,
): Promise<{ printed: string; isGood: boolean }> {
  const tasks = chooseTasks(loadTasks(options.folder), options);
  const { name, results } = await runTasks(tasks, options, signal, progress);
  const summary = summarizeTasks(results);
  const solved = results.filter(({ isSolved }) => isSolved).length;
  const hasFailed = results.some(({ failure }) => failure !== undefined);
  const isGood =
    100 * solved >= options.expectRight * tasks.length && !(options.expectSound && hasFailed);
  if (options.json) {
    const report = { model: name, asked: tasks.length, languages: summary, tasks: results };
    return { printed: JSON.stringify(report, null, 2), isGood };
  }
  const listed = results.filter(({ isSolved }) => options.showsCases || (!isGood && !isSolved));
  const lines = listed.length === 0 ? [] : [`${listed.map(printTask).join("\n")}\n`];
  const part = results.length < tasks.length ? ` of ${tasks.length}` : "";
  const head = `Model ${name}, ${results.length}${part} ${tasks.length === 1 ? "task" : "tasks"}\n`;
  return { printed: [...lines, head, printTasks(summary)].join("\n"), isGood };
}

function chooseTasks(
  tasks: readonly CodingTask[],
  { names, isRecorded }: EvalCodeOptions,
): readonly CodingTask[] {
  const unknown = names.find((name) => !tasks.some(({ id }) => id === name));
  if (unknown !== undefined) {
    const known = tasks.map(({ id }) => id).join(", ");
    throw new CliError(`--file ${JSON.stringify(unknown)} is not known. There are: ${known}.`);
  }
  const chosen = tasks.filter(({ id }) => names.length === 0 || names.includes(id));
  const silent = isRecorded ? chosen.find(({ calls }) => calls.length === 0) : undefined;
  if (silent !== undefined) throw new CliError(`Task ${silent.id} has no calls.json to play.`);
  return chosen;
}

async function runTasks(
  tasks: readonly CodingTask[],
  { model: wanted, isRecorded, key, locale, concurrency }: EvalCodeOptions,
  signal: AbortSignal,
  progress: (done: number, all: number) => void,
): Promise<{ name: string; results: TaskResult[] }> {
  const config = parseConfig(process.env, readSettingsFile());
  const transport = createUndiciTransport(config.connectTimeout, readProxies(process.env));
  const code = createConfiguredThreads(config);
  try {
    const table = createModels(config, process.env, transport, code);
    const chosen = isRecorded ? undefined : withTools(chooseModel(table, wanted));
    const parts = {
      config,
      agents: loadAgents(config.agents),
      promptFiles: loadPromptFiles(),
      code,
      key,
      locale: locale ?? config.locale,
      environment: createCheckEnvironment(process.env, listKeys(config, key)),
    };
    const run = (task: CodingTask): Promise<TaskResult> => {
      const { model, modelId } = chosen ?? { model: recordedModel(task), modelId: undefined };
      return runTask(task, { ...parts, model, modelId }, signal);
    };
    const results = await runCases(tasks, {
      run,
      concurrency,
      signal,
      progress: (done) => progress(done, tasks.length),
    });
    return { name: chosen?.name ?? "recorded", results };
  } finally {
    code.close();
    await transport.close();
  }
}

/** @throws CliError for a model that would fail in every task */
function withTools(chosen: ChosenModel): ChosenModel {
  if (chosen.model.toolCalls !== "none") return chosen;
  throw new CliError(cliTexts("en").noTools(chosen.name, ""));
}

function listKeys({ apiKeys, openaiApiKey = "", models }: Config, key = ""): string[] {
  const ofRows = listRowSecrets(models, process.env);
  return [...apiKeys, openaiApiKey, key, ...ofRows];
}

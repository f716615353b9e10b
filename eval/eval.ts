// Shows what a model is worth in the flows: asks the agent real questions, in this process, and
// judges what comes back. The exit code is 0 if it ran; --expect-sound makes it say more.
import { createUndiciTransport } from "../src/model/chat/undici-transport.node.ts";
import { createConfiguredThreads } from "../src/setup/threads/create-code-threads.node.ts";
import { parseConfig } from "../src/setup/config.ts";
import { createModels } from "../src/setup/create-models.ts";
import { readProxies } from "../src/setup/read-proxies.node.ts";
import { loadAgents } from "../src/setup/load-agents.node.ts";
import { loadPromptFiles } from "../src/setup/load-prompt-files.node.ts";
import { evalAnswers } from "./answers/eval-answers.ts";
import { evalCode } from "./code/eval-code.ts";
import { chooseModel } from "./choose-model.ts";
import { createAgent } from "./create-agent.ts";
import type { EvalCase } from "./eval-case.ts";
import { filterCases, loadCases } from "./load-cases.ts";
import {
  type EvalArguments,
  type EvalOptions,
  isAboutCode,
  parseAnswersOptions,
  parseCodeOptions,
  parseOptions,
} from "./options.ts";
import { printCase } from "./print-case.ts";
import { printSummary } from "./print-summary.ts";
import { type CaseResult, runCase } from "./run-case.ts";
import { runCases } from "./run-cases.ts";
import { summarize } from "./summarize.ts";
import { isSound } from "./verdict.ts";
import { readSettingsFile } from "../src/cli/read/read-settings-file.ts";
import { exitStopped, stopOnInterrupt } from "../src/cli/fail-with.ts";

/**
 * `rightseat eval`: asks a model what the flows ask, and counts what can be done with the answers.
 *
 * @returns the exit code
 * @throws CliError, ConfigError
 */
export async function runEval(given: EvalArguments): Promise<number> {
  if (given.answers !== undefined) {
    const options = parseAnswersOptions(given);
    return evaluate((signal) => evalAnswers(options, signal));
  }
  if (!isAboutCode(given)) return askModel(parseOptions(given));
  const options = parseCodeOptions(given);
  return evaluate((signal) => evalCode(options, signal, showProgress));
}

async function evaluate(
  run: (signal: AbortSignal) => Promise<{ printed: string; isGood: boolean }>,
): Promise<number> {
  const { signal, release } = stopOnInterrupt();
  try {
    const { printed, isGood } = await run(signal);
    print(printed);
    if (signal.aborted) return exitStopped;
    return isGood ? 0 : 1;
  } finally {
    release();
  }
}

async function askModel(options: EvalOptions): Promise<number> {
  const cases = filterCases(loadCases(), options);
  const { signal, release } = stopOnInterrupt();
  try {
    const { name, results } = await askAll(cases, options, signal);
    report(name, cases.length, results, options);
    if (signal.aborted) return exitStopped;
    return options.expectSound && !results.every(isSound) ? 1 : 0;
  } finally {
    release();
  }
}

async function askAll(
  cases: readonly EvalCase[],
  { model, key, locale, concurrency }: EvalOptions,
  signal: AbortSignal,
): Promise<{ name: string; results: CaseResult[] }> {
  const config = parseConfig(process.env, readSettingsFile());
  const transport = createUndiciTransport(config.connectTimeout, readProxies(process.env));
  const code = createConfiguredThreads(config);
  try {
    const chosen = chooseModel(createModels(config, process.env, transport, code), model);
    const agents = loadAgents(config.agents);
    const promptFiles = loadPromptFiles();
    const agent = createAgent({ config, agents, promptFiles, code, chosen, key, locale });
    const results = await runCases(cases, {
      run: (asked) => runCase(asked, agent, code, signal),
      concurrency,
      signal,
      progress: (done) => showProgress(done, cases.length),
    });
    return { name: chosen.name, results };
  } finally {
    code.close();
    await transport.close();
  }
}

function report(
  model: string,
  asked: number,
  results: readonly CaseResult[],
  { json, showsCases, expectSound }: EvalOptions,
): void {
  const flows = summarize(results);
  if (json) {
    print(JSON.stringify({ model, asked, flows, cases: results }, null, 2));
    return;
  }
  const listed = results.filter((result) => showsCases || (expectSound && !isSound(result)));
  if (listed.length > 0) print(`${listed.map(printCase).join("\n")}\n`);
  const part = results.length < asked ? ` of ${asked}` : "";
  print(`Model ${model}, ${results.length}${part} cases\n\n${printSummary(flows)}`);
}

function showProgress(done: number, all: number): void {
  if (process.stderr.isTTY) process.stderr.write(done === all ? "\r\x1b[K" : `\r${done} of ${all}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

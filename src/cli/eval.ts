// Shows what a model is worth in the flows: asks the agent real questions, in this process, and
// judges what comes back. The exit code is 0 if it ran; --expect-sound makes it say more.
import { type ArgsDef, defineCommand } from "citty";
import { createUndiciTransport } from "../model/chat/undici-transport.node.ts";
import { createConfiguredThreads } from "../node.ts";
import { parseConfig } from "../setup/config.ts";
import { createModels } from "../setup/create-models.ts";
import { loadAgents } from "../setup/load-agents.node.ts";
import { loadPromptFiles } from "../setup/load-prompt-files.node.ts";
import { checkArguments } from "./check-arguments.ts";
import { evalAnswers } from "./eval/answers/eval-answers.ts";
import { chooseModel } from "./eval/choose-model.ts";
import { createAgent } from "./eval/create-agent.ts";
import { type EvalCase, evalCommands } from "./eval/eval-case.ts";
import { filterCases, loadCases } from "./eval/load-cases.ts";
import {
  type EvalArguments,
  type EvalOptions,
  parseAnswersOptions,
  parseOptions,
  usualConcurrency,
} from "./eval/options.ts";
import { printCase } from "./eval/print-case.ts";
import { printSummary } from "./eval/print-summary.ts";
import { type CaseResult, runCase } from "./eval/run-case.ts";
import { runCases } from "./eval/run-cases.ts";
import { summarize } from "./eval/summarize.ts";
import { isSound } from "./eval/verdict.ts";
import { failWith } from "./fail-with.ts";
import { leaveWhenNobodyReads } from "./leave-when-nobody-reads.ts";
import { readSettingsFile } from "./read-settings-file.ts";
import { exitStopped, stopOnInterrupt } from "./stop-on-interrupt.ts";

const args = {
  model: {
    type: "string",
    description: "A model of the settings, or offline; the default model where absent",
    valueHint: "NAME",
  },
  flow: {
    type: "string",
    description: `Flows, separated by commas: ${evalCommands.join(", ")}`,
    valueHint: "NAMES",
  },
  file: {
    type: "string",
    description: "Files of the cases, separated by commas, such as cart.py",
    valueHint: "NAMES",
  },
  language: {
    type: "string",
    description: "Language of the prompts: en or zh",
    valueHint: "LANGUAGE",
  },
  key: { type: "string", description: "Key for the platform's model", valueHint: "KEY" },
  concurrency: {
    type: "string",
    description: `Turns at once, ${usualConcurrency} where absent`,
    valueHint: "N",
  },
  cases: { type: "boolean", description: "Print a line for each case, with what was wrong" },
  json: { type: "boolean", description: "Print all figures and cases as JSON" },
  "expect-sound": {
    type: "boolean",
    description:
      "Exit with 1 if a turn failed, the syntax of a file or of written tests is broken, a doc comment changed code, JSON stayed invalid, or an answer was not whole",
  },
  answers: {
    type: "boolean",
    description:
      "Ask no model: play the answers of a folder (--answers FOLDER; in a clone that of the project) through the flows, and exit with 1 if one is wrong",
  },
  "expect-right": {
    type: "string",
    description: "With --answers, exit with 1 if fewer come out as expected, in percent",
    valueHint: "N",
  },
} satisfies ArgsDef;

/** `rightseat eval`: asks a model what the flows ask, and counts what can be done with the answers. */
export const evaluate = defineCommand({
  meta: {
    name: "eval",
    description: "Ask a model what the flows ask, and count what can be done with its answers",
  },
  args,
  async run({ args: given }) {
    try {
      // The parser adds these spellings of --expect-sound and --expect-right by itself.
      const spelled = { expectSound: undefined, expectRight: undefined, ...given };
      const { expectSound: _, expectRight: __, ...written } = spelled;
      checkArguments(written, args, given.answers === true ? 1 : 0);
      leaveWhenNobodyReads();
      process.exitCode =
        given.answers === true ? await runAnswers(given) : await runEval(parseOptions(given));
    } catch (thrown) {
      failWith(thrown);
    }
  },
});

async function runAnswers(given: EvalArguments & { _: string[] }): Promise<number> {
  const options = parseAnswersOptions(given, given._[0]);
  const { signal, release } = stopOnInterrupt();
  try {
    const { printed, isGood } = await evalAnswers(options, signal);
    print(printed);
    if (signal.aborted) return exitStopped;
    return isGood ? 0 : 1;
  } finally {
    release();
  }
}

async function runEval(options: EvalOptions): Promise<number> {
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
  const transport = createUndiciTransport(config.connectTimeout);
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

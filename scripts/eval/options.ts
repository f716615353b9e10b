import { parseArgs } from "node:util";
import { CliError } from "../../src/cli/cli-error.ts";
import { type Locale, parseLocale } from "../../src/errors/locale.ts";
import { evalCommands } from "./eval-case.ts";

export interface EvalOptions {
  model: string | undefined;
  key: string | undefined;
  locale: Locale | undefined;
  flows: readonly string[];
  files: readonly string[];
  concurrency: number;
  showsCases: boolean;
  json: boolean;
  expectSound: boolean;
}

const usualConcurrency = 4;

export const usage = `Asks a configured model what the flows ask, on source files in twelve languages, and counts what
can be done with the answers.

  npm run eval -- [options]

  --model NAME      a model of the settings, or \`offline\`; the default model where absent
  --flow NAMES      flows, separated by commas: ${evalCommands.join(", ")}
  --file NAMES      files of test/fixtures/code and test/fixtures/eval, separated by commas
  --language LANG   language of the prompts: en or zh
  --key KEY         key for the platform's model
  --concurrency N   turns at once (${usualConcurrency})
  --cases           one line for each case, with what was wrong
  --json            all figures and cases as JSON
  --expect-sound    exit with 1 if a turn failed, the syntax of a file or of written tests is broken, a
                    doc comment changed code, JSON stayed invalid, or an answer was not whole

Settings are those of \`rightseat call\`: the environment and rightseat.json. Ctrl-C ends the run and
shows what was done until then.`;

/**
 * @returns undefined when help is asked for
 * @throws CliError that says what is wrong with the arguments
 */
export function parseOptions(args: string[]): EvalOptions | undefined {
  const values = parseValues(args);
  if (values.help) return undefined;
  if (values.language !== undefined && parseLocale(values.language) === undefined)
    throw new CliError(`--language ${values.language} is not known. Write one of: en, zh.`);
  return {
    model: values.model,
    key: values.key,
    locale: parseLocale(values.language),
    flows: splitList(values.flow),
    files: splitList(values.file),
    concurrency: parseCount(values.concurrency),
    showsCases: values.cases,
    json: values.json,
    expectSound: values["expect-sound"],
  };
}

function parseValues(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        model: { type: "string" },
        key: { type: "string" },
        language: { type: "string" },
        flow: { type: "string", multiple: true, default: [] },
        file: { type: "string", multiple: true, default: [] },
        concurrency: { type: "string" },
        cases: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        "expect-sound": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (cause) {
    throw new CliError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function splitList(given: readonly string[]): string[] {
  return given
    .flatMap((text) => text.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function parseCount(text: string | undefined): number {
  if (text === undefined) return usualConcurrency;
  if (!/^[1-9]\d?$/.test(text))
    throw new CliError(`--concurrency must be a whole number from 1 to 99, not "${text}".`);
  return Number(text);
}

import { parseLocale } from "../../base/errors/locale.ts";
import { parseConfig, type Config } from "../../setup/config.ts";
import { configureLog } from "../../setup/configure-log.node.ts";
import { loadAgents } from "../../setup/load-agents.node.ts";
import { readPipedText } from "../call/collect/read-piped-text.ts";
import { checkLanguage } from "../call/run-parts.ts";
import { callTexts } from "../call/texts.ts";
import { CliError } from "../cli-error.ts";
import type { CodeRun } from "./code-run.ts";
import { type CodeTexts, codeTexts } from "./code-texts.ts";
import { checkProject, findFolder } from "./open-folder.ts";
import { joinWords, parseAllow } from "./parse-code-arguments.ts";
import { readOuterSettings } from "./read-outer-settings.ts";
import { runAgent } from "./run-agent.ts";
import { failWith } from "../fail-with.ts";
import { withTerminalLocale } from "../terminal-locale.ts";

/** The options of `rightseat code`, as they were written. */
export interface CodeOptions {
  dir?: string;
  force?: boolean;
  yes?: boolean;
  allow?: string[];
  model?: string;
  maxSteps?: string;
  language?: string;
  key?: string;
  json?: boolean;
  plain?: boolean;
}

export interface CodeArguments extends CodeOptions {
  /** What comes before `--`. */
  words: readonly string[];
  /** What follows `--`; undefined without one. */
  check: readonly string[] | undefined;
}

/**
 * `rightseat code`: has the coding agent work in a folder until a request is done.
 *
 * @returns the exit code: 0 where all went well, 1 where something failed or was refused, 130 after Ctrl-C
 * @throws CliError, ConfigError, AppError
 */
export async function runCode(given: CodeArguments): Promise<number> {
  try {
    return await runAgent(await prepareRun(given));
  } catch (thrown) {
    const { maxSteps } = given;
    const flags = maxSteps === undefined ? {} : { RIGHTSEAT_MAX_ROUNDS: `--max-steps ${maxSteps}` };
    return failWith(thrown, flags);
  }
}

async function prepareRun(given: CodeArguments): Promise<CodeRun> {
  const { dir = ".", language, check, json = false } = given;
  checkLanguage(language);
  const named = parseLocale(language);
  // Before the settings are read, which may name a language, too.
  const first = codeTexts(named ?? "en");
  const root = findFolder(dir, first);
  checkProject(root, given.force ?? false, first);
  const { file, isIgnored } = readOuterSettings(root, first);
  const config = readConfig(given, file);
  if (config.logLevel === "debug") await configureLog(config);
  const locale = named ?? config.locale;
  const texts = codeTexts(locale);
  if (check?.length === 0) throw new CliError(texts.emptyCheck);
  const [agent] = loadAgents(config.agents);
  if (agent === undefined) throw new CliError(callTexts(locale).noAgent);
  return {
    config,
    agents: [agent],
    texts,
    root,
    directory: dir,
    request: await readRequest(given.words, texts),
    check,
    isYes: given.yes ?? false,
    allows: parseAllow(given.allow ?? [], texts),
    model: given.model,
    key: given.key,
    isJson: json,
    isPlain: given.plain ?? false,
    hasIgnoredSettings: isIgnored,
  };
}

function readConfig({ maxSteps }: CodeArguments, file: unknown): Config {
  const environment = {
    ...process.env,
    ...(maxSteps === undefined ? {} : { RIGHTSEAT_MAX_ROUNDS: maxSteps }),
  };
  return parseConfig(environment, withTerminalLocale(file, process.env));
}

/** Standard input is read only where no request was written: the program that starts us may keep it open. */
async function readRequest(words: readonly string[], texts: CodeTexts): Promise<string> {
  const request = joinWords(words, texts) ?? (await readPipedText());
  if (request === undefined) throw new CliError(texts.needsRequest);
  return request;
}

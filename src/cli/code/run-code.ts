import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve, join } from "node:path";
import { isSpecFile, loadAgents } from "../../setup/load-agents.node.ts";
import { createWorkspaceTools } from "../../tools/workspace/workspace-tools.ts";
import { isUnder } from "../../workspace/directory/resolve-path.node.ts";
import { CliError } from "../cli-error.ts";
import { findSettingsFile, earlyTexts, readSettingsFile } from "../read/read-settings-file.ts";
import type { CliTexts } from "../texts.ts";
import { runCommandName } from "./ask.ts";
import type { CodeRun } from "./progress.ts";
import { realPathOf, checkProject, findFolder } from "./open-folder.ts";
import { openCall } from "../call/run-parts.ts";
import { readPipedText } from "../read/read-text-file.ts";
import type { Options } from "../options.ts";
import type { Config } from "../../setup/config.ts";
import { runAgent } from "./run-agent.ts";
import type { LocalApp } from "../create-local-app.ts";
import { failWith } from "../fail-with.ts";
import { type PathTest, createGlobTest } from "../../workspace/search/match-glob.ts";
import { quoteWord } from "./run-check.ts";

/**
 * `rightseat code`: has the coding agent work in a folder until a request is done.
 *
 * @param operands everything that is not an option, in its order
 * @returns the exit code: 0 where all went well, 1 where something failed or was refused, 130 after Ctrl-C
 */
export async function runCode(operands: readonly string[], given: Options): Promise<number> {
  try {
    const run = await prepareRun(operands, given);
    return await runAgent(run, (app) => openTools(run, app));
  } catch (thrown) {
    const { maxSteps } = given;
    const flags = maxSteps === undefined ? {} : { RIGHTSEAT_MAX_ROUNDS: `--max-steps ${maxSteps}` };
    return failWith(thrown, flags);
  }
}

async function prepareRun(
  operands: readonly string[],
  given: Options,
): Promise<Omit<CodeRun, "tools">> {
  const { dir = ".", json = false, maxSteps } = given;
  const { words, check } = splitOperands(operands, process.argv.slice(2));
  const steps = maxSteps === undefined ? {} : { RIGHTSEAT_MAX_ROUNDS: maxSteps };
  const project = await openProject(dir, given, steps);
  const { agents, texts } = project;
  checkProject(project.root, given.force ?? false, texts);
  if (check?.length === 0) throw new CliError(texts.emptyCheck);
  const [agent] = agents;
  if (agent === undefined) throw new CliError(texts.noAgent);
  // Standard input is read only where no request was written: the program that starts us may keep it open.
  const request = joinWords(words, texts) ?? (await readPipedText());
  if (request === undefined) throw new CliError(texts.needsRequest);
  return {
    ...project,
    agent,
    directory: dir,
    request,
    check,
    isYes: given.yes ?? false,
    allowed: new Set(),
    allows: parseAllow(given.allow ?? [], texts),
    model: given.model,
    key: given.key,
    isJson: json,
    isPlain: given.plain ?? false,
  };
}

/** The folder that an agent is to work on, with the settings from outside. @param steps replace environment variables */
export async function openProject(
  dir: string,
  { language }: Options,
  steps: Readonly<Record<string, string>> = {},
) {
  const first = earlyTexts(language);
  const root = findFolder(dir, first);
  const { file, hasIgnoredSettings } = readOuterSettings(root, first);
  const { config, texts } = await openCall(language, file, { ...process.env, ...steps });
  return { config, agents: loadAgents(config.agents), texts, root, hasIgnoredSettings };
}

/**
 * Reads the settings file, unless it lies in the folder that the agent works on: an agent must not choose its own
 * model and limits, nor a project for the person who opens it.
 *
 * @param root the real path of that folder
 * @returns what `parseConfig` takes, and whether there is a settings file in the folder, which does not count
 * @throws CliError where RIGHTSEAT_CONFIG names such a file; ConfigError
 */
function readOuterSettings(root: string, texts: CliTexts) {
  const path = findSettingsFile();
  // By the way to the file, and by where that leads: either could be changed.
  const ways = path === undefined ? [] : [resolve(path), realPathOf(resolve(path))];
  const isInside = path !== undefined && ways.some((way) => isUnder(root, way));
  if (isInside && path === process.env["RIGHTSEAT_CONFIG"])
    throw new CliError(texts.namedInside("RIGHTSEAT_CONFIG", path));
  const hasIgnoredSettings = isInside || existsSync(join(root, "rightseat.json"));
  return { file: isInside ? undefined : readSettingsFile(), hasIgnoredSettings };
}

const maxPatterns = 100;

/** @throws CliError for several parts: then quotes are missing, and a check may have been meant */
export function joinWords(words: readonly string[], texts: CliTexts): string | undefined {
  const [only, ...others] = words;
  if (others.length > 0) throw new CliError(texts.needsQuotes(quoteWord(words.join(" "))));
  return only === undefined || only.trim() === "" ? undefined : only;
}

/** @throws CliError for a pattern that would match nothing, or all in a way that nobody meant */
export function parseAllow(patterns: readonly string[], texts: CliTexts): PathTest {
  for (const pattern of patterns.slice(0, maxPatterns + 1)) {
    const isOutside = pattern.split("/").includes("..") || pattern.includes("\\");
    if (pattern.trim() === "" || pattern.length > 1_000 || isOutside)
      throw new CliError(texts.wrongPattern(pattern));
  }
  if (patterns.length > maxPatterns) throw new CliError(texts.wrongPattern(`(${patterns.length})`));
  return patterns.length === 0 ? () => false : createGlobTest(patterns);
}

/** Parts the operands at the `--` of the whole command line. @returns the check is undefined without one */
export function splitOperands(operands: readonly string[], written: readonly string[]) {
  const mark = written.indexOf("--");
  if (mark === -1) return { words: [...operands], check: undefined };
  const count = written.length - mark - 1;
  const border = Math.max(0, operands.length - count);
  return { words: operands.slice(0, border), check: operands.slice(border) };
}

/** The tools that the person's settings describe. @throws CliError for a description that the agent could change; AppError */
export async function openTools(run: Pick<CodeRun, "config" | "root" | "texts">, app: LocalApp) {
  const list = run.config.openSpecList.map((entry) => withText(entry, run.root, run.texts));
  return app.openTools(list, [...createWorkspaceTools().names, runCommandName]);
}

function withText(entry: Config["openSpecList"][number], root: string, texts: CliTexts) {
  const { openSpec } = entry;
  if (!isSpecFile(openSpec)) return entry;
  const path = realPathOf(resolve(dirname(findSettingsFile() ?? ""), openSpec));
  if (isUnder(root, path)) throw new CliError(texts.namedInside("openSpecList", path));
  if (!existsSync(path)) throw new CliError(texts.noSpec(path));
  return { ...entry, openSpec: readFileSync(path, "utf8") };
}

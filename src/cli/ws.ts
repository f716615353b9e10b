import { existsSync, realpathSync } from "node:fs";
import type { CodeParser } from "../code/code-analysis.ts";
import { parseLocale } from "../base/errors/locale.ts";
import { parseConfig } from "../setup/config.ts";
import { findWorkTree } from "../workspace/directory/folder-rules.node.ts";
import { configureLog } from "../setup/configure-log.node.ts";
import { checkLanguage } from "./call/check-language.ts";
import { askQuestion } from "./call/choose/ask-question.ts";
import { parsePlace } from "./call/collect/parse-place.ts";
import { joinPrompt, readPipedText } from "./call/collect/read-piped-text.ts";
import { sayStopped } from "./call/say-stopped.ts";
import { type CallTexts, callTexts } from "./call/texts.ts";
import { CliError } from "./cli-error.ts";
import { codeTexts } from "./code/code-texts.ts";
import { checkProject, holdsHome, listAccountHomes } from "./code/open-folder.ts";
import { readSettingsFile } from "./read/read-settings-file.ts";
import { stopOnInterrupt } from "./stop-on-interrupt.ts";
import { withTerminalLocale } from "./terminal-locale.ts";
import { type Step, findSteps } from "./ws/find-steps.ts";
import { holdTalk } from "./ws/hold-talk.ts";
import { reachAgent } from "./ws/reach-agent.ts";
import { type RequestSources, buildRequest } from "./ws/send/build-request.ts";
import { collectCode } from "./ws/send/collect-code.ts";
import { wsTexts } from "./ws/texts.ts";

/** The options of `rightseat ws`, as they were written. */
export interface WsOptions {
  url?: string;
  key?: string;
  model?: string;
  language?: string;
  prompt?: string;
  /** False after `--no-stream`. */
  stream?: boolean;
  receipt?: boolean;
  plain?: boolean;
  raw?: boolean;
  yes?: boolean;
  force?: boolean;
}

interface WsArguments extends WsOptions {
  command: string;
  /** The file, perhaps with lines or a cursor: `src/app.ts:10-20`; of `code` the request itself. */
  place?: string | undefined;
}

/**
 * `rightseat ws`: sends what an IDE plugin would send from here, answers what the agent asks of the project,
 * and shows the answer.
 *
 * @returns the exit code
 * @throws CliError, ConfigError, AppError
 */
export async function runWs(written: WsArguments): Promise<number> {
  checkLanguage(written.language);
  const steps = findSteps(written.command);
  const given = steps[0].needs === "work" ? withRequest(written) : written;
  const config = parseConfig(process.env, withTerminalLocale(readSettingsFile(), process.env));
  if (config.logLevel === "debug") await configureLog(config);
  const call = callTexts(parseLocale(given.language) ?? config.locale);
  const texts = { ...call, ws: wsTexts(call.locale) };
  checkPlace(given, steps[0]);
  const prompt = await readQuestion(given, steps[0], texts);
  // Nothing was asked, and nothing has begun that could be left in the middle.
  if (prompt === undefined && isAsked(steps[0])) return sayStopped(texts);
  const agent = await reachAgent(config, given.url, given.key);
  const { signal, release } = stopOnInterrupt();
  try {
    const { receipt = false, plain = false, raw = false, yes = false } = given;
    const isInteractive = isTerminal() && !raw;
    const writes = steps[0].needs === "work" && (yes || isInteractive);
    const collected = await collectSources(given, prompt, agent.code, steps[0], texts);
    const sources = { ...collected, writes };
    const first = buildRequest(steps[0], 1, sources);
    const shown = { receipt, plain, raw, yes, isInteractive };
    const isSound = await holdTalk(
      { agent, config, steps, first, sources, texts, ...shown },
      signal,
    );
    return isSound ? 0 : signal.aborted ? sayStopped(texts) : 1;
  } catch (thrown) {
    if (signal.aborted) return sayStopped(texts);
    throw thrown;
  } finally {
    release();
    await agent.close();
  }
}

/** These commands take no file: what was typed in its place is part of the request. */
function withRequest({ place, prompt, ...rest }: WsArguments): WsArguments {
  const words = [place, prompt].filter((part) => part !== undefined);
  return words.length === 0 ? rest : { ...rest, prompt: words.join("\n\n") };
}

/** Whether the step is nothing without words of the person. */
function isAsked({ needs }: Step): boolean {
  return needs === "question" || needs === "work";
}

function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/** @throws CliError where a file is named that the protocol has no place for */
function checkPlace({ command, place }: WsArguments, { needs }: Step): void {
  if (place === undefined || (needs !== "question" && needs !== "nothing")) return;
  throw new CliError(
    `ws ${command} takes no file, since its request carries none. Ask about ${place} with: rightseat ws explain ${place} --prompt TEXT.`,
  );
}

/**
 * @returns undefined if no question was typed and the person at the terminal asks none
 * @throws CliError when the command needs one and there is nobody to ask
 */
async function readQuestion(
  { command, prompt: typed, raw = false }: WsArguments,
  step: Step,
  texts: CallTexts,
): Promise<string | undefined> {
  if (step.needs === "nothing") return undefined;
  const prompt = joinPrompt(typed, await readPipedText());
  if (prompt !== undefined || !isAsked(step)) return prompt;
  if (isTerminal() && !raw) return askQuestion(texts);
  throw new CliError(texts.needsQuestion(`ws ${command}`));
}

async function collectSources(
  { command, place, model, stream = true, force = false }: WsArguments,
  prompt: string | undefined,
  code: CodeParser,
  { needs }: Step,
  { locale }: CallTexts,
): Promise<Omit<RequestSources, "writes">> {
  const here = realpathSync(process.cwd());
  const top = await findWorkTree(here);
  const homes = listAccountHomes();
  // Who keeps their home in git does not mean all of it.
  const root = top === undefined || holdsHome(top, homes) ? here : top;
  if (needs !== "nothing" && needs !== "question")
    for (const folder of [here, root]) checkProject(folder, force, codeTexts(locale), homes);
  const named = place === undefined ? undefined : parsePlace(place, existsSync);
  return {
    command,
    language: locale,
    model: model ?? "",
    stream,
    prompt,
    root,
    code: named && (await collectCode(named, here, root, code)),
  };
}

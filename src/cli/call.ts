import { existsSync } from "node:fs";
import { createCommandTable } from "../flows/commands.ts";
import { collectedBy, findCommand } from "../turn/agent-definition.ts";
import { type Place, parsePlace } from "./call/collect/parse-place.ts";
import { type Config, parseConfig } from "../setup/config.ts";
import { configureLog } from "../setup/configure-log.node.ts";
import { parseLocale } from "../base/errors/locale.ts";
import type { ProjectRules } from "../turn/context/project-rules.ts";
import { loadAgents } from "../setup/load-agents.node.ts";
import {
  type CallRequest,
  type RequestSources,
  buildRequest,
  collectEditor,
} from "./call/collect/build-request.ts";
import { askQuestion, needsQuestion, withQuestion } from "./call/choose/ask-question.ts";
import { findChange } from "./call/choose/apply-change.ts";
import { type StepOptions, chooseStep } from "./call/choose/choose-step.ts";
import { type Endpoint, localEndpoint, remoteEndpoint } from "./call/endpoint.ts";
import { findTestFile } from "./call/choose/find-test-file.ts";
import { type GivenAnswer, holdConversation } from "./call/hold-conversation.ts";
import { readDefinition } from "./call/collect/read-definition.ts";
import { readRules } from "./call/collect/read-rules.ts";
import { sentPath } from "./call/collect/read-editor.ts";
import { createOpenFile } from "./call/collect/open-file.ts";
import { joinPrompt, readPipedText } from "./call/collect/read-piped-text.ts";
import { checkLanguage } from "./call/check-language.ts";
import { loadPainter } from "./call/show/load-painter.ts";
import { sayStopped } from "./call/say-stopped.ts";
import { createSpinner } from "./call/show/spinner.ts";
import { type Terminal, createTerminal, showsColours } from "./call/terminal.ts";
import { type CallTexts, callTexts } from "./call/texts.ts";
import { writeTestFile } from "./call/choose/write-recorded.ts";
import { CliError } from "./cli-error.ts";
import { createLocalApp } from "./create-local-app.ts";
import { readSettingsFile } from "./read/read-settings-file.ts";
import { stopOnInterrupt } from "./stop-on-interrupt.ts";
import { withTerminalLocale } from "./terminal-locale.ts";

/** The options of `rightseat call`, as they were written. */
export interface CallOptions {
  file?: string;
  lines?: string;
  prompt?: string;
  url?: string;
  key?: string;
  agent?: string;
  definition?: string;
  model?: string;
  language?: string;
  /** As commander tells `--rules` and `--no-rules`; undefined if neither was written. */
  rules?: boolean;
  receipt?: boolean;
  plain?: boolean;
  raw?: boolean;
}

interface CallArguments extends CallOptions {
  command: string;
  /** The file as an argument, perhaps with lines: `src/app.ts:10-20`. */
  place?: string | undefined;
}

type PlacedArguments = Omit<CallArguments, "place"> & Partial<Place>;

/**
 * `rightseat call`: sends what an IDE would send from here, and shows the answer.
 *
 * @returns the exit code
 * @throws CliError, ConfigError, AppError
 */
export async function runCall(given: CallArguments): Promise<number> {
  checkLanguage(given.language);
  const config = parseConfig(process.env, withTerminalLocale(readSettingsFile(), process.env));
  // Whoever asks a server finds its log there; a person at a terminal wants the answer, and no more.
  if (config.logLevel === "debug") await configureLog(config);
  const texts = callTexts(parseLocale(given.language) ?? config.locale);
  const place = choosePlace(given, texts);
  const prompt = await readQuestion(given, texts);
  // Nothing was asked, and nothing has begun that could be left in the middle.
  if (prompt === undefined && needsQuestion(given.command)) return sayStopped(texts);
  const { sources, request, endpoint } = await prepareCall(
    { ...given, ...place },
    prompt,
    config,
    texts,
  );
  const { signal, release } = stopOnInterrupt();
  try {
    const isSound = await converse(given, { sources, request, endpoint, texts }, signal);
    return isSound ? 0 : signal.aborted ? sayStopped(texts) : 1;
  } catch (thrown) {
    if (signal.aborted) return sayStopped(texts);
    throw thrown;
  } finally {
    release();
    await endpoint.close();
  }
}

/**
 * The file and what is meant in it, from the argument or from the options.
 *
 * @throws CliError where two of them contradict each other
 */
function choosePlace({ file, lines, place }: CallArguments, texts: CallTexts): Partial<Place> {
  if (file !== undefined && place !== undefined) throw new CliError(texts.twoFiles(file, place));
  const named = place ?? file;
  if (named === undefined) {
    if (lines !== undefined) throw new CliError(texts.linesOfWhat);
    return {};
  }
  const found = parsePlace(named, existsSync);
  if (lines === undefined) return found;
  if (found.file !== named) throw new CliError(texts.twoRanges(named, lines));
  return { file: named, lines };
}

/**
 * @returns undefined where there is no question, or the person at the terminal has none
 * @throws CliError when the command needs one and there is nobody to ask
 */
async function readQuestion(given: CallArguments, texts: CallTexts): Promise<string | undefined> {
  const prompt = joinPrompt(given.prompt, await readPipedText());
  if (prompt !== undefined || !needsQuestion(given.command)) return prompt;
  if (canAsk(given)) return askQuestion(texts);
  throw new CliError(texts.needsQuestion(`call ${given.command}`));
}

function canAsk({ raw = false }: { raw?: boolean | undefined }): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && !raw;
}

async function prepareCall(
  given: PlacedArguments,
  prompt: string | undefined,
  config: Config,
  texts: CallTexts,
): Promise<{ sources: RequestSources; request: CallRequest; endpoint: Endpoint }> {
  const { command, file, lines, cursor, url, key, language, model } = given;
  const agents = loadAgents(config.agents);
  const sent = given.definition === undefined ? undefined : readDefinition(given.definition);
  const agent = given.agent ?? sent?.name ?? agents[0]?.name;
  if (agent === undefined) throw new CliError(texts.noAgent);
  const sources = {
    directory: process.cwd(),
    agent,
    command,
    file,
    lines,
    cursor,
    language,
    model,
    prompt,
    definition: sent ?? agents.find(({ name }) => name === agent),
    sendsDefinition: sent !== undefined,
  };
  const remote = url === undefined ? undefined : remoteEndpoint(url, key, texts.locale);
  if (hasNothing(sources, remote !== undefined)) throw new CliError(texts.needsCode(command));
  const rules = await collectRules(given, texts);
  const request = await buildRequest({ ...sources, rules });
  const endpoint =
    remote ?? localEndpoint(await createLocalApp(config, agents, process.env, sent), key);
  return { sources, request, endpoint };
}

/**
 * Whether a command is about code, and neither a file nor a question came. What an unknown agent needs is
 * for the server to say.
 */
function hasNothing(sources: RequestSources, isRemote: boolean): boolean {
  const { command, definition, agent, file, prompt } = sources;
  if (file !== undefined || prompt !== undefined) return false;
  const table = createCommandTable();
  if (definition === undefined) return isRemote && table.isAboutCode({ name: agent }, command);
  const collected = collectedBy(findCommand(definition, command));
  const wantsEditor = collected.size === 0 || collected.has("activeEditor");
  return wantsEditor && table.isAboutCode(definition, command);
}

/** The rules of the project, and a word on them: a server gets them only where the person says so. */
async function collectRules(
  { rules, url }: CallOptions,
  texts: CallTexts,
): Promise<ProjectRules | undefined> {
  if (!(rules ?? url === undefined)) return undefined;
  const found = await readRules(process.cwd());
  if (found === undefined) return undefined;
  const { name, problem } = found;
  const note = problem === undefined ? texts.withRules(name) : texts.noRules(name, problem);
  const terminal = createTerminal(process.stdout, process.stderr);
  terminal.err(`${terminal.errStyle("dim", note)}\n`);
  return found.rules;
}

interface Conversation {
  sources: RequestSources;
  request: CallRequest;
  endpoint: Endpoint;
  texts: CallTexts;
}

async function converse(
  { receipt = false, raw = false, plain = false }: CallArguments,
  { sources, request, endpoint, texts }: Conversation,
  signal: AbortSignal,
): Promise<boolean> {
  const spinner =
    plain || raw || !showsColours(process.stderr) ? undefined : createSpinner(process.stderr);
  const terminal = createTerminal(process.stdout, process.stderr, { plain, spinner });
  const createPainter = plain || raw ? undefined : await loadPainter();
  const shared = { endpoint, terminal, signal, receipt, raw, texts, createPainter };
  if (!canAsk({ raw })) return holdConversation(request, shared);
  const { directory, file: name, lines } = sources;
  const read = (now: string | undefined) => collectEditor({ ...sources, lines: now });
  const steps = {
    file: name === undefined ? undefined : createOpenFile({ name, lines, read, terminal, texts }),
    texts,
    streams: { input: process.stdin, output: process.stdout },
  };
  return holdConversation(request, {
    ...shared,
    choose: async (choices, checklist, answer) => {
      const { command } = answer;
      const tests = findTests(answer, directory, terminal, texts);
      const change = findFileChange(answer, directory, name);
      const step = await chooseStep(choices, checklist, { ...steps, command, change, tests });
      return withQuestion(step, () => askQuestion(texts));
    },
  });
}

function findFileChange(
  { edits, failed }: GivenAnswer,
  directory: string,
  file: string | undefined,
): StepOptions["change"] {
  return failed || file === undefined ? undefined : findChange(edits, sentPath(directory, file));
}

function findTests(
  { command, edits, failed }: GivenAnswer,
  directory: string,
  terminal: Terminal,
  texts: CallTexts,
): StepOptions["tests"] {
  const found =
    command === "unittest-write" && !failed ? findTestFile(edits, directory) : undefined;
  return found && { name: found.name, write: () => writeTestFile(found, terminal, texts) };
}

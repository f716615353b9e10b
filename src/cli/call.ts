import { type ArgsDef, type ParsedArgs, defineCommand } from "citty";
import { type Config, parseConfig } from "../setup/config.ts";
import { configureLog } from "../setup/configure-log.node.ts";
import { parseLocale } from "../errors/locale.ts";
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
import { sentPath } from "./call/collect/read-editor.ts";
import { createOpenFile } from "./call/collect/open-file.ts";
import { joinPrompt, readPipedText } from "./call/collect/read-piped-text.ts";
import { type Terminal, createTerminal } from "./call/terminal.ts";
import { type CallTexts, callTexts } from "./call/texts.ts";
import { writeTestFile } from "./call/choose/write-test-file.ts";
import { checkArguments } from "./check-arguments.ts";
import { CliError } from "./cli-error.ts";
import { createLocalApp } from "./create-local-app.ts";
import { failWith } from "./fail-with.ts";
import { leaveWhenNobodyReads } from "./leave-when-nobody-reads.ts";
import { readSettingsFile } from "./read-settings-file.ts";
import { exitStopped, stopOnInterrupt } from "./stop-on-interrupt.ts";

const args = {
  command: {
    type: "positional",
    description: "explain, fix, unittest, chat, default, ...",
    required: true,
  },
  file: { type: "string", description: "The file in the editor", valueHint: "FILE" },
  lines: {
    type: "string",
    description: "The lines that are selected in it, such as 10-20",
    valueHint: "A-B",
  },
  prompt: {
    type: "string",
    description: "What the person asks; text from a pipe is added to it",
    valueHint: "TEXT",
  },
  url: {
    type: "string",
    description: "Server to ask; without it, the agent runs in this process",
    valueHint: "URL",
  },
  key: {
    type: "string",
    description: "Key for that server, or for the platform's model",
    valueHint: "KEY",
  },
  agent: {
    type: "string",
    description: "Agent to ask; the first of the configured ones where absent",
    valueHint: "NAME",
  },
  definition: {
    type: "string",
    description: "Agent definition (JSON) to send along",
    valueHint: "FILE",
  },
  model: {
    type: "string",
    description: "Model to ask for, where the definition names none",
    valueHint: "NAME",
  },
  // An enum of citty's would answer a wrong value with the whole help page.
  language: {
    type: "string",
    description: "Language of the answer: en or zh",
    valueHint: "LANGUAGE",
  },
  receipt: { type: "boolean", description: "Tell on standard error what became of the context" },
  raw: { type: "boolean", description: "Print the bytes of the stream, and nothing else" },
} satisfies ArgsDef;
type CallArguments = ParsedArgs<typeof args>;

const languages = ["en", "zh"];

/** `rightseat call`: sends what an IDE would send from here, and shows the answer. */
export const call = defineCommand({
  meta: { name: "call", description: "Run a command on the code in this folder, as an IDE would" },
  args,
  async run({ args: given }) {
    try {
      checkArguments(given, args, 1);
      leaveWhenNobodyReads();
      process.exitCode = await runCall(given);
    } catch (thrown) {
      failWith(thrown);
    }
  },
});

async function runCall(given: CallArguments): Promise<number> {
  if (given.language !== undefined && !languages.includes(given.language))
    throw new CliError(
      `--language ${given.language} is not known. Write one of: ${languages.join(", ")}.`,
    );
  const config = parseConfig(process.env, readSettingsFile());
  // Whoever asks a server finds its log there; a person at a terminal wants the answer, and no more.
  if (config.logLevel === "debug") await configureLog(config);
  const texts = callTexts(parseLocale(given.language) ?? config.locale);
  if (given.lines !== undefined && given.file === undefined) throw new CliError(texts.linesOfWhat);
  const prompt = await readQuestion(given, texts);
  // Nothing was asked, and nothing has begun that could be left in the middle.
  if (prompt === undefined && needsQuestion(given.command)) return sayStopped(texts);
  const { sources, request, endpoint } = await prepareCall(given, prompt, config, texts);
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
 * @returns undefined where there is no question, or the person at the terminal has none
 * @throws CliError when the command needs one and there is nobody to ask
 */
async function readQuestion(given: CallArguments, texts: CallTexts): Promise<string | undefined> {
  const prompt = joinPrompt(given.prompt, await readPipedText());
  if (prompt !== undefined || !needsQuestion(given.command)) return prompt;
  if (canAsk(given)) return askQuestion(texts);
  throw new CliError(texts.needsQuestion(given.command));
}

function canAsk({ raw = false }: { raw?: boolean | undefined }): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && !raw;
}

async function prepareCall(
  given: CallArguments,
  prompt: string | undefined,
  config: Config,
  texts: CallTexts,
): Promise<{ sources: RequestSources; request: CallRequest; endpoint: Endpoint }> {
  const { command, file, lines, url, key, language, model } = given;
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
    language,
    model,
    prompt,
    definition: sent ?? agents.find(({ name }) => name === agent),
    sendsDefinition: sent !== undefined,
  };
  const request = await buildRequest(sources);
  const endpoint =
    url === undefined
      ? localEndpoint(await createLocalApp(config, agents, process.env, sent), key)
      : remoteEndpoint(url, key);
  return { sources, request, endpoint };
}

interface Conversation {
  sources: RequestSources;
  request: CallRequest;
  endpoint: Endpoint;
  texts: CallTexts;
}

function converse(
  { receipt = false, raw = false }: CallArguments,
  { sources, request, endpoint, texts }: Conversation,
  signal: AbortSignal,
): Promise<boolean> {
  const terminal = createTerminal(process.stdout, process.stderr);
  const shared = { endpoint, terminal, signal, receipt, raw, texts };
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

function sayStopped(texts: CallTexts): number {
  process.stderr.write(`\n${texts.stopped}\n`);
  return exitStopped;
}

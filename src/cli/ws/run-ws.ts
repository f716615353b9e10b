import type { CliTexts } from "../texts.ts";
import { realpathSync } from "node:fs";
import { isCancel, multiselect } from "@clack/prompts";
import { describeUpstream } from "../../base/errors/app-error.ts";
import { onAbort } from "../../base/wire/patient-timer.ts";
import type { CodeParser } from "../../code/code-analysis.ts";
import { createUndiciTransport } from "../../model/chat/undici-transport.node.ts";
import { createConfiguredThreads } from "../../setup/threads/create-code-threads.node.ts";
import { isPluginModel } from "../../doors/plugin/plugin-models.ts";
import type { Config } from "../../setup/config.ts";
import { createModels } from "../../setup/create-models.ts";
import { loadAgents } from "../../setup/load-agents.node.ts";
import { readProxies } from "../../setup/read-proxies.node.ts";
import { findWorkTree } from "../../workspace/directory/folder-rules.node.ts";
import type { Options } from "../options.ts";
import { type PromptStreams, type Terminal, note } from "../call/terminal.ts";
import {
  canAsk,
  openCall,
  openTerminal,
  readQuestion,
  runStoppable,
  sayStopped,
  settlePlace,
} from "../call/run-parts.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { printAnswer, printRefusal } from "../call/show/print-answer.ts";
import { CliError } from "../cli-error.ts";
import { createPerson } from "../code/ask.ts";
import { checkProject, holdsHome, listAccountHomes } from "../code/open-folder.ts";
import { readSettingsFile } from "../read/read-settings-file.ts";
import { createLocalApp } from "../create-local-app.ts";
import { createFileWriter, createIdeAnswers } from "./ide.ts";
import { type RequestSources, type Step, buildFrame, collectCode, findSteps } from "./request.ts";
import { openLocalSocket, openSocket, parseSocketUrl } from "./socket.ts";
import { type Heard, type Talk, createModelAnswers, createTalk } from "./talk.ts";

/**
 * `rightseat ws`, and `call` where the server's address is that of a WebSocket: sends what an IDE plugin would send
 * from here, answers what the agent asks of the project, and shows the answer. The protocol of IDE plugins has no place
 * for some options of `call`.
 *
 * @param written the file, perhaps with lines or a cursor; of `code` the request itself
 */
export async function runWs(command: string, written: string | undefined, given: Options) {
  const { config, texts } = await openCall(given.language, readSettingsFile());
  const { agent: name, definition, rules } = given;
  const extra = { agent: name, definition, rules: rules === true ? "" : undefined };
  for (const [option, value] of Object.entries(extra))
    if (value !== undefined) throw new CliError(texts.notOverSocket(`--${option}`));
  const steps = findSteps(command);
  const [first] = steps;
  const { needs } = first;
  const isWork = needs === "work";
  const isAsked = needs === "question" || isWork;
  const place = settlePlace({ ...given, place: isWork ? undefined : written }, texts);
  if (place.file !== undefined && (isAsked || needs === "nothing"))
    throw new CliError(
      `ws ${command} takes no file, since its request carries none. Ask about ${place.file} with: rightseat ws explain ${place.file} --prompt TEXT.`,
    );
  // Work takes no file: what was typed in its place is part of the request.
  const typed = [isWork ? written : undefined, given.prompt].filter((part) => part !== undefined);
  const asking = { raw: given.raw, prompt: typed.length === 0 ? undefined : typed.join("\n\n") };
  const prompt =
    needs === "nothing" ? undefined : await readQuestion(asking, isAsked, `ws ${command}`, texts);
  // Nothing was asked, and nothing has begun that could be left in the middle.
  if (prompt === undefined && isAsked) return sayStopped(texts);
  const agent = await reachAgent(config, given);
  return runStoppable(texts, agent, async (signal, stop) => {
    const { model = "", stream = true, force = false, yes = false, raw } = given;
    const [here, root] = await findRoots(needs !== "nothing" && needs !== "question", force, texts);
    const { file } = place;
    const code =
      file === undefined
        ? undefined
        : await collectCode({ ...place, file }, here, root, agent.code);
    const writes = isWork && (yes || canAsk(raw));
    const language = texts.locale;
    const sources = { command, language, model, stream, prompt, root, code, writes };
    // What is missing is told before anybody is asked.
    const request = buildFrame(first, 1, sources);
    return holdTalk(steps, request, { given, agent, config, sources, texts, signal, stop });
  });
}

/** The working directory, and the root of its project. @throws CliError where `isOffered`, and they are no project */
async function findRoots(isOffered: boolean, isForced: boolean, texts: CliTexts) {
  const here = realpathSync(process.cwd());
  const top = await findWorkTree(here);
  const homes = listAccountHomes();
  // Who keeps their home in git does not mean all of it.
  const root = top === undefined || holdsHome(top, homes) ? here : top;
  if (isOffered) for (const folder of [here, root]) checkProject(folder, isForced, texts, homes);
  return [here, root] as const;
}

/** Prepares to reach a server, or the agent in this process; nothing is sent yet. Sockets are closed before it. */
async function reachAgent(config: Config, { url, key }: Options) {
  if (url === undefined) {
    const local = await createLocalApp(config, loadAgents(config.agents), process.env);
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return Object.assign(local, {
      open: (signal: AbortSignal) => openLocalSocket(local, headers, signal),
    });
  }
  const address = parseSocketUrl(url);
  const headers = key === undefined ? {} : { "x-api-key": key };
  const code = createConfiguredThreads({ ...config, parseThreads: 1 });
  return {
    code,
    // Its log tells.
    trouble: undefined,
    open: (signal: AbortSignal) => openSocket(address, headers, signal),
    close: async () => code.close(),
  };
}

interface TalkParts {
  given: Options;
  agent: Awaited<ReturnType<typeof reachAgent>>;
  config: Config;
  sources: RequestSources;
  texts: CliTexts;
  signal: AbortSignal;
  stop: () => void;
}

/** Connects, runs the steps of a command, answers what is asked back. @returns whether all came without a failure */
async function holdTalk(
  steps: readonly Step[],
  request: Record<string, unknown>,
  { given, agent, config, sources, texts, signal, stop }: TalkParts,
): Promise<boolean> {
  const { receipt, raw = false, yes: isYes = false } = given;
  const { command, root, prompt = "", model: asked } = sources;
  const terminal = await openTerminal(given);
  const socket = await agent.open(signal);
  if (socket instanceof Response) {
    await tellRefusal(socket, terminal, texts);
    return false;
  }
  const forget = onAbort(signal, () => void socket.close());
  const tell = (text: string): void => note(text, terminal);
  const lent = lendModel(asked, config, agent.code);
  const shared = { socket, signal, texts, terminal, raw };
  const streams = { input: process.stdin, output: process.stdout };
  const rest = (): void => terminal.rest();
  const person = canAsk(raw) ? createPerson({ ...shared, streams, rest, stop }) : undefined;
  const writing = { ...shared, root, request: prompt, isYes, person };
  const writer = sources.writes ? createFileWriter(writing) : undefined;
  const answerIde = createIdeAnswers(root, agent.code, writer?.answer);
  const answerModel = createModelAnswers({ ...shared, asked, ...lent, tell });
  const talk = createTalk({ ...shared, receipt, command, root, answerIde, answerModel });
  try {
    const tick = canAsk(raw) ? createTickCases(texts) : undefined;
    const options = { ...shared, talk, sources, tick };
    const isSound = await runSteps(steps, request, options);
    const trouble = isSound || signal.aborted ? undefined : agent.trouble;
    if (trouble !== undefined) tell(describeUpstream(trouble));
    return isSound && !signal.aborted;
  } finally {
    forget();
    await socket.close();
    await lent.close?.();
    await writer?.close();
  }
}

async function tellRefusal(response: Response, terminal: Terminal, texts: CliTexts): Promise<void> {
  const code = await printRefusal(response, terminal, texts);
  const { hints, noSocket } = texts;
  const { status } = response;
  const isElsewhere = [404, 405, 426].includes(status) || (code === undefined && status < 500);
  const hint = hints[status] ?? (isElsewhere ? noSocket : undefined);
  if (hint !== undefined) terminal.err(`${hint}\n`);
}

/** The row of the models table that the person lends as `plugin NAME`: one that answers bare prompts. */
function lendModel(asked: string, config: Config, code: CodeParser) {
  if (!isPluginModel(asked)) return { model: undefined, close: undefined };
  const name = asked.replace(/^plugin\s+/i, "");
  const transport = createUndiciTransport(config.connectTimeout, readProxies(process.env));
  const ordered: Config = { ...config, modelOrder: ["table", "offline", "platform"] };
  const table = createModels(ordered, process.env, transport, code);
  const isRow = !["offline", "platform", "*"].includes(name) && table.names.includes(name);
  const model = isRow ? table.resolve([name]).model : undefined;
  return { model, close: () => transport.close() };
}

interface StepsOptions {
  talk: Talk;
  sources: RequestSources;
  terminal: Terminal;
  texts: CliTexts;
  /** The listener prints the messages, and the answer is not printed. */
  raw: boolean;
  /** Asks which cases are meant; without it all of them are. */
  tick?: TickCases | undefined;
}

const numbered = /^[ \t]{0,8}\d{1,4}[.)]/;

/** Sends the requests of a command, and prints the answers. @returns whether none failed, or stopped work on files */
export async function runSteps(
  steps: readonly Step[],
  first: Record<string, unknown>,
  { talk, terminal, sources, texts, raw, tick }: StepsOptions,
): Promise<boolean> {
  const shown = raw ? { ...terminal, out: () => undefined } : terminal;
  let request = first;
  for (const [nth, { needs }] of steps.entries()) {
    const heard: Heard = { text: "", taskId: undefined };
    terminal.wait(sources.command);
    // Names of models are no Markdown.
    const screen = needs === "nothing" ? { ...shown, createPainter: undefined } : shown;
    const { failed, isCut } = await printAnswer(talk(request, heard), screen, texts);
    terminal.rest();
    // Work that a limit has stopped is not done, as for `rightseat code`.
    if (failed || (isCut === true && needs === "work")) return false;
    const next = steps[nth + 1];
    if (next === undefined) break;
    const hasCases = heard.text.split("\n").some((line) => numbered.test(line));
    const cases = hasCases ? await keepTicked(heard.text, tick) : "";
    if (cases === "") {
      note(hasCases ? texts.noneTicked : texts.noCases, terminal);
      break;
    }
    shown.out("\n");
    request = buildFrame(next, nth + 2, sources, { cases, taskId: heard.taskId });
  }
  return true;
}

/** Lets the person leave out cases. @returns the indexes of those that stay; undefined where they press Ctrl-C */
export type TickCases = (cases: readonly string[]) => Promise<readonly number[] | undefined>;

/** Asks on the terminal; all cases are ticked at first. */
export function createTickCases(texts: CliTexts, streams: Partial<PromptStreams> = {}): TickCases {
  return async (cases) => {
    const options = cases.map((line, value) => ({ value, label: escapeLine(line.trim()) }));
    const initialValues = [...cases.keys()];
    const shared = { message: texts.cases, required: false, showInstructions: false, ...streams };
    const ticked = await multiselect({ ...shared, options, initialValues });
    return isCancel(ticked) ? undefined : ticked;
  };
}

/** The text without the cases that the person leaves out; "" where none is left. */
async function keepTicked(text: string, tick: TickCases | undefined): Promise<string> {
  if (tick === undefined) return text;
  const lines = text.split("\n");
  const ticked = new Set(await tick(lines.filter((line) => numbered.test(line))));
  let nth = 0;
  const kept = lines.filter((line) => !numbered.test(line) || ticked.has(nth++));
  return ticked.size === 0 ? "" : kept.join("\n");
}

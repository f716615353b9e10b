import { existsSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { isCancel, multiselect } from "@clack/prompts";
import { type UpstreamFacts, describeUpstream } from "../../base/errors/app-error.ts";
import type { CodeParser } from "../../code/code-analysis.ts";
import { createUndiciTransport } from "../../model/chat/undici-transport.node.ts";
import { createConfiguredThreads } from "../../setup/threads/create-code-threads.node.ts";
import type { Config } from "../../setup/config.ts";
import { createModels } from "../../setup/create-models.ts";
import { loadAgents } from "../../setup/load-agents.node.ts";
import { readProxies } from "../../setup/read-proxies.node.ts";
import type { ChatModel } from "../../turn/chat-model.ts";
import { findWorkTree } from "../../workspace/directory/folder-rules.node.ts";
import type { CallArguments, CallOptions } from "../call.ts";
import { parsePlace } from "../call/collect/read-editor.ts";
import { type PromptStreams, type Terminal, note } from "../call/terminal.ts";
import {
  canAsk,
  openCall,
  openTerminal,
  readQuestion,
  runStoppable,
  sayStopped,
} from "../call/run-parts.ts";
import type { AnswerPart } from "../call/read-answer.ts";
import { escapeControls, escapeLine } from "../call/show/escape-controls.ts";
import { type CreatePainter, type PrintedAnswer, printAnswer } from "../call/show/print-answer.ts";
import { printRefusal } from "../call/show/print-refusal.ts";
import type { CallTexts } from "../call/texts.ts";
import { CliError } from "../cli-error.ts";
import { codeTexts } from "../code/code-texts.ts";
import { createPerson } from "../code/ask/person.ts";
import { checkProject, holdsHome, listAccountHomes } from "../code/open-folder.ts";
import { createLocalApp } from "../create-local-app.ts";
import { type IdeAnswer, createIdeAnswers } from "./ide.ts";
import { type RequestSources, buildRequest, collectCode } from "./request.ts";
import { type PluginSocket, openLocalSocket, openRemoteSocket, parseSocketUrl } from "./socket.ts";
import { type Step, findSteps } from "./steps.ts";
import { AgentTalk, type Heard, createModelAnswers, pluginModelName } from "./talk.ts";
import { type WsTexts, wsTexts } from "./texts.ts";
import { type FileWriter, createFileWriter } from "./write-files.ts";

/** The options of `rightseat ws`, as they were written. */
export interface WsOptions extends Pick<
  CallOptions,
  "url" | "key" | "model" | "language" | "prompt" | "receipt" | "plain" | "raw"
> {
  /** False after `--no-stream`. */
  stream?: boolean;
  yes?: boolean;
  force?: boolean;
}

interface WsArguments extends WsOptions {
  command: string;
  /** The file, perhaps with lines or a cursor: `src/app.ts:10-20`; of `code` the request itself. */
  place?: string | undefined;
}

type Texts = CallTexts & { ws: WsTexts };

/**
 * `rightseat ws`, and `call` where the server's address is that of a WebSocket: sends what an IDE plugin would send
 * from here, answers what the agent asks of the project, and shows the answer.
 *
 * @returns the exit code
 * @throws CliError, ConfigError, AppError
 */
export async function runWs(written: WsArguments): Promise<number> {
  const { config, texts: call } = await openCall(written.language);
  const texts = { ...call, ws: wsTexts(call.locale) };
  const steps = findSteps(written.command);
  const [{ needs }] = steps;
  const given = needs === "work" ? withRequest(written) : written;
  const { command, place } = given;
  if (place !== undefined && (needs === "question" || needs === "nothing"))
    throw new CliError(
      `ws ${command} takes no file, since its request carries none. Ask about ${place} with: rightseat ws explain ${place} --prompt TEXT.`,
    );
  const isAsked = needs === "question" || needs === "work";
  const prompt =
    needs === "nothing" ? undefined : await readQuestion(given, isAsked, `ws ${command}`, texts);
  // Nothing was asked, and nothing has begun that could be left in the middle.
  if (prompt === undefined && isAsked) return sayStopped(texts);
  const agent = await reachAgent(config, given);
  return runStoppable(texts, agent, async (signal, stop) => {
    const sources = await collectSources(given, prompt, agent.code, steps[0], texts);
    const first = buildRequest(steps[0], 1, sources);
    return holdTalk({ given, agent, config, steps, sources, texts, signal, stop }, first);
  });
}

/** `rightseat call` with the address of a WebSocket. The protocol of IDE plugins has no place for some of its options. */
export async function callSocket({ file, lines, place, ...given }: CallArguments): Promise<number> {
  const { texts } = await openCall(given.language);
  const { agent, definition, rules } = given;
  const extra = { agent, definition, rules: rules === true ? "" : undefined };
  for (const [name, value] of Object.entries(extra))
    if (value !== undefined) throw new CliError(texts.notOverSocket(`--${name}`));
  if (file !== undefined && place !== undefined) throw new CliError(texts.twoFiles(file, place));
  const named = place ?? file;
  if (lines !== undefined && named === undefined) throw new CliError(texts.linesOfWhat);
  return runWs({ ...given, place: lines === undefined ? named : `${named}:${lines}` });
}

/** These commands take no file: what was typed in its place is part of the request. */
function withRequest({ place, prompt, ...rest }: WsArguments): WsArguments {
  const words = [place, prompt].filter((part) => part !== undefined);
  return words.length === 0 ? rest : { ...rest, prompt: words.join("\n\n") };
}

async function collectSources(
  { command, place, model = "", stream = true, force = false, yes = false, raw }: WsArguments,
  prompt: string | undefined,
  parser: CodeParser,
  { needs }: Step,
  { locale }: CallTexts,
): Promise<RequestSources> {
  const here = realpathSync(process.cwd());
  const top = await findWorkTree(here);
  const homes = listAccountHomes();
  // Who keeps their home in git does not mean all of it.
  const root = top === undefined || holdsHome(top, homes) ? here : top;
  if (needs !== "nothing" && needs !== "question")
    for (const folder of [here, root]) checkProject(folder, force, codeTexts(locale), homes);
  const named = place === undefined ? undefined : parsePlace(place, existsSync);
  const code = named && (await collectCode(named, here, root, parser));
  const writes = needs === "work" && (yes || canAsk(raw));
  return { command, language: locale, model, stream, prompt, root, code, writes };
}

/** Who is asked: a server, or the app in this process. */
interface ReachedAgent {
  /** Reads the code of this project. */
  code: CodeParser;
  /** What is known of the last failure of a model, where the app runs in this process. */
  trouble(): UpstreamFacts | undefined;
  /** @returns the socket, or the response that refused it */
  open(signal: AbortSignal): Promise<PluginSocket | Response>;
  /** Lets go of what was opened for it; sockets are closed before. */
  close(): Promise<void>;
}

/**
 * Prepares to reach a server; nothing is sent yet. Without one, the agent runs in this process, with the settings of a
 * server.
 *
 * @throws CliError, ConfigError
 */
async function reachAgent(config: Config, { url, key }: WsArguments): Promise<ReachedAgent> {
  if (url === undefined) {
    const local = await createLocalApp(config, loadAgents(config.agents), process.env);
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return {
      code: local.code,
      trouble: () => local.trouble,
      open: () => openLocalSocket(local.app, headers),
      close: () => local.close(),
    };
  }
  const address = parseSocketUrl(url);
  const code = createConfiguredThreads({ ...config, parseThreads: 1 });
  return {
    code,
    trouble: () => undefined,
    open: (signal) =>
      openRemoteSocket(address, key === undefined ? {} : { "x-api-key": key }, signal),
    close: async () => code.close(),
  };
}

interface TalkParts {
  given: WsArguments;
  agent: ReachedAgent;
  config: Config;
  steps: readonly Step[];
  sources: RequestSources;
  texts: Texts;
  signal: AbortSignal;
  /** Ends the run, as Ctrl-C does. */
  stop: () => void;
}

/**
 * Connects, runs the steps of a command, answers what is asked back, and disconnects.
 *
 * @param first the request of the first step
 * @returns whether all of it came without a failure; false after an abort
 * @throws CliError when nobody answers, ConfigError
 */
async function holdTalk(parts: TalkParts, first: Record<string, unknown>): Promise<boolean> {
  const { given, agent, sources, texts, signal } = parts;
  const { receipt, raw = false } = given;
  const { terminal, createPainter } = await openTerminal(given);
  const socket = await agent.open(signal);
  if (socket instanceof Response) {
    await tellRefusal(socket, terminal, texts);
    return false;
  }
  const hangUp = (): void => void socket.close();
  signal.addEventListener("abort", hangUp, { once: true });
  // Only who asks for a model of this side lends one.
  const isLent = pluginModelName(sources.model) !== undefined;
  const models = isLent ? createOwnModels(parts) : undefined;
  const writer = sources.writes ? createWriter(parts, terminal) : undefined;
  const talk = new AgentTalk({
    socket,
    signal,
    texts: texts.ws,
    answerIde: createIdeAnswers(sources.root, agent.code, writer?.write),
    answerModel: createModelAnswers({
      asked: sources.model,
      find: models?.find ?? (() => undefined),
      send: (frame) => socket.send(JSON.stringify(frame)),
      signal,
      onMissing: (name) => note(texts.ws.noModel(name), terminal),
      onFailure: (message) => note(message, terminal),
    }),
    // A message is JSON, in which a line break can only be between two values.
    onFrame: (text) => raw && terminal.out(`${text.replaceAll(/[\r\n]+/g, " ")}\n`),
    onPlace(place) {
      if (raw) return;
      note(texts.ws.place(place), terminal);
      terminal.wait(sources.command);
    },
    onIde: (path, params, answer) =>
      receipt && note(describeQuestion(path, params, answer, sources.root, texts.ws), terminal),
  });
  try {
    const tick = canAsk(raw) ? createTickCases(texts.ws) : undefined;
    const shared = { talk, sources, terminal, texts, raw, createPainter, tick };
    const isSound = await runSteps(parts.steps, first, shared);
    const trouble = isSound || signal.aborted ? undefined : agent.trouble();
    if (trouble !== undefined) note(describeUpstream(trouble), terminal);
    return isSound && !signal.aborted;
  } finally {
    signal.removeEventListener("abort", hangUp);
    await socket.close();
    await models?.close();
    await writer?.close();
  }
}

/** What to do here, beside what the server says. */
async function tellRefusal(response: Response, terminal: Terminal, texts: Texts): Promise<void> {
  const code = await printRefusal(response, terminal, texts);
  const { hints, noSocket } = texts.ws;
  const { status } = response;
  const isElsewhere = [404, 405, 426].includes(status) || (code === undefined && status < 500);
  const hint = hints[status] ?? (isElsewhere ? noSocket : undefined);
  if (hint !== undefined) terminal.err(`${hint}\n`);
}

/** The rows of the models table by their names; the platform and the offline model answer no bare prompts. */
function createOwnModels({ config, agent }: TalkParts) {
  const transport = createUndiciTransport(config.connectTimeout, readProxies(process.env));
  const ordered: Config = { ...config, modelOrder: ["table", "offline", "platform"] };
  const table = createModels(ordered, process.env, transport, agent.code);
  return {
    find: (name: string): ChatModel | undefined => {
      const isRow = !["offline", "platform", "*"].includes(name) && table.names.includes(name);
      return isRow ? table.resolve([name]).model : undefined;
    },
    close: () => transport.close(),
  };
}

function createWriter(
  { given: { yes: isYes = false, raw }, sources, texts, signal, stop }: TalkParts,
  terminal: Terminal,
): FileWriter {
  const { root, prompt: request = "" } = sources;
  const code = codeTexts(texts.locale);
  const streams = { input: process.stdin, output: process.stdout };
  const rest = (): void => terminal.rest();
  const person = canAsk(raw)
    ? createPerson({ terminal, streams, texts: code, signal, rest, stop })
    : undefined;
  const shared = { root, request, isYes, person, terminal, signal };
  return createFileWriter({ ...shared, texts: { ws: texts.ws, code } });
}

/** Characters of a path that are shown. */
const maxPath = 200;

/** What the agent wanted to know of the project, and what it got: `/read_file src/item.py (88 characters sent)`. */
function describeQuestion(
  path: string,
  params: unknown,
  answer: IdeAnswer,
  root: string,
  texts: WsTexts,
): string {
  const { abspath = "", line, character }: Record<string, unknown> = Object(params);
  const inside = typeof abspath === "string" && abspath !== "" ? relative(root, abspath) : "";
  const file = inside === ".." || inside.startsWith(`..${sep}`) ? String(abspath) : inside;
  const shown = file.length > maxPath ? `${file.slice(0, maxPath)}…` : file;
  const hasPlace = typeof line === "number" && typeof character === "number";
  const place = hasPlace ? `:${line + 1}:${character + 1}` : "";
  return texts.asked(`${path} ${shown}${place} (${describeAnswer(answer, texts)})`);
}

function describeAnswer(answer: IdeAnswer, texts: WsTexts): string {
  if ("error" in answer) return texts.refused(answer.error);
  const { result } = answer;
  if (result === true) return texts.written;
  if (typeof result === "string") return texts.sent(result.length);
  return texts.given(Array.isArray(result) ? result.length : 0);
}

interface StepsOptions {
  talk: AgentTalk;
  sources: RequestSources;
  terminal: Terminal;
  texts: Texts;
  /** The listener prints the messages, and the answer is not printed. */
  raw: boolean;
  createPainter: CreatePainter | undefined;
  /** Asks which cases are meant; without it all of them are. */
  tick?: TickCases | undefined;
}

/** Recommended cases are a numbered list. */
const numbered = /^[ \t]{0,8}\d{1,4}[.)]/;

/**
 * Sends the requests of a command one after the other, and prints their answers.
 *
 * @param first the request of the first step
 * @returns whether all of it came without a failure, and no limit stopped work on files
 */
export async function runSteps(
  steps: readonly Step[],
  first: Record<string, unknown>,
  options: StepsOptions,
): Promise<boolean> {
  const { terminal, sources, texts, raw } = options;
  let request = first;
  for (const nth of steps.keys()) {
    const heard: Heard = { text: "", models: [], taskId: undefined };
    terminal.wait(sources.command);
    const { failed, isCut } = await hear(options.talk.ask(request, heard), options);
    terminal.rest();
    // Work that a limit has stopped is not done, as for `rightseat code`.
    if (failed || (isCut === true && steps[nth]?.needs === "work")) return false;
    if (!raw) for (const name of heard.models) terminal.out(`${escapeLine(name)}\n`);
    const next = steps[nth + 1];
    if (next === undefined) break;
    const hasCases = heard.text.split("\n").some((line) => numbered.test(line));
    const { tick } = options;
    const all = hasCases ? heard.text : "";
    const cases = hasCases && tick !== undefined ? await keepTicked(all, tick) : all;
    if (cases === "") {
      note(hasCases ? texts.ws.noneTicked : texts.ws.noCases, terminal);
      break;
    }
    if (!raw) terminal.out("\n");
    request = buildRequest(next, nth + 2, sources, { cases, taskId: heard.taskId });
  }
  return true;
}

async function hear(
  parts: AsyncIterable<AnswerPart>,
  { terminal, texts, raw, createPainter }: StepsOptions,
): Promise<Pick<PrintedAnswer, "failed" | "isCut">> {
  if (!raw) return printAnswer(parts, terminal, texts, createPainter);
  const heard: { failed: boolean; isCut?: true } = { failed: false };
  for await (const part of parts) {
    if (part.type === "cut") heard.isCut = true;
    if (part.type !== "failure") continue;
    heard.failed = true;
    terminal.err(`${terminal.errStyle("red", escapeControls(part.message))}\n`);
  }
  return heard;
}

/** Lets the person leave out cases. @returns the indexes of those that stay; undefined where they press Ctrl-C */
export type TickCases = (cases: readonly string[]) => Promise<readonly number[] | undefined>;

/** Asks on the terminal; all cases are ticked at first. */
export function createTickCases(texts: WsTexts, streams: Partial<PromptStreams> = {}): TickCases {
  return async (cases) => {
    const options = cases.map((line, value) => ({ value, label: escapeLine(line.trim()) }));
    const initialValues = [...cases.keys()];
    const shared = { message: texts.tick, required: false, showInstructions: false, ...streams };
    const ticked = await multiselect({ ...shared, options, initialValues });
    return isCancel(ticked) ? undefined : ticked;
  };
}

/** The text without the cases that the person leaves out; "" where none is left. */
async function keepTicked(text: string, tick: TickCases): Promise<string> {
  const lines = text.split("\n");
  const ticked = new Set(await tick(lines.filter((line) => numbered.test(line))));
  let nth = 0;
  const kept = lines.filter((line) => !numbered.test(line) || ticked.has(nth++));
  return ticked.size === 0 ? "" : kept.join("\n");
}

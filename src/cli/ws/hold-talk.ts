import { describeUpstream } from "../../base/errors/upstream-facts.ts";
import type { Config } from "../../setup/config.ts";
import { loadPainter } from "../call/show/load-painter.ts";
import { printRefusal } from "../call/show/print-refusal.ts";
import { createSpinner } from "../call/show/spinner.ts";
import { type Terminal, createTerminal, showsColours } from "../call/terminal.ts";
import type { CallTexts } from "../call/texts.ts";
import { createModelAnswers, pluginModelName } from "./answer-model.ts";
import { codeTexts } from "../code/code-texts.ts";
import { createGuard } from "../code/guard/create-guard.ts";
import { AgentTalk } from "./ask-agent.ts";
import type { Step } from "./find-steps.ts";
import { createIdeAnswers } from "./ide/answer-ide.ts";
import { allowWrites, createAskWrite } from "./ide/ask-write.ts";
import { createFileWriter, type FileWriter } from "./ide/write-files.ts";
import { describeQuestion, note } from "./notes.ts";
import { type OwnModels, createOwnModels } from "./own-models.ts";
import type { ReachedAgent } from "./reach-agent.ts";
import { runSteps } from "./run-steps.ts";
import type { RequestSources } from "./send/build-request.ts";
import type { PluginSocket } from "./socket/plugin-socket.ts";
import type { WsTexts } from "./texts.ts";
import { createTickCases } from "./tick-cases.ts";

export interface TalkParts {
  agent: ReachedAgent;
  config: Config;
  steps: readonly Step[];
  /** The request of the first step. */
  first: Record<string, unknown>;
  sources: RequestSources;
  texts: CallTexts & { ws: WsTexts };
  /** Tell on standard error what the agent asks of the project. */
  receipt: boolean;
  /** No colours and no spinner. */
  plain: boolean;
  /** Print the messages as they come, a line each. */
  raw: boolean;
  /** Changes are written unasked. */
  yes: boolean;
  /** Somebody sits at the terminal who can be asked. */
  isInteractive: boolean;
}

/**
 * Connects, runs the steps of a command, answers what is asked back, and disconnects.
 *
 * @returns whether all of it came without a failure; false after an abort
 * @throws CliError when nobody answers, ConfigError
 */
export async function holdTalk(parts: TalkParts, signal: AbortSignal): Promise<boolean> {
  const { agent, sources, texts, plain, raw } = parts;
  const spinner =
    plain || raw || !showsColours(process.stderr) ? undefined : createSpinner(process.stderr);
  const terminal = createTerminal(process.stdout, process.stderr, { plain, spinner });
  const socket = await agent.open(signal);
  if (socket instanceof Response) {
    await tellRefusal(socket, terminal, texts);
    return false;
  }
  const stop = (): void => void socket.close();
  signal.addEventListener("abort", stop, { once: true });
  const models = chooseModels(parts);
  const writer = chooseWriter(parts, terminal, signal);
  try {
    const talk = createTalk(parts, { socket, terminal, models, writer }, signal);
    const createPainter = plain || raw ? undefined : await loadPainter();
    const tick = parts.isInteractive ? createTickCases(texts.ws) : undefined;
    const shared = { talk, sources, terminal, texts, raw, createPainter, tick };
    const isSound = await runSteps(parts.steps, parts.first, shared);
    const trouble = isSound || signal.aborted ? undefined : agent.trouble();
    if (trouble !== undefined) note(describeUpstream(trouble), terminal);
    return isSound && !signal.aborted;
  } finally {
    signal.removeEventListener("abort", stop);
    await socket.close();
    await models?.close();
    await writer?.close();
  }
}

/** What to do here, beside what the server says. */
async function tellRefusal(
  response: Response,
  terminal: Terminal,
  texts: TalkParts["texts"],
): Promise<void> {
  const code = await printRefusal(response, terminal, texts);
  const { hints, noSocket } = texts.ws;
  const { status } = response;
  const isElsewhere = [404, 405, 426].includes(status) || (code === undefined && status < 500);
  const hint = hints[status] ?? (isElsewhere ? noSocket : undefined);
  if (hint !== undefined) terminal.err(`${hint}\n`);
}

/** Only who asks for a model of this side lends one. */
function chooseModels({ config, sources, agent }: TalkParts): OwnModels | undefined {
  const isAsked = pluginModelName(sources.model) !== undefined;
  return isAsked ? createOwnModels(config, process.env, agent.code) : undefined;
}

/** Only who may be asked writes, or has allowed it. */
function chooseWriter(
  { sources, texts, yes, isInteractive }: TalkParts,
  terminal: Terminal,
  signal: AbortSignal,
): FileWriter | undefined {
  if (!sources.writes) return undefined;
  const { root, prompt: request = "" } = sources;
  const guards = { guard: createGuard(root), texts: codeTexts(texts.locale) };
  const person = createAskWrite(terminal, texts.ws, guards);
  const asked = isInteractive ? person : undefined;
  const ask = yes ? allowWrites(terminal, texts.ws, guards, asked) : person;
  return createFileWriter({ root, request, ask, signal });
}

function createTalk(
  { agent, sources, texts, receipt, raw }: TalkParts,
  open: {
    socket: PluginSocket;
    terminal: Terminal;
    models: OwnModels | undefined;
    writer: FileWriter | undefined;
  },
  signal: AbortSignal,
): AgentTalk {
  const { socket, terminal, models, writer } = open;
  const { root } = sources;
  return new AgentTalk({
    socket,
    signal,
    texts: texts.ws,
    answerIde: createIdeAnswers(root, agent.code, writer?.write),
    answerModel: createModelAnswers({
      asked: sources.model,
      find: (name) => models?.find(name),
      send: (frame) => socket.send(JSON.stringify(frame)),
      signal,
      onMissing: (name) => note(texts.ws.noModel(name), terminal),
      onFailure: (message) => note(message, terminal),
    }),
    // A message is JSON, in which a line break can only be between two values.
    onFrame: (text) => raw && terminal.out(`${text.replaceAll(/[\r\n]+/g, " ")}\n`),
    onPlace: (place) => {
      if (raw) return;
      note(texts.ws.place(place), terminal);
      terminal.wait(sources.command);
    },
    onIde: (path, params, answer) =>
      receipt && note(describeQuestion(path, params, answer, root, texts.ws), terminal),
  });
}

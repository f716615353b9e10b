import { createLocalApp } from "../create-local-app.ts";
import { stopOnInterrupt } from "../fail-with.ts";
import { createPerson } from "./ask/person.ts";
import { type CodeRun, createCoding } from "./create-coding.ts";
import { Progress } from "./progress.ts";
import { RunRecord } from "./run-record.ts";
import { tellEnd } from "./tell-end.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { canAsk, openTerminal } from "../call/run-parts.ts";
import type { Terminal } from "../call/terminal.ts";
import { callTexts } from "../call/texts.ts";
import { CliError } from "../cli-error.ts";
import { type ContextVariable, rulesVariable } from "../../turn/context/context.ts";
import { manifests, ruleFiles } from "../call/collect/project-files.ts";
import type { Door, DoorHost } from "../../doors/http/door.ts";
import { AppError } from "../../base/errors/app-error.ts";
import type { Turn, TurnRequest } from "../../turn/turn.ts";

/**
 * Has the agent work in the folder, in this process.
 *
 * @returns the exit code
 */
export async function runAgent(run: CodeRun): Promise<number> {
  const { signal, stop, release } = stopOnInterrupt();
  const { texts } = run;
  // With `--json` standard output is for the report alone.
  const output = run.isJson ? process.stderr : process.stdout;
  const { terminal, createPainter } = await openTerminal({ plain: run.isPlain }, output);
  const record = new RunRecord();
  const progress = new Progress({
    terminal,
    locale: texts.locale,
    texts,
    createPainter,
    figures: () => record.figures,
    columns: () => process.stderr.columns || Infinity,
  });
  const streams = { input: process.stdin, output };
  const rest = (): void => progress.pause();
  const person = canAsk(false, output)
    ? createPerson({ terminal, streams, texts, signal, stop, rest })
    : undefined;
  const opened = await createCoding(run, { person, record, progress, signal });
  try {
    const door = terminalDoor();
    const { coding } = opened;
    const parts = { doors: [door], coding };
    const app = await createLocalApp(run.config, run.agents, process.env, undefined, parts);
    try {
      const { workspace } = coding;
      await followTurn(run, { door, workspace, record, progress, terminal, signal }).catch(
        (thrown: unknown) => {
          // Who stops before the turn has begun gets no event of it.
          if (!signal.aborted) throw thrown;
        },
      );
      const { turn } = opened;
      return await tellEnd(run, { app, turn, record, terminal, isStopped: signal.aborted });
    } finally {
      await app.close();
    }
  } finally {
    terminal.rest();
    release();
    await opened.close();
  }
}

interface FollowParts {
  door: TerminalDoor;
  workspace: Workspace;
  record: RunRecord;
  progress: Progress;
  terminal: Terminal;
  signal: AbortSignal;
}

/** Runs the turn and shows it as it goes. @throws CliError where the model cannot work with tools; AppError */
async function followTurn(run: CodeRun, parts: FollowParts): Promise<void> {
  const { door, workspace, record, progress, terminal, signal } = parts;
  const { variables, rules } = await readFolderContext(workspace, signal);
  const request = {
    agent: run.agents[0].name,
    command: "code",
    variables: [{ name: "userInputPrompt", value: run.request }, ...variables],
    model: run.model,
    language: run.texts.locale,
    key: run.key,
  };
  const started = await door.start(request, signal);
  try {
    sayNotes(run, rules, terminal);
    checkModel(run, started, terminal);
    progress.awaitModel();
    for await (const event of started.events) {
      const text = textOf(event);
      record.take(event, text);
      progress.take(event, text);
    }
  } finally {
    await started.events.return();
    progress.rest();
  }
}

/** What an edit event says, the terminal has shown in its own way. */
function textOf(event: TurnEvent): string {
  return event.type === "text-delta" ? (event.brief ?? event.text) : "";
}

/** @throws CliError where the model cannot work with tools */
function checkModel(
  { texts, config, model: wanted }: CodeRun,
  { turn }: StartedTurn,
  terminal: Terminal,
): void {
  const { model, modelId } = turn;
  if (wanted !== undefined && wanted !== model.name && wanted !== modelId) {
    const note = texts.otherModel(escapeLine(model.name), escapeLine(wanted));
    terminal.err(`${terminal.errStyle("yellow", note)}\n`);
  }
  if (model.toolCalls === "none") {
    const others = config.models
      .map(({ name }) => escapeLine(name))
      .filter((name) => name !== model.name)
      .join(", ");
    throw new CliError(texts.noTools(escapeLine(model.name), others));
  }
}

function sayNotes(
  { hasIgnoredSettings, texts }: CodeRun,
  rules: string | undefined,
  terminal: Terminal,
): void {
  const notes = [
    ...(hasIgnoredSettings ? [texts.settingsIgnored] : []),
    ...(rules === undefined ? [] : [callTexts(texts.locale).withRules(rules)]),
  ];
  for (const note of notes) terminal.err(`${terminal.errStyle("dim", note)}\n`);
}

/** What is sent of each file, in characters; longer ones stay out. */
const [maxRules, maxManifest] = [32 * 1024, 64 * 1024];
const maxManifests = 3;

interface FolderContext {
  variables: ContextVariable[];
  /** The file whose rules go along. */
  rules: string | undefined;
}

/**
 * The rules and the manifests at the top of the folder. They are read as the agent reads files, so that a link
 * out of the folder and an ignored file bring nothing; git is not asked, since a folder can tell git what to run.
 */
export async function readFolderContext(
  workspace: Workspace,
  signal: AbortSignal,
): Promise<FolderContext> {
  const readFirst = async (names: readonly string[], most: number, count: number) => {
    const found: { name: string; text: string }[] = [];
    for (const name of names) {
      if (found.length === count) break;
      const read = await workspace.read(name, { signal });
      if (read.ok && !read.value.isPart && read.value.text.length <= most)
        found.push({ name, text: read.value.text });
    }
    return found;
  };
  const [rules] = await readFirst(ruleFiles, maxRules, 1);
  const packages = await readFirst(manifests, maxManifest, maxManifests);
  const packageFiles = packages.map(({ name, text }) => ({ filepath: name, content: text }));
  const variables = [
    ...(packageFiles.length === 0 ? [] : [{ name: "packageFiles", value: packageFiles }]),
    ...(rules === undefined
      ? []
      : [{ name: rulesVariable, value: { filePath: rules.name, content: rules.text } }]),
  ];
  return { variables, rules: rules?.name };
}

/** What the terminal says of a turn; the rest is the same for all. */
type TerminalRequest = Pick<TurnRequest, "agent" | "command" | "variables"> & {
  model: string | undefined;
  language: string | undefined;
  /** For the platform's model. */
  key: string | undefined;
};

interface StartedTurn {
  turn: Turn;
  /** Keeps the contract of `settle`. Must be read, or left, for the turn to end. */
  events: AsyncGenerator<TurnEvent, void, void>;
}

/** A door without a protocol: turns of this process, whose events are facts. */
interface TerminalDoor extends Door {
  /**
   * Begins a turn in the app that the door was mounted in.
   *
   * @throws AppError where the request is refused
   */
  start(request: TerminalRequest, signal: AbortSignal): Promise<StartedTurn>;
}

export function terminalDoor(): TerminalDoor {
  let host: DoorHost | undefined;
  return {
    name: "terminal",
    mount(_, given) {
      host = given;
    },
    async start(request, signal) {
      if (host === undefined) throw new Error("The terminal's door is not mounted.");
      return startTurn(host, request, signal);
    },
  };
}

async function startTurn(
  host: DoorHost,
  { key, model, language, ...request }: TerminalRequest,
  signal: AbortSignal,
): Promise<StartedTurn> {
  const authorization = key === undefined ? undefined : `Bearer ${key}`;
  const caller = await host.identify({
    header: (name) => (name === "authorization" ? authorization : undefined),
    headerNames: () => (authorization === undefined ? [] : ["authorization"]),
  });
  const admission = host.admit(caller);
  const stop = (): void => {
    admission.abort(new AppError("aborted", { en: "The person left.", zh: "用户已离开。" }));
  };
  try {
    const turn = host.resolve({
      ...request,
      id: admission.id,
      definition: undefined,
      history: [],
      models: [model],
      languages: [language],
      caller,
      signal: admission.signal,
      extra: {},
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    return { turn, events: host.run(admission, turn) };
  } catch (thrown) {
    admission.end();
    throw thrown;
  }
}

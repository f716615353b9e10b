import { isRecord } from "../../base/text/json.ts";
import { AppError } from "../../base/errors/app-error.ts";
import { onAbort, untilAborted } from "../../base/wire/patient-timer.ts";
import type { Door, DoorHost } from "../../doors/http/door.ts";
import type { ContextVariable } from "../../turn/context/context.ts";
import type { Turn, TurnRequest } from "../../turn/turn.ts";
import { expandRelays } from "../../turn/relay.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { manifestsAmong, ruleFiles } from "../call/collect/project-files.ts";
import { canAsk, openTerminal } from "../call/run-parts.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { type Terminal, note, say } from "../call/terminal.ts";
import { CliError } from "../cli-error.ts";
import { createLocalApp } from "../create-local-app.ts";
import type { Admission } from "../../run/admissions.ts";
import type { Config } from "../../setup/config.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";
import { closing, stopOnInterrupt } from "../fail-with.ts";
import { type Person, createAsk, createAskCall, createPerson } from "./ask.ts";
import { type CodeRun, Progress, type RunRecord, tellEnd, undoCommand } from "./progress.ts";
import type { Coding, RunCheck } from "../../flows/loop/coding.ts";
import { listFiles } from "../../workspace/list-files.ts";
import { listRowSecrets } from "../../setup/settings.ts";
import { createCheck, createCheckEnvironment, printCommand, runCommand } from "./run-check.ts";
import { type GuardedWatch, createGuard, filesOfCheck, watchGuarded } from "./guard.ts";
import type { EditorFiles } from "../../workspace/directory/editor-files.node.ts";
import type { DirectoryWorkspace } from "../../workspace/directory/directory-workspace.node.ts";
import { listAccountHomes, openFolder, realPathOf } from "./open-folder.ts";
import { createRunCommand } from "./run-command.ts";
import { findSettingsFile, ownStateFolder } from "../read/read-settings-file.ts";
import { homedir } from "node:os";
import { resolve } from "node:path";

/** @param openTools may take long, as servers are started and asked; Ctrl-C ends that, too */
export async function runAgent(
  described: Omit<CodeRun, "tools">,
  openTools: (app: TerminalApp) => Promise<CodeRun["tools"]>,
): Promise<number> {
  using interrupt = stopOnInterrupt();
  const { signal, stop } = interrupt;
  await using app = closing(await createTerminalApp(described.config, [described.agent]));
  const tools = await untilAborted(openTools(app), signal).catch((thrown: unknown) => {
    if (!signal.aborted) throw thrown;
    return [];
  });
  const run = { ...described, tools };
  const { texts } = run;
  // With `--json` standard output is for the report alone.
  const output = run.isJson ? process.stderr : process.stdout;
  const terminal = await openTerminal({ plain: run.isPlain }, output);
  const columns = (): number => process.stderr.columns || Infinity;
  const progress = new Progress({ terminal, texts, columns });
  const streams = { input: process.stdin, output };
  const rest = (): void => progress.pause();
  const asking = { terminal, streams, texts, signal, stop, rest };
  const person = canAsk(false, output) ? createPerson(asking) : undefined;
  const parts = { person, progress, terminal, signal };
  try {
    return await runTask(run, parts, { app, history: [], undoWith: undoCommand(run) });
  } finally {
    terminal.rest();
  }
}

interface TurnParts {
  app: TerminalApp;
  history: TurnRequest["history"];
  /** What takes the changes back. */
  undoWith: string;
}

/** Has the agent work on one request, and tells how it ended. @throws CliError where it cannot begin; AppError */
export async function runTask(run: CodeRun, parts: RunParts, given: TurnParts): Promise<number> {
  await using work = closing(await createCoding(run, parts));
  const { coding, folder } = work;
  await followTurn(run, parts, { ...given, coding }).catch((thrown: unknown) => {
    // Who stops before the turn has begun gets no event of it.
    if (!parts.signal.aborted) throw thrown;
  });
  const { record } = parts.progress;
  return await tellEnd(run, { ...parts, record }, given, folder.turn);
}

export interface RunParts {
  person: Person | undefined;
  progress: Progress;
  terminal: Terminal;
  signal: AbortSignal;
  /** Where the files are open. */
  editor?: EditorFiles | undefined;
}

async function followTurn(
  run: CodeRun,
  { progress, terminal, signal }: RunParts,
  { app, history, coding }: TurnParts & { coding: Coding },
): Promise<void> {
  const { variables, rules } = await readFolderContext(coding.workspace, signal);
  const request = {
    agent: run.agent.name,
    command: "code",
    variables: [{ name: "userInputPrompt", value: run.request }, ...variables],
    history,
    model: run.model,
    language: run.texts.locale,
    key: run.key,
  };
  const started = await app.door.start(request, signal, coding);
  try {
    if (run.hasIgnoredSettings) note(run.texts.settingsIgnored, terminal);
    if (rules !== undefined) note(run.texts.withRules(rules), terminal);
    checkModel(run, started.turn, terminal);
  } catch (thrown) {
    await started.events.return();
    throw thrown;
  }
  await showTurn(started.events, progress);
}

/** Shows the events of a turn until it ends; whoever leaves early ends the turn. */
export async function showTurn(events: ReturnType<DoorHost["run"]>, progress: Progress) {
  try {
    progress.awaitModel();
    for await (const event of expandRelays(events)) progress.take(event);
  } finally {
    await events.return();
    progress.rest();
  }
}

/** @throws CliError where the model cannot work with tools */
function checkModel(run: CodeRun, { model, modelId }: Turn, terminal: Terminal): void {
  const { texts, config, model: wanted } = run;
  if (wanted !== undefined && wanted !== model.name && wanted !== modelId)
    say("yellow", texts.otherModel(escapeLine(model.name), escapeLine(wanted)), terminal);
  if (model.toolCalls !== "none") return;
  const others = config.models
    .map(({ name }) => escapeLine(name))
    .filter((name) => name !== model.name)
    .join(", ");
  throw new CliError(texts.noTools(escapeLine(model.name), others));
}

/** What is sent of each file, in characters; longer ones stay out. */
const [maxRules, maxManifest] = [32 * 1024, 64 * 1024];
const maxManifests = 3;
/** Files of the folder of which some may be manifests. */
const maxListed = 2_000;

/**
 * The rules and the manifests at the top of the folder. They are read as the agent reads files, so that a link
 * out of the folder and an ignored file bring nothing; git is not asked, since a folder can tell git what to run.
 *
 * @returns the variables, and the name of the file whose rules go along
 */
export async function readFolderContext(workspace: Workspace, signal: AbortSignal) {
  const readFirst = async (names: readonly string[], most: number, count: number) => {
    const found: { name: string; content: string }[] = [];
    for (const name of names) {
      if (found.length === count) break;
      const read = await workspace.read(name, { signal });
      if (read.ok && !read.value.isPart && read.value.text.length <= most)
        found.push({ name, content: read.value.text });
    }
    return found;
  };
  const variables: ContextVariable[] = [];
  const [rules] = await readFirst(ruleFiles, maxRules, 1);
  const top = await workspace.list(".", { signal, maxEntries: maxListed, depth: 0 });
  const names = top.ok ? top.value.entries.map(({ name }) => name) : [];
  const packages = await readFirst(manifestsAmong(names), maxManifest, maxManifests);
  const packageFiles = packages.map(({ name, content }) => ({ filepath: name, content }));
  if (packages.length > 0) variables.push({ name: "packageFiles", value: packageFiles });
  if (rules !== undefined) {
    const value = { filePath: rules.name, content: rules.content };
    variables.push({ name: "projectRules", value });
  }
  return { variables, rules: rules?.name };
}

/** What the terminal says of a turn; the rest is the same for all. */
type TerminalRequest = Pick<TurnRequest, "agent" | "command" | "variables"> & {
  /** Earlier messages of the conversation. */
  history?: TurnRequest["history"];
  model: string | undefined;
  language: string | undefined;
  key: string | undefined;
};

export type TerminalApp = Awaited<ReturnType<typeof createTerminalApp>>;

/** The app in this process, and the door through which the terminal begins turns. @param name of the door */
export async function createTerminalApp(
  config: Config,
  agents: readonly AgentDefinition[],
  name?: string,
) {
  const door = terminalDoor(name);
  const local = await createLocalApp(config, agents, process.env, undefined, { doors: [door] });
  return Object.assign(local, { door });
}

/**
 * A door without a protocol: turns of this process, whose events are facts. What needs the host throws before the door is
 * mounted.
 */
export function terminalDoor(name = "terminal") {
  let mounted: DoorHost | undefined;
  const host = (): DoorHost => {
    if (mounted === undefined) throw new Error("The terminal's door is not mounted.");
    return mounted;
  };
  /** Leave to run a turn for the person who has this key. */
  const admit = async (key: string | undefined): Promise<Admission> => {
    const authorization = key === undefined ? undefined : `Bearer ${key}`;
    const caller = await host().identify({
      header: (header) => (header === "authorization" ? authorization : undefined),
      headerNames: () => (authorization === undefined ? [] : ["authorization"]),
    });
    return host().admit(caller);
  };
  const mount: Door["mount"] = (_, given) => {
    mounted = given;
  };
  return {
    name,
    mount,
    host,
    admit,
    /**
     * Begins a turn in the app that the door was mounted in. Its events keep the contract of `settle`; they must be read,
     * or left, for the turn to end.
     *
     * @param coding what the command `code` works on
     * @throws AppError where the request is refused
     */
    async start(
      { key, model, language, history = [], ...request }: TerminalRequest,
      signal: AbortSignal,
      coding?: Coding,
    ) {
      const admission = await admit(key);
      try {
        const turn = host().resolve({
          ...request,
          id: admission.id,
          history,
          definition: undefined,
          models: [model],
          languages: [language],
          caller: admission.caller,
          signal: admission.signal,
          extra: {},
        });
        const left = { en: "The person left.", zh: "用户已离开。" };
        onAbort(signal, () => admission.abort(new AppError("aborted", left)));
        return { turn, events: host().run(admission, turn, coding) };
      } catch (thrown) {
        admission.end();
        throw thrown;
      }
    },
  };
}

/** The folder, who decides on changes, the check. @throws CliError where another process works in the folder */
export async function createCoding(run: CodeRun, parts: RunParts) {
  const { root, request, texts, check = [], isYes, allows } = run;
  const { person, progress, signal } = parts;
  const { folder, approvals, close } = await openFolder(root, request, texts, parts.editor);
  const known = check.length === 0 ? undefined : await findCheckFiles(folder, root, check, signal);
  const guard = createGuard(root, known?.isCheckFile);
  const watch = await watchGuarded(root, known?.paths ?? [], guard);
  const onRefusal = (calls: readonly string[]): void =>
    calls.forEach((call) => progress.record.refused.add(call));
  const ask = createAsk({
    rules: { isYes, allows, guardOf: async (path) => guard(await folder.namesOf(path)) },
    approvals,
    person,
    texts,
    onRefusal,
    onGuarded: (path) => watch.accept(path),
    // Nobody has looked at what a command would run from now on.
    onAllowed: () => run.allowed.clear(),
  });
  const coding: Coding = {
    workspace: countWrites(folder, progress.record),
    ask,
    askPerson: person && ((question) => person.answer(question)),
    askCall: createAskCall({ person, texts, allowed: run.allowed, onRefusal }),
    tools: [...run.tools, createCommandTool(run, folder, progress)],
    isTalk: run.isTalk,
    ...(check.length > 0 && {
      check: createRunCheck(run, check, watch, parts),
      checkCommand: printCommand(check),
    }),
  };
  return { coding, folder, close };
}

async function findCheckFiles(
  folder: Workspace,
  root: string,
  check: readonly string[],
  signal: AbortSignal,
) {
  const listed = await listFiles(folder, signal);
  const texts = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const file = await folder.read(path, { signal });
    const text = file.ok ? file.value.text : "";
    texts.set(path, text);
    return text;
  };
  return filesOfCheck(check, { root, paths: listed.map(({ path }) => path), read });
}

function safeEnvironment({ config, agent, key = "" }: CodeRun): Record<string, string> {
  const { apiKeys, openaiApiKey = "", models, openSpecList } = config;
  const described = [...openSpecList, ...(agent.openSpecList ?? [])].map(({ apiKey }) =>
    isRecord(apiKey) ? String(apiKey["apiKey"]) : "",
  );
  const own = [...apiKeys, openaiApiKey, key, ...described];
  const secrets = [...own, ...listRowSecrets(models, process.env)];
  return createCheckEnvironment(process.env, secrets);
}

function createCommandTool(run: CodeRun, workspace: DirectoryWorkspace, progress: Progress) {
  const { root, config, texts } = run;
  const { record } = progress;
  const secret = [findSettingsFile() ?? [], ownStateFolder()].flat();
  const hidden = [homedir(), ...listAccountHomes(), ...secret].map((path) =>
    realPathOf(resolve(path)),
  );
  return createRunCommand({
    workspace,
    root,
    environment: safeEnvironment(run),
    maxTime: config.checkTimeout,
    hidden: config.commandSandbox === "bwrap" ? hidden : undefined,
    texts,
    onRun: (command) => progress.awaitCheck(command),
    onChanges({ files, changes, beyond }) {
      for (const path of files) record.written.add(path);
      for (const path of beyond) record.beyondUndo.add(path);
      record.changes.push(...changes);
    },
  });
}

function createRunCheck(
  run: CodeRun,
  command: readonly string[],
  watch: GuardedWatch,
  { person, progress }: RunParts,
): RunCheck {
  const { root: folder, isYes, texts } = run;
  const { checkTimeout: timeLimit } = run.config;
  const place = { folder, environment: safeEnvironment(run), timeLimit };
  const start = (signal: AbortSignal): ReturnType<typeof runCommand> => {
    progress.awaitCheck(printCommand(command));
    return runCommand(command, { ...place, signal });
  };
  const check = createCheck({ command, run: start, timeLimit, isYes, person, watch, texts });
  return async (signal) => (progress.record.check = await check(signal));
}

/** Who ends the run early does not hear of the last write by an event. */
function countWrites(workspace: Workspace, { written, changes }: RunRecord): Workspace {
  return {
    ...workspace,
    async apply(...change) {
      const applied = await workspace.apply(...change);
      if (applied.ok) {
        written.add(applied.value.path);
        changes.push(applied.value);
      }
      return applied;
    },
  };
}

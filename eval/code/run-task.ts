import { cliTexts } from "../../src/cli/texts.ts";
import type { Locale } from "../../src/base/errors/locale.ts";
import type { RunCheck } from "../../src/flows/loop/coding.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import type { HistoryEntry } from "../../src/turn/turn-event.ts";
import { type Approvals, createApprovals } from "../../src/workspace/approvals.ts";
import type { AskApproval } from "../../src/tools/tool.ts";
import {
  type CommandEnd,
  type CommandPlace,
  createCheck,
  printCommand,
  runCommand,
} from "../../src/cli/code/run-check.ts";
import { readFolderContext, terminalDoor } from "../../src/cli/code/run-agent.ts";
import { RunRecord } from "../../src/cli/code/progress.ts";
import { createOpenApp } from "../../src/cli/create-local-app.ts";
import type { AgentParts } from "../create-agent.ts";
import type { CodingTask } from "./coding-task.ts";
import { judgeFiles, listCheckFiles } from "./judge-task.ts";
import { findMissing } from "./measure-map.ts";
import { openTaskCopy, type TaskCopy } from "./task-copy.ts";

export interface TaskParts extends Omit<AgentParts, "chosen" | "locale"> {
  model: ChatModel;
  /** The id that is asked for, where the model serves several. */
  modelId: string | undefined;
  locale: Locale;
  /** What the check gets of the environment. */
  environment: Readonly<Record<string, string>>;
}

/** What an agent has come to in a task. */
export interface TaskResult {
  id: string;
  language: string;
  /** The check passes in the end, with its own files as they were. */
  isSolved: boolean;
  /** How the last check ended; of one that did not pass also the end of its output. */
  check?: { exit: string; output?: string };
  /** Calls of tools, without the last word. */
  steps: number;
  /** Of all prompts and answers, as the model reports them; absent if it reports none. */
  tokens?: number;
  /** Calls that were to change a file and did not. */
  refusedEdits: number;
  /** Files that were changed though the task does not name them. */
  strayFiles: string[];
  /** Files that the task names and that are as they were. */
  untouchedFiles: string[];
  /** Files to change that the map of the first prompt does not show. */
  notInMap: string[];
  seconds: number;
  /** A fault of the turn; nothing else reports it. */
  failure?: string;
}

/** Has the agent do one task in a copy. It does not throw: what goes wrong is a task that failed. */
export async function runTask(
  task: CodingTask,
  parts: TaskParts,
  signal: AbortSignal,
): Promise<TaskResult> {
  const start = performance.now();
  const record = new RunRecord();
  const result = {
    id: task.id,
    language: task.language,
    isSolved: false,
    strayFiles: [],
    untouchedFiles: task.filesToChange.slice(),
    notInMap: [],
  };
  const judged: Partial<TaskResult> = await tryTask(task, parts, record, signal).catch(
    (thrown: unknown) => ({ failure: thrown instanceof Error ? thrown.message : String(thrown) }),
  );
  const { usage } = record;
  return {
    ...result,
    steps: record.figures.steps,
    ...(usage === undefined ? {} : { tokens: usage.total_tokens }),
    refusedEdits: record.history.filter(isRefusedEdit).length,
    ...judged,
    seconds: (performance.now() - start) / 1_000,
  };
}

async function tryTask(
  task: CodingTask,
  parts: TaskParts,
  record: RunRecord,
  signal: AbortSignal,
): Promise<Partial<TaskResult>> {
  const approvals = createApprovals({ now: Date.now });
  const copy = await openTaskCopy(task, approvals);
  try {
    const notInMap = await measure(task, copy, parts, signal);
    await runTurn(task, copy, { ...parts, approvals }, record, signal);
    const { stray, untouched } = judgeFiles(task, record.written, (path) => copy.read(path));
    const found = { notInMap, strayFiles: stray, untouchedFiles: untouched };
    const { failure } = record;
    if (failure !== undefined) return { ...found, failure: failure.messageIn("en") };
    return { ...found, ...(await checkAgain(task, copy, parts, signal)) };
  } finally {
    await copy.close();
  }
}

function measure(
  { id, request, filesToChange, before }: CodingTask,
  { workspace }: TaskCopy,
  { code }: TaskParts,
  signal: AbortSignal,
): Promise<string[]> {
  const known = filesToChange.filter((path) => before.has(path));
  const asked = { id, request, workspace, filesToChange: known };
  return findMissing(asked, { code, signal });
}

/** As `rightseat code` runs it for a person who says yes to all. */
async function runTurn(
  task: CodingTask,
  { folder, workspace }: TaskCopy,
  {
    model,
    modelId,
    approvals,
    environment,
    locale,
    key,
    ...given
  }: TaskParts & { approvals: Approvals },
  record: RunRecord,
  signal: AbortSignal,
): Promise<void> {
  const door = terminalDoor();
  const place = { folder, environment, timeLimit: given.config.checkTimeout };
  createOpenApp({
    ...given,
    models: { names: [model.name], resolve: () => ({ model, modelId }) },
    doors: [door],
    coding: {
      workspace: { ...workspace, apply: countWrites(workspace, record) },
      ask: agreeToWrites(approvals, cliTexts(locale).secret),
      check: createTaskCheck(task, place, locale),
      checkCommand: printCommand(task.check),
    },
  });
  const { variables } = await readFolderContext(workspace, signal);
  const request = {
    agent: given.agents[0]?.name,
    command: "code",
    variables: [{ name: "userInputPrompt", value: task.request }, ...variables],
    model: undefined,
    language: locale,
    key,
  };
  const { events } = await door.start(request, signal);
  for await (const event of events) record.take(event);
}

function countWrites(
  workspace: TaskCopy["workspace"],
  { written }: RunRecord,
): TaskCopy["workspace"]["apply"] {
  return async (...change) => {
    const applied = await workspace.apply(...change);
    if (applied.ok) written.add(applied.value.path);
    return applied;
  };
}

/** The copy is nobody's work. Secret files are not sent to a model all the same. */
function agreeToWrites(approvals: Approvals, secret: string): AskApproval {
  return async (question) =>
    question.kind === "read"
      ? { ok: false, reason: secret }
      : { ok: true, approval: await approvals.approve(question.changes) };
}

function createTaskCheck(
  { check: command }: CodingTask,
  place: Omit<CommandPlace, "signal">,
  locale: Locale,
): RunCheck {
  const texts = cliTexts(locale);
  // Guarded files may be changed here, so nobody watches them.
  const watch = { accept: () => undefined, findChanged: async () => [], renew: async () => {} };
  return createCheck({
    command,
    run: (signal) => runHere(command, { ...place, signal }),
    timeLimit: place.timeLimit,
    isYes: true,
    person: undefined,
    watch,
    texts,
  });
}

/** The last word: not the agent's own run of the check, which may have been changed. */
async function checkAgain(
  task: CodingTask,
  copy: TaskCopy,
  { environment, config, locale }: TaskParts,
  signal: AbortSignal,
): Promise<Pick<TaskResult, "isSolved" | "check"> & { failure?: string }> {
  for (const path of listCheckFiles(task)) await copy.write(path, task.before.get(path) ?? "");
  const { folder } = copy;
  const place = { folder, environment, timeLimit: config.checkTimeout };
  const outcome = await createTaskCheck(task, place, locale)(signal);
  if (!outcome.ran) {
    const failure = `The check ${outcome.command} was not run: ${outcome.reason}`;
    return { isSolved: false, failure };
  }
  const { passed, exit, output } = outcome;
  return { isSolved: passed, check: passed ? { exit } : { exit, output: output.slice(-2_000) } };
}

/** The `node` of a check is the one that runs us: another one may be too old for it. */
function runHere(
  [program = "", ...args]: readonly string[],
  place: CommandPlace,
): Promise<CommandEnd> {
  return runCommand([program === "node" ? process.execPath : program, ...args], place);
}

function isRefusedEdit({ tool, result }: HistoryEntry): boolean {
  return /^(?:edit|insert|replace|remove|delete)_file$/.test(tool) && result["success"] !== true;
}

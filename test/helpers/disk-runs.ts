// Whole runs of the agent on a folder of the disk, with a person who is asked as at the terminal.
import { cliTexts } from "../../src/cli/texts.ts";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Person, createAsk } from "../../src/cli/code/ask.ts";
import { createGuard, filesOfCheck } from "../../src/cli/code/guard.ts";
import { readFolderContext, terminalDoor } from "../../src/cli/code/run-agent.ts";

export { readFolderContext };
import type { RunCheck } from "../../src/flows/loop/coding.ts";
import { type Script, scriptedModel } from "../../src/testing.ts";
import { textOfMessage } from "../../src/turn/chat-message.ts";
import type { ChatModel, ChatRequest } from "../../src/turn/chat-model.ts";
import type { HistoryEntry } from "../../src/turn/turn-event.ts";
import { type Approvals, createApprovals } from "../../src/workspace/approvals.ts";
import {
  createDirectoryWorkspace,
  type DirectoryWorkspace,
} from "../../src/workspace/directory/directory-workspace.node.ts";
import { createFolderSearch } from "../../src/workspace/directory/search/search-folder.node.ts";
import { compilePattern } from "../../src/workspace/search/compile-pattern.node.ts";
import { prompted } from "./copilot-client.ts";
import { createTestApp } from "./create-test-app.ts";

type Answer = Awaited<ReturnType<Person["judge"]>>;

/** A folder of the disk, with room beside it. */
export interface DiskProject {
  place: string;
  folder: string;
  read(path: string): string;
  write(path: string, text: string): void;
  /** All files, by path. */
  all(): Record<string, string>;
}

export function createDiskProject(files: Readonly<Record<string, string>>): DiskProject {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-run-")));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const folder = join(place, "project");
  const write = (path: string, text: string): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) write(path, text);
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  const all = (): Record<string, string> => {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true })
      // Links to folders are gone through, too.
      .filter((entry) => entry.isFile() && realpathSync(entry.parentPath) === entry.parentPath)
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    return Object.fromEntries(found.toSorted().map((path) => [path, read(path)]));
  };
  return { place, folder, read, write, all };
}

/** What an answer of the model is; a function may do something first, as another program would. */
export type Step = Script | (() => Script);

export interface RunOptions {
  request?: string;
  /** The person said beforehand that all may be written. */
  isYes?: boolean;
  /** What they answer when they are asked; by default no. */
  answer?: (path: string) => Answer;
  checkCommand?: readonly string[];
  check?: RunCheck;
  /** Several runs may share one. */
  opened?: OpenedWorkspace;
}

export interface OpenedWorkspace {
  workspace: DirectoryWorkspace;
  approvals: Approvals;
}

/** A question to the person: what for, and why they are always asked for it. */
interface Asked {
  kind: "read" | "change";
  path: string;
  guard?: string | undefined;
}

export interface FinishedRun {
  asked: Asked[];
  history: HistoryEntry[];
  /** What the person reads. */
  said: string;
  /** All that the model was sent. */
  sent: string;
  requests: readonly ChatRequest[];
}

export async function openWorkspace({
  place,
  folder,
}: Pick<DiskProject, "place" | "folder">): Promise<OpenedWorkspace> {
  const approvals = createApprovals({ now: Date.now });
  const workspace = await createDirectoryWorkspace({
    root: folder,
    stateFolder: join(place, "state"),
    request: "test",
    approvals,
    now: Date.now,
    search: createFolderSearch({
      compile: compilePattern,
      ripgrep: undefined,
      now: () => performance.now(),
    }),
  });
  return { workspace, approvals };
}

/** As `rightseat code` puts it together. */
export async function runOnDisk(
  project: DiskProject,
  steps: readonly Step[],
  options: RunOptions = {},
): Promise<FinishedRun> {
  const { request = "Tidy up.", isYes = false, checkCommand = [] } = options;
  const { workspace, approvals } = options.opened ?? (await openWorkspace(project));
  const known = { root: project.folder, paths: [], read: async () => "" };
  const { isCheckFile } = await filesOfCheck(checkCommand, known);
  const judge = createGuard(project.folder, checkCommand.length === 0 ? undefined : isCheckFile);
  const answer = options.answer ?? ((): Answer => ({ kind: "no" }));
  const asked: Asked[] = [];
  const ask = createAsk({
    rules: {
      isYes,
      allows: () => false,
      guardOf: async (path) => judge(await workspace.namesOf(path)),
    },
    approvals,
    person: {
      async judge(question) {
        if (question.kind !== "change" && question.kind !== "read") return { kind: "no" };
        const paths = question.kind === "read" ? [question] : question.changes;
        const path = paths.map((one) => one.path).join(", ");
        const guard = question.kind === "change" && { guard: question.guard };
        asked.push({ kind: question.kind, path, ...guard });
        return answer(path);
      },
    },
    texts: cliTexts("en"),
    onRefusal: () => undefined,
    onGuarded: () => undefined,
  });
  const door = terminalDoor();
  const { model, requests } = actingModel(steps);
  const check = options.check === undefined ? {} : { check: options.check, checkCommand: "check" };
  createTestApp({ models: model, coding: { workspace, ask, ...check }, doors: [door] });
  const { signal } = new AbortController();
  const { variables } = await readFolderContext(workspace, signal);
  const asks = { agent: "rightseat", command: "code", model: undefined, key: undefined };
  const variablesOfTurn = [prompted(request), ...variables];
  const started = { ...asks, variables: variablesOfTurn, language: "en" };
  const { events } = await door.start(started, signal);
  const history: HistoryEntry[] = [];
  let said = "";
  for await (const event of events) {
    if (event.type === "turn-error") throw event.error;
    if (event.type === "text-delta") said += event.text;
    if (event.type === "tool-result" && event.entry !== undefined) history.push(event.entry);
  }
  if (options.opened === undefined) await workspace.close();
  const sent = requests.flatMap(({ messages }) => messages.map(textOfMessage)).join("\n");
  return { asked, history, said, sent, requests };
}

/** The n-th answer is the n-th step; the last one is repeated. */
function actingModel(steps: readonly Step[]): { model: ChatModel; requests: ChatRequest[] } {
  const requests: ChatRequest[] = [];
  const base = scriptedModel([]);
  const model: ChatModel = {
    ...base,
    stream(request, options) {
      requests.push(request);
      const step = steps[Math.min(requests.length, steps.length) - 1] ?? [];
      const script = typeof step === "function" ? step() : step;
      return scriptedModel([script]).stream(request, options);
    },
  };
  return { model, requests };
}

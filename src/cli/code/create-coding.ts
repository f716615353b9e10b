import type { Coding, RunCheck } from "../../flows/loop/coding.ts";
import { listFiles } from "../../flows/loop/context/map-repository.ts";
import { createApprovals } from "../../workspace/approvals.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { listRowSecrets } from "../../setup/settings.ts";
import { type Person, createAsk } from "./ask.ts";
import { createCheck, createCheckEnvironment, printCommand, runCommand } from "./run-check.ts";
import { type GuardedWatch, createGuard, filesOfCheck, watchGuarded } from "./guard.ts";
import type { Config } from "../../setup/config.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";
import type { PathTest } from "../../workspace/search/match-glob.ts";
import type { CodeTexts } from "./code-texts.ts";
import { openFolder } from "./open-folder.ts";
import type { Progress, RunRecord } from "./progress.ts";

/** A run as the person has asked for it. */
export interface CodeRun {
  config: Config;
  agents: readonly [AgentDefinition];
  texts: CodeTexts;
  /** The real path of the folder that the agent works on. */
  root: string;
  /** As the person has named it. */
  directory: string;
  request: string;
  /** The command that checks the work. */
  check: readonly string[] | undefined;
  isYes: boolean;
  allows: PathTest;
  model: string | undefined;
  key: string | undefined;
  isJson: boolean;
  /** Without colours, the words as the model wrote them. */
  isPlain: boolean;
  /** The folder has settings of its own, which do not count. */
  hasIgnoredSettings: boolean;
}

export interface OpenCoding {
  coding: Coding;
  /** The number of the turn, for undo; undefined while nothing was written. */
  readonly turn: number | undefined;
  close(): Promise<void>;
}

export interface CodingParts {
  person: Person | undefined;
  /** Learns what was written, refused and checked. */
  record: RunRecord;
  progress: Progress;
  signal: AbortSignal;
}

/**
 * What the agent works with in a run: the folder, who decides on changes, the check.
 *
 * @throws CliError where another process works in the folder
 */
export async function createCoding(run: CodeRun, parts: CodingParts): Promise<OpenCoding> {
  const { root, request, texts, check = [], isYes, allows } = run;
  const { person, record, signal } = parts;
  const approvals = createApprovals({ now: Date.now });
  const folder = await openFolder(root, request, approvals, texts);
  const known = check.length === 0 ? undefined : await findCheckFiles(folder, root, check, signal);
  const guard = createGuard(root, known?.isCheckFile);
  const watch = await watchGuarded(root, known?.paths ?? [], guard);
  const ask = createAsk({
    rules: { isYes, allows, guardOf: async (path) => guard(await folder.namesOf(path)) },
    approvals,
    person,
    texts,
    onRefusal: (refused) => refused.forEach((path) => record.refused.add(path)),
    onGuarded: (path) => watch.accept(path),
  });
  const workspace = countWrites(folder, record);
  const asked =
    check.length === 0
      ? {}
      : { check: createRunCheck(run, check, watch, parts), checkCommand: printCommand(check) };
  return {
    coding: { workspace, ask, ...asked },
    get turn() {
      return folder.turn;
    },
    close: () => folder.close(),
  };
}

async function findCheckFiles(
  folder: Workspace,
  root: string,
  check: readonly string[],
  signal: AbortSignal,
): ReturnType<typeof filesOfCheck> {
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

function createRunCheck(
  run: CodeRun,
  command: readonly string[],
  watch: GuardedWatch,
  { person, record, progress }: CodingParts,
): RunCheck {
  const { root: folder, isYes, texts, key = "" } = run;
  const { apiKeys, openaiApiKey = "", models, checkTimeout: timeLimit } = run.config;
  const secrets = [...apiKeys, openaiApiKey, key, ...listRowSecrets(models, process.env)];
  const environment = createCheckEnvironment(process.env, secrets);
  return createCheck({
    command,
    run: runCommand,
    place: { folder, environment, timeLimit },
    isYes,
    person,
    watch,
    texts,
    onRun: (name) => progress.awaitCheck(name),
    onOutcome: (outcome) => {
      record.check = outcome;
    },
  });
}

/** Who ends the run early does not hear of the last write by an event. */
function countWrites(
  workspace: Workspace,
  { written, changes }: Pick<RunRecord, "written" | "changes">,
): Workspace {
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

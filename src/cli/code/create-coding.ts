import type { Coding, RunCheck } from "../../flows/loop/coding.ts";
import { listFiles } from "../../flows/loop/context/list-files.ts";
import { createApprovals } from "../../workspace/approvals.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { listRowSecrets } from "../../setup/settings/model-settings.ts";
import { createAsk } from "./ask/create-ask.ts";
import type { Guard } from "./ask/write-rules.ts";
import type { Person } from "./ask/person.ts";
import { createCheckEnvironment } from "./check/check-environment.ts";
import { createCheck } from "./check/create-check.ts";
import { printCommand } from "./check/print-command.ts";
import { runCommand } from "./check/run-command.ts";
import { filesOfCheck } from "./guard/files-of-check.ts";
import { guardOf } from "./guard/guard-of.ts";
import { isTestFile } from "./guard/is-test-file.ts";
import { type Recipe, readRecipes } from "./guard/read-recipes.ts";
import { type GuardedWatch, watchGuarded } from "./guard/watch-guarded.ts";
import type { CodeRun } from "./code-run.ts";
import { openFolder } from "./open-folder.ts";
import type { Progress } from "./progress.ts";
import type { RunRecord } from "./run-record.ts";

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
  const recipes = await findRecipes(folder, check, signal);
  const locate: Workspace["locate"] = (path) => folder.locate(path);
  const { isCheckFile, paths } = await filesOfCheck(check, locate, recipes);
  const judge = (path: string): Guard | undefined =>
    isCheckFile(path) ? "check" : isTestFile(path) ? "test" : undefined;
  const watch = await watchGuarded(root, paths);
  const ask = createAsk({
    rules: {
      isYes,
      allows,
      guardOf: (path) => guardOf(path) ?? (check.length === 0 ? undefined : judge(path)),
    },
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

/** What says what the check runs beyond what its command names. */
async function findRecipes(
  folder: Workspace,
  check: readonly string[],
  signal: AbortSignal,
): Promise<Recipe[]> {
  if (check.length === 0) return [];
  const listed = await listFiles(folder, signal);
  const texts = new Map<string, string | undefined>();
  return readRecipes(check, {
    paths: new Set(listed.map(({ path }) => path)),
    async read(path) {
      if (texts.has(path)) return texts.get(path);
      const file = await folder.read(path, { signal });
      const text = file.ok ? file.value.text : undefined;
      texts.set(path, text);
      return text;
    },
  });
}

function createRunCheck(
  run: CodeRun,
  command: readonly string[],
  watch: GuardedWatch,
  { person, record, progress }: CodingParts,
): RunCheck {
  const { root: folder, config, isYes, texts } = run;
  const environment = createCheckEnvironment(process.env, listKeys(run));
  return createCheck({
    command,
    run: runCommand,
    place: { folder, environment, timeLimit: config.checkTimeout },
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

/** Whoever ends the run early does not hear of the last write by an event. */
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

function listKeys({ config, key = "" }: CodeRun): string[] {
  const { apiKeys, openaiApiKey = "", models } = config;
  const ofRows = listRowSecrets(models, process.env);
  return [...apiKeys, openaiApiKey, key, ...ofRows];
}

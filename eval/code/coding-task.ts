import { type Dirent, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { describeIssue } from "../../src/base/errors/describe-issue.ts";
import { CliError } from "../../src/cli/cli-error.ts";
import { packageFile } from "../package-file.ts";

/** Of a clone of the project; the package does not ship it. */
const usualFolder = "test/fixtures/tasks/";

/** Files of one project, and bytes of one file. */
const [maxFiles, maxSize] = [500, 1024 * 1024];
const maxTasks = 1_000;

const TaskFile = z.object({
  id: z.string().min(1).max(100),
  /** Of the project, as the table of figures names it. */
  language: z.string().min(1).max(40),
  kind: z.string().min(1).max(40),
  request: z.string().min(1).max(20_000),
  /** An argument vector, run in the project. */
  check: z.array(z.string().min(1).max(2_000)).min(1).max(100),
  /** Also those that the task creates or deletes. */
  files_to_change: z.array(z.string().min(1).max(500)).min(1).max(maxFiles),
});

const RecordedCall = z.object({
  tool: z.string(),
  params: z.record(z.string(), z.unknown()),
  /** What the call comes to. */
  success: z.boolean(),
});
type RecordedCall = z.infer<typeof RecordedCall>;

/** Texts by path, with "/". */
export type ProjectFiles = ReadonlyMap<string, string>;

/** A project, what is asked for, and how one sees that it was done. */
export interface CodingTask extends Omit<z.infer<typeof TaskFile>, "files_to_change"> {
  filesToChange: readonly string[];
  before: ProjectFiles;
  /** What a good model does; empty where nothing is recorded. */
  calls: readonly RecordedCall[];
}

/**
 * Reads the tasks of a folder: one folder each, with `task.json`, `before/` and perhaps `calls.json`.
 *
 * @param folder where absent, that of the project
 * @returns by their names
 * @throws CliError for a folder or file that cannot be read, and for one that is not in the expected format
 */
export function loadTasks(folder: string | undefined): CodingTask[] {
  const root = folder ?? fileURLToPath(packageFile(usualFolder));
  const found = globSync("*/task.json", { cwd: root }).toSorted();
  if (found.length === 0 && folder === undefined)
    throw new CliError(
      "The tasks are not part of the package. Take test/fixtures/tasks of a clone of the project, or tasks of your own, and name the folder with --tasks FOLDER.",
    );
  if (found.length === 0 || found.length > maxTasks)
    throw new CliError(
      `${root} has ${found.length === 0 ? "no" : "too many"} tasks. Name a folder that has a folder with a task.json for each task.`,
    );
  const tasks = found.map((path) => readTask(join(root, path, "..")));
  const ids = tasks.map(({ id }) => id);
  const twice = ids.find((id, nth) => ids.indexOf(id) !== nth);
  if (twice !== undefined) throw new CliError(`Two tasks are named ${JSON.stringify(twice)}.`);
  return tasks;
}

function readTask(folder: string): CodingTask {
  const { files_to_change: filesToChange, ...task } = parseFile(
    TaskFile,
    join(folder, "task.json"),
  );
  const calls = join(folder, "calls.json");
  const hasCalls = statSync(calls, { throwIfNoEntry: false }) !== undefined;
  return {
    ...task,
    filesToChange,
    before: readProject(join(folder, "before")),
    calls: hasCalls ? parseFile(z.array(RecordedCall).max(1_000), calls) : [],
  };
}

function parseFile<Value>(schema: z.ZodType<Value>, path: string): Value {
  const json = readJson(path);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const why = issue === undefined ? "is not valid" : describeIssue(issue, json);
  const place = issue === undefined ? "" : ` ${issue.path.join(".")}`;
  throw new CliError(`${path}:${place} ${why}.`);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path));
  } catch (thrown) {
    if (thrown instanceof CliError) throw thrown;
    throw new CliError(`${path} is not JSON.`);
  }
}

/** All files below a folder. */
function readProject(folder: string): ProjectFiles {
  const entries: Dirent[] = globSync("**/*", { cwd: folder, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (files.length === 0 || files.length > maxFiles)
    throw new CliError(
      `${folder} has ${files.length === 0 ? "no files" : `more than ${maxFiles} files`}.`,
    );
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return new Map(
    paths.map((path) => [path.slice(folder.length + 1).replaceAll("\\", "/"), readText(path)]),
  );
}

function readText(path: string): string {
  try {
    if (statSync(path).size <= maxSize) return readFileSync(path, "utf8");
  } catch {
    throw new CliError(`${path} cannot be read.`);
  }
  throw new CliError(`${path} is larger than ${maxSize} bytes.`);
}

// The tasks of test/fixtures/tasks: projects, what is asked for, and what a good model does.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import {
  type CodingTask as LoadedTask,
  loadTasks,
  type ProjectFiles,
} from "../../eval/code/coding-task.ts";

export type { ProjectFiles };

const root = fileURLToPath(new URL("../fixtures/tasks/", import.meta.url));

const OwnFields = z.object({
  language: z.enum(["javascript", "typescript", "python", "c", "cpp"]),
  kind: z.enum(["rename", "fix", "add", "delete", "refactor"]),
  request: z.string().min(20),
  check: z.array(z.string()).min(2),
});

const reason = { explanation: z.string().min(1) };
const ToolCall = z.discriminatedUnion("tool", [
  call("read_file", { target_file: z.string(), ...reason }),
  call("edit_file", { target_file: z.string(), instructions: z.string(), code_edit: z.string() }),
  call("delete_file", { target_file: z.string(), ...reason }),
  call("grep_search", {
    query: z.string(),
    case_sensitive: z.boolean(),
    include_pattern: z.string().optional(),
    ...reason,
  }),
  call("list_dir", { relative_workspace_path: z.string(), ...reason }),
  call("finish", { response: z.string().min(1) }),
]);
export type ToolCall = z.infer<typeof ToolCall>;

function call<Name extends string, Params extends z.ZodRawShape>(name: Name, params: Params) {
  const fields = { tool: z.literal(name), params: z.strictObject(params), success: z.boolean() };
  return z.strictObject(fields);
}

export type CodingTask = Omit<LoadedTask, "calls" | "language" | "kind"> &
  z.infer<typeof OwnFields> & {
    /** Only files that are new or changed. */
    solution: ProjectFiles;
    calls: readonly ToolCall[];
  };

/** By their names. */
export function readCodingTasks(): CodingTask[] {
  return loadTasks(undefined).map((task) => ({
    ...task,
    ...OwnFields.parse(task),
    calls: z.array(ToolCall).parse(task.calls),
    solution: readFiles(join(root, task.id, "solution")),
  }));
}

/** The project as the solution leaves it. */
export function solvedFiles({ before, solution, filesToChange }: CodingTask): ProjectFiles {
  const gone = new Set(filesToChange.filter((path) => !solution.has(path)));
  return new Map([...before, ...solution].filter(([path]) => !gone.has(path)));
}

function readFiles(folder: string): ProjectFiles {
  const entries = globSync("**/*", { cwd: folder, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return new Map(
    paths.map((path) => [
      path.slice(folder.length + 1).replaceAll("\\", "/"),
      readFileSync(path, "utf8"),
    ]),
  );
}

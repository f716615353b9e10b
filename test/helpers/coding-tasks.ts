// The tasks of test/fixtures/tasks: projects, what is asked for, and what a good model does.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const root = fileURLToPath(new URL("../fixtures/tasks/", import.meta.url));

const TaskFile = z.strictObject({
  id: z.string(),
  language: z.enum(["javascript", "typescript", "python", "c", "cpp"]),
  kind: z.enum(["rename", "fix", "add", "delete", "refactor"]),
  request: z.string().min(20),
  /** An argument vector. */
  check: z.array(z.string()).min(2),
  files_to_change: z.array(z.string()).min(1),
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

/** Texts by path, with "/". */
export type ProjectFiles = ReadonlyMap<string, string>;

export type CodingTask = Omit<z.infer<typeof TaskFile>, "files_to_change"> & {
  filesToChange: readonly string[];
  before: ProjectFiles;
  /** Only files that are new or changed. */
  solution: ProjectFiles;
  calls: readonly ToolCall[];
};

/** By their names. */
export function readCodingTasks(): CodingTask[] {
  return globSync("*/task.json", { cwd: root })
    .toSorted()
    .map((path) => {
      const folder = join(root, path, "..");
      const { files_to_change: filesToChange, ...task } = TaskFile.parse(
        readJson(join(root, path)),
      );
      return {
        ...task,
        filesToChange,
        before: readFiles(join(folder, "before")),
        solution: readFiles(join(folder, "solution")),
        calls: z.array(ToolCall).parse(readJson(join(folder, "calls.json"))),
      };
    });
}

/** The project as the solution leaves it. */
export function solvedFiles({ before, solution, filesToChange }: CodingTask): ProjectFiles {
  const gone = new Set(filesToChange.filter((path) => !solution.has(path)));
  return new Map([...before, ...solution].filter(([path]) => !gone.has(path)));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
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

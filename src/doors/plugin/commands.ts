import type { PluginRequest } from "./schema.ts";

/** How the document names the fields that a command needs; of two names for one thing either will do. */
type Needed = readonly (readonly string[])[];

interface PluginCommand {
  /** The command of the agent. */
  command: string;
  needs: Needed;
  /** Its answer is a change of the selected code. */
  isEdit: boolean;
  /** It works on the files of the plugin's project, and its answer tells what became of them. */
  opensFiles?: true;
}

const selected: Needed = [["selected_text"], ["model"]];

/** The commands that ask a model: those of the document (its `list_model` asks none), and `exec_code`, which is ours. */
export const commands: ReadonlyMap<string, PluginCommand> = new Map<string, PluginCommand>([
  [
    "exec_explain",
    { command: "explain", needs: [["selected_text"], ["visible_text"], ["model"]], isEdit: false },
  ],
  ["exec_docstring", { command: "docstring", needs: selected, isEdit: true }],
  ["exec_optimize", { command: "optimize", needs: selected, isEdit: true }],
  ["exec_fix", { command: "fix", needs: selected, isEdit: true }],
  [
    "exec_unittest_recommend",
    {
      command: "unittest",
      needs: [
        ["file_content"],
        ["filepath", "file_path"],
        ["func_name", "function_name"],
        ["func_location"],
        ["func_symbols"],
        ["model"],
      ],
      isEdit: false,
    },
  ],
  ["exec_unittest_code", { command: "unittest-write", needs: [["test_cases_str"]], isEdit: false }],
  ["exec_chat", { command: "chat", needs: [["msg"], ["model"]], isEdit: false }],
  ["exec_code", { command: "code", needs: [["msg"], ["model"]], isEdit: false, opensFiles: true }],
]);

/** The fields that a command needs and the request does not have, by their first names. */
export function findMissing(request: PluginRequest, needs: Needed): string[] {
  const isAbsent = (name: string): boolean => request[name] === undefined || request[name] === null;
  return needs.filter((names) => names.every(isAbsent)).map(([name = ""]) => name);
}

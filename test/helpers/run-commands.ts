// The tool `run_command` on a folder of the disk, and what it asks and tells.
import { join } from "node:path";
import { type CommandParts, createRunCommand } from "../../src/cli/code/run-command.ts";
import { cliTexts } from "../../src/cli/texts.ts";
import { runCall } from "../../src/tools/run-call.ts";
import { type AskedCall, type ToolUse, Toolbox } from "../../src/tools/tool.ts";
import { openUndo } from "../../src/workspace/directory/journal/undo.node.ts";
import { createDiskProject, openWorkspace } from "./disk-runs.ts";

interface Options {
  says?: { ok: true } | { ok: false; reason: string };
  hidden?: string[];
  signal?: AbortSignal;
}

/** The tool on a new folder of the disk. */
export async function openCommands(files: Readonly<Record<string, string>>, options: Options = {}) {
  const project = createDiskProject(files);
  const { workspace } = await openWorkspace(project);
  const asked: AskedCall[] = [];
  const found: Parameters<CommandParts["onChanges"]>[0][] = [];
  const changed: string[] = [];
  const tool = createRunCommand({
    workspace,
    root: project.folder,
    environment: { PATH: process.env["PATH"] ?? "", HOME: join(project.place, "home") },
    maxTime: 60_000,
    hidden: options.hidden,
    texts: cliTexts("en"),
    onRun: () => undefined,
    onChanges: (changes) => void found.push(changes),
  });
  const use: ToolUse = {
    workspace,
    ask: async () => ({ ok: false, reason: "" }),
    seen: new Map(),
    locale: "en",
    signal: options.signal ?? new AbortController().signal,
    askCall: async (call) => {
      asked.push(call);
      return options.says ?? { ok: true };
    },
    onChange: ({ change }) => void changed.push(change.path),
  };
  const run = async (args: unknown, name = "run_command") => {
    const call = { id: "1", name, arguments: JSON.stringify(args) };
    return (await runCall(call, new Toolbox([tool]), use)).outcome;
  };
  const undo = async () => {
    await workspace.close();
    const root = { root: project.folder, stateFolder: join(project.place, "state"), now: Date.now };
    const opened = await openUndo(root);
    const undone = await opened.undo();
    await opened.close();
    return undone;
  };
  return { project, workspace, run, undo, asked, found, changed };
}

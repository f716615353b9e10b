// The tool with which the agent of the terminal runs a program in the folder, as the person allows it.
import { join } from "node:path";
import * as z from "zod";
import { parseFirst } from "../../base/text/mended-json.ts";
import type { LineEdit } from "../../edit/edit-unit.ts";
import {
  type Tool,
  type ToolOutcome,
  type ToolUse,
  fail,
  failFrom,
  renames,
} from "../../tools/tool.ts";
import type { DirectoryWorkspace } from "../../workspace/directory/directory-workspace.node.ts";
import type { ForeignChanges } from "../../workspace/directory/journal/foreign-changes.node.ts";
import type { CliTexts } from "../texts.ts";
import { runCommandName } from "./ask.ts";
import {
  type CommandEnd,
  type CommandPlace,
  type Sandbox,
  printCommand,
  printEnd,
  runCommand,
} from "./run-check.ts";
import { existsSync, lstatSync } from "node:fs";
import { comparePaths } from "../../code/file-map.ts";
import { isProtected, isSecretPath } from "../../workspace/paths/guarded-names.ts";
import { isUnder } from "../../workspace/directory/resolve-path.node.ts";

/** Words of a command, characters of all of them: a person reads them. */
const [maxWords, maxCommand] = [200, 10_000];
/** In seconds. */
const usualTime = 120;
/** Of the output, in bytes. */
const keeps = { head: 8 * 1024, tail: 24 * 1024 };
const maxPaths = 50;

const Input = z.object({
  command: z.array(z.string()).min(1).max(maxWords),
  folder: z.string().optional(),
  time_limit: z.int().min(1).optional(),
});
type Input = z.infer<typeof Input>;

export interface CommandParts {
  workspace: DirectoryWorkspace;
  root: string;
  /** Without what opens something. */
  environment: CommandPlace["environment"];
  /** In milliseconds. */
  maxTime: number;
  /** Hidden from the command: it runs in a sandbox. Without it, it runs as any program of the person's. */
  hidden: readonly string[] | undefined;
  texts: CliTexts;
  onRun: (command: string) => void;
  onChanges: (found: ForeignChanges) => void;
}

export function createRunCommand(parts: CommandParts): Tool<Input> {
  return {
    name: runCommandName,
    otherNames: (
      "bash sh shell terminal exec exec_command execute_bash execute_command local_shell run " +
      "run_in_terminal run_shell_command run_terminal_cmd run_terminal_command shell_command " +
      "commandTool bashTool shellTool"
    ).split(" "),
    description: {
      en: "Runs one program in the working directory, without a shell, after the person has agreed, and gives its output. Use it for tests, builds and tools of the project, not to read or change files.",
      zh: "在用户同意后，于工作目录中直接运行一个程序（不经过 shell），并返回其输出。用于测试、构建和项目工具，不要用它读取或修改文件。",
    },
    input: Input,
    fields: {
      command: {
        en: 'The program and its arguments, each a text of its own: ["npm", "test"]. A line that needs a shell is ["sh", "-c", "LINE"]; the person sees that it is one.',
        zh: '程序及其参数，每个为单独的文本：["npm", "test"]。需要 shell 的命令行写作 ["sh", "-c", "命令行"]，用户会看到这一点。',
      },
      folder: {
        en: "Folder to run it in, relative to the working directory. Leave out for the working directory.",
        zh: "运行所在的目录，相对于工作目录。省略时为工作目录。",
      },
      time_limit: {
        en: `Seconds after which it is stopped, ${usualTime} if left out.`,
        zh: `超过该秒数即停止，省略时为 ${usualTime}。`,
      },
    },
    otherFields: renames({
      command: "cmd argv line script shell_command",
      folder: "cwd workdir working_directory directory dir_path path",
    }),
    paths: ["folder"],
    fit,
    effect: "write",
    needsFiles: true,
    run: (input, use) => run(input, use, parts),
  };
}

/** Arguments beside the program, a line in place of words, and milliseconds, as other agents have them. */
function fit(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { command, args, timeout, timeout_ms: milliseconds = timeout, ...others } = given;
  const limit = Number(milliseconds);
  const time = limit >= 1 ? { time_limit: Math.ceil(limit > 1_000 ? limit / 1_000 : limit) } : {};
  return { ...time, ...others, command: toWords(command, args) };
}

function toWords(command: unknown, args: unknown): unknown {
  const inner = typeof command === "string" ? (parseList(command) ?? command) : command;
  const words = Array.isArray(inner) ? inner : [inner];
  if (Array.isArray(args)) return [...words, ...args];
  const [line] = words;
  return words.length === 1 && typeof line === "string" ? splitLine(line) : words;
}

function parseList(text: string): unknown {
  const list = text.trim().startsWith("[") ? parseFirst(text.trim()) : undefined;
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}

/** The words of a line where a shell would do nothing but split it; else the line for a shell. */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  const text = line.trim();
  const word = /\s*(?:([\w@%+=:,./-]+)|"([^"$`\\!\n]*)"|'([^'\n]*)')(?=\s|$)/y;
  for (let at = 0; at < text.length; at = word.lastIndex) {
    const found = word.exec(text);
    const isSetting = words.length === 0 && found?.[1]?.includes("=") === true;
    if (found === null || isSetting || /\n/.test(found[0])) return ["/bin/sh", "-c", text];
    words.push(found[1] ?? found[2] ?? found[3] ?? "");
  }
  return words;
}

async function run(
  { command, folder = ".", time_limit: time = usualTime }: Input,
  use: ToolUse,
  parts: CommandParts,
): Promise<ToolOutcome> {
  const { locale, signal, askCall } = use;
  const { workspace, root, texts } = parts;
  const isOdd = command[0] === "" || command.some((each) => each.includes("\0"));
  if (isOdd || JSON.stringify(command).length > maxCommand)
    return fail(locale, "bad-arguments", unreadable);
  const listed = await workspace.list(folder, { maxEntries: 1, depth: 0, signal });
  if (!listed.ok) return failFrom(locale, listed.problem);
  const path = listed.value.path === "." ? "" : listed.value.path;
  const place = join(root, path);
  const room = parts.hidden === undefined ? {} : { sandbox: true };
  const asked = { tool: runCommandName, target: place, arguments: { command, ...room } };
  const decision = (await askCall?.(asked, signal)) ?? { ok: false, reason: texts.nobodyForCall };
  const named = { command: printCommand(command) };
  if (!decision.ok) return fail(locale, "not-approved", notRun(decision.reason), named);
  const watch = await workspace.watch();
  if (!watch.ok) return failFrom(locale, watch.problem, named);
  const { findChanges, ...inside } = watch.value;
  const timeLimit = Math.min(time * 1_000, parts.maxTime);
  let sandbox;
  try {
    sandbox = parts.hidden && createSandbox({ root, hidden: parts.hidden, ...inside });
  } catch (thrown) {
    return fail(locale, "no-sandbox", notRun(String(thrown)), named);
  }
  parts.onRun(named.command);
  let found: ForeignChanges | undefined;
  let end: CommandEnd;
  try {
    const { environment } = parts;
    end = await runCommand(command, {
      folder: place,
      environment,
      signal,
      timeLimit,
      keeps,
      sandbox: sandbox && { ...sandbox, args: [...sandbox.args, "--chdir", place] },
    });
  } finally {
    found = await findChanges();
    parts.onChanges(found);
    const edits: LineEdit[] = [];
    for (const change of found.changes) use.onChange?.({ change, edits });
  }
  return { ...describeEnd(end, timeLimit, parts, locale), ...named, ...describeChanges(found) };
}

function describeEnd(
  end: CommandEnd,
  timeLimit: number,
  { texts, hidden }: CommandParts,
  locale: ToolUse["locale"],
): ToolOutcome {
  const error = printEnd(end, timeLimit, texts);
  if (end.kind === "not-started")
    return fail(locale, hidden ? "no-sandbox" : "not-started", notRun(error));
  const { output } = end;
  if (end.kind === "timeout") return { success: false, code: "timeout", error, output };
  const exit_code = end.code;
  return exit_code === 0
    ? { success: true, exit_code, output }
    : { success: false, error, exit_code, output };
}

function describeChanges({ files, beyond, isCut }: ForeignChanges): Record<string, unknown> {
  const cut = (paths: readonly string[]): readonly string[] => [
    ...paths.slice(0, maxPaths),
    ...(paths.length > maxPaths ? [`… ${paths.length - maxPaths}`] : []),
  ];
  return {
    ...(files.length === 0 ? {} : { changed_files: cut(files) }),
    ...(beyond.length === 0 ? {} : { not_undoable: cut(beyond) }),
    ...(isCut ? { not_all_files_were_compared: true } : {}),
  };
}

function notRun(reason: string): { en: string; zh: string } {
  return { en: `Nothing was run: ${reason}`, zh: `未运行：${reason}` };
}

const unreadable = {
  en: `command must be a program and its arguments, without NUL and of at most ${maxCommand} characters. Nothing was run.`,
  zh: `command 应为程序及其参数，不含 NUL，总计不超过 ${maxCommand} 个字符。未运行任何程序。`,
};

const programs = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"];
/** Where programs keep files and sockets of all users. */
const shared = ["/tmp", "/var/tmp", "/run", "/var/run", "/home", "/root", "/mnt", "/media"];
/** No network, no rights, and an end with the process that starts it. */
const closed = (
  "--unshare-all --unshare-pid --die-with-parent --new-session --cap-drop ALL --ro-bind / / --dev /dev --proc /proc " +
  "--ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger"
).split(" ");
const maxInside = 500;

interface SandboxParts {
  root: string;
  /** Folders and files that are hidden, such as the home of the person and our own state. */
  hidden: readonly string[];
  /** All that is in the root; folders end with "/". */
  paths: readonly string[];
  /** Those of them that hold the data of git: it runs what it finds there. */
  gitFolders: readonly string[];
}

/**
 * What runs a command with no network, no rights, a /tmp of its own and nothing of the person's home in sight. In the
 * workspace, files that may hold secrets are empty, and what an agent never writes cannot be written.
 *
 * @throws Error where there is no `bwrap`
 */
function createSandbox({ root, hidden, paths, gitFolders }: SandboxParts): Sandbox {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw new Error("bwrap is not installed.");
  const kept = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink();
  const hide = [...new Set([...shared, ...hidden])]
    .filter((path) => path !== root && kept(path) && !isLink(path))
    .toSorted(comparePaths)
    .flatMap((path) =>
      lstatSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path],
    );
  return {
    program,
    args: [
      closed,
      hide,
      ["--bind", root, root],
      guardInside(root, paths, new Set(gitFolders)),
    ].flat(),
  };
}

function guardInside(root: string, paths: readonly string[], gitFolders: ReadonlySet<string>) {
  const guarded: string[] = [];
  const args: string[] = [];
  for (const path of paths.toSorted(comparePaths)) {
    const place = join(root, path);
    const isFolder = path.endsWith("/");
    const name = isFolder ? path.slice(0, -1) : path;
    if (guarded.some((folder) => isUnder(folder, place))) continue;
    const isSecret = isSecretPath(name, isFolder);
    if (!isSecret && !isProtected(name) && !gitFolders.has(path)) continue;
    const stats = lstatSync(place, { throwIfNoEntry: false });
    // Where a link leads is guarded by its own name, or is outside.
    if (stats === undefined || stats.isSymbolicLink() || guarded.length === maxInside) continue;
    guarded.push(place);
    if (!isSecret) args.push("--ro-bind", place, place);
    else if (isFolder) args.push("--tmpfs", place);
    else args.push("--ro-bind", "/dev/null", place);
  }
  return args;
}

import { execFile } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";
import { promisify } from "node:util";
import { readdir } from "node:fs/promises";
import { isSecretPath } from "../../../workspace/paths/guarded-names.ts";

const execute = promisify(execFile);

type ListOption = "-z" | "--cached" | "--others" | "--exclude-standard";

/** What git may be asked: facts that it reads from its files. All else would run programs that a folder names. */
export type GitQuestion =
  | readonly ["rev-parse", "--is-inside-work-tree"]
  | readonly ["rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"]
  | readonly ["symbolic-ref", "--short", "--quiet", "HEAD"]
  | readonly ["config", "--get" | "--get-all" | "--get-regexp", string]
  | readonly ["ls-files", ...ListOption[]];

/** Whatever the folder's settings say. */
const settings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "safe.bareRepository=explicit",
  "protocol.allow=never",
].flatMap((setting) => ["-c", setting]);
/** In milliseconds, and in bytes. */
const [maxTime, maxOutput] = [20_000, 64 * 1024 * 1024];

/**
 * What git answers, without the last line end; undefined when it fails or there is no git. Nothing else starts git:
 * the folder may be hostile, and so nothing of its settings is run, and nothing of the caller's own git counts.
 */
export async function runGit(
  directory: string,
  ...question: GitQuestion
): Promise<string | undefined> {
  const args = ["--no-pager", "--no-optional-locks", ...settings, ...question];
  try {
    const { stdout } = await execute("git", args, {
      cwd: directory,
      env: createGitEnvironment(process.env),
      timeout: maxTime,
      killSignal: "SIGKILL",
      maxBuffer: maxOutput,
      windowsHide: true,
    });
    return stdout.replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}

/** Without what tells git where its repository is or what to run, and without programs of the folder itself. */
function createGitEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(?:GIT_|SSH_|PAGER$|LESS|EDITOR$|VISUAL$|PATH$)/i.test(name),
  );
  const path = (environment["PATH"] ?? "").split(delimiter).filter(isAbsolute).join(delimiter);
  // An object that is missing is not fetched: that would run what the folder names as its remote.
  const ours = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_TERMINAL_PROMPT: "0" };
  return { ...Object.fromEntries(kept), PATH: path, ...ours };
}

/** Files and folders of a project that are looked at. */
const maxFiles = 5_000;
const maxFolders = 500;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", "dist", "target", "vendor"]);

/** The files of a project, from its root and with slashes, hidden ones left out: those that git would keep, else all. */
export async function listProjectFiles(root: string): Promise<string[]> {
  const listed = await runGit(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  const files = listed === undefined ? await walk(root) : listed.split("\0");
  return files.filter((path) => path !== "" && !isHidden(path)).slice(0, maxFiles);
}

/** Whether a path below the root has a name with a dot in front, or is that of a key or the like. */
export function isHidden(path: string, isFolder = false): boolean {
  const names = path.split(/[\\/]/).filter((name) => name !== "");
  return names.some((name) => name.startsWith(".")) || isSecretPath(names.join("/"), isFolder);
}

async function walk(root: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [""];
  for (let entered = 0; entered < maxFolders && files.length < maxFiles; entered += 1) {
    const folder = folders.shift();
    if (folder === undefined) break;
    const entries = await readdir(`${root}/${folder}`, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !isHidden(path, true) && !skippedFolders.has(entry.name))
        folders.push(`${path}/`);
    }
  }
  return files;
}

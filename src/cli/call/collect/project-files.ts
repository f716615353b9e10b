import { readdirSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { delimiter, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readWhole } from "../../../workspace/directory/open-file.node.ts";
import { isUnder } from "../../../workspace/directory/resolve-path.node.ts";
import { isSecretPath } from "../../../workspace/paths/guarded-names.ts";
import { decodeFile } from "../../read/read-text-file.ts";
import type { ProjectRules } from "../../../turn/context/context.ts";
import { findWorkTree } from "../../../workspace/directory/folder-rules.node.ts";
import type { PackageFiles } from "../../../turn/context/variables.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

type InsideProblem = "missing" | "outside" | "too-large" | "no-file" | "no-text";

export type InsideFile =
  | {
      ok: true;
      /** Absolute, without links. */
      path: string;
      content: string;
      /** Its own name, or that of a folder on its way, says that there may be secrets. */
      isSecret: boolean;
    }
  | { ok: false; problem: InsideProblem };

/**
 * Reads a text file that must be inside of a folder, even after all links are followed.
 *
 * @param path absolute, or from the folder
 * @param maxSize in bytes
 */
export async function readFileInside(
  folder: string,
  path: string,
  maxSize: number,
): Promise<InsideFile> {
  let real: string;
  try {
    real = await realpath(resolve(folder, path));
  } catch {
    return refuse(isUnder(resolve(folder), resolve(folder, path)) ? "missing" : "outside");
  }
  const realFolder = await realpath(folder);
  if (!isUnder(realFolder, real)) return refuse("outside");
  const read = await readWhole({ path, real });
  if (!read.ok) return refuse("no-file");
  const { bytes } = read.value ?? {};
  if (bytes === undefined || bytes.length > maxSize) return refuse("too-large");
  const content = decodeFile(bytes);
  if (content === undefined) return refuse("no-text");
  return { ok: true, path: real, content, isSecret: isSecretPath(toSlashes(realFolder, real)) };
}

/** A path below a folder, from it and with slashes. */
export function toSlashes(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}

function refuse(problem: InsideProblem): InsideFile {
  return { ok: false, problem };
}

/** Files with rules for agents; the first that is there counts. */
export const ruleFiles = ["AGENTS.md", "CLAUDE.md", ".cursorrules"];
/** In bytes. */
const maxRules = 32 * 1024;

export interface FoundRules {
  name: string;
  /** Undefined: they cannot be sent. */
  rules: ProjectRules | undefined;
  /** Why not. */
  problem?: Exclude<InsideProblem, "missing"> | "secret";
}

/** The project's rules for agents at the root of the repository; undefined where there are none. */
export async function readRules(directory: string): Promise<FoundRules | undefined> {
  const root = await findWorkTree(directory);
  if (root === undefined) return undefined;
  for (const name of ruleFiles) {
    const found = await readFileInside(root, name, maxRules);
    // A hostile repository may have a link in its place.
    if (found.ok && found.isSecret) return { name, rules: undefined, problem: "secret" };
    if (found.ok) return { name, rules: { filePath: name, content: found.content } };
    if (found.problem !== "missing") return { name, rules: undefined, problem: found.problem };
  }
  return undefined;
}

export const manifests = [
  "package.json",
  "go.mod",
  "Cargo.toml",
  "pyproject.toml",
  "requirements.txt",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "Gemfile",
  "composer.json",
];
/** Manifests that are sent. */
const maxFiles = 3;
/** A manifest that is longer says little of the project and much of its generator; in bytes. */
const maxFile = 64 * 1024;

/** The package manifests of the working directory, then those of the repository's root; at most three. */
export async function readPackageFiles(directory: string): Promise<PackageFiles> {
  const root = await findWorkTree(directory);
  const paths = [directory, ...(root === undefined ? [] : [root])].flatMap(listManifests);
  const found = new Map<string, string>();
  for (const path of paths) {
    if (found.size === maxFiles) break;
    // What cannot be read, or is a link to elsewhere, is left out: the person did not ask for it.
    const read = await readFileInside(root ?? directory, path, maxFile);
    if (read.ok && !read.isSecret) found.set(toSlashes(directory, path), read.content);
  }
  return [...found].map(([filepath, content]) => ({ filepath, content }));
}

function listManifests(folder: string): string[] {
  const names = readdirSync(folder);
  const projects = names.filter((name) => name.endsWith(".csproj")).sort();
  return [...manifests.filter((name) => names.includes(name)), ...projects].map((name) =>
    join(folder, name),
  );
}

const execute = promisify(execFile);

type ListOption = "-z" | "--cached" | "--others" | "--exclude-standard";

/** What git may be asked: facts that it reads from its files. All else would run programs that a folder names. */
type GitQuestion =
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
const maxListed = 5_000;
const maxFolders = 500;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", "dist", "target", "vendor"]);

/** The files of a project, from its root and with slashes, hidden ones left out: those that git would keep, else all. */
export async function listProjectFiles(root: string): Promise<string[]> {
  const listed = await runGit(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  const files = listed === undefined ? await walk(root) : listed.split("\0");
  return files.filter((path) => path !== "" && !isHidden(path)).slice(0, maxListed);
}

/** Whether a path below the root has a name with a dot in front, or is that of a key or the like. */
export function isHidden(path: string, isFolder = false): boolean {
  const names = path.split(/[\\/]/).filter((name) => name !== "");
  return names.some((name) => name.startsWith(".")) || isSecretPath(names.join("/"), isFolder);
}

async function walk(root: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [""];
  for (let entered = 0; entered < maxFolders && files.length < maxListed; entered += 1) {
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

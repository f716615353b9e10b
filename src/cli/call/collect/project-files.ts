import { ownGitPlaces } from "../../read/read-settings-file.ts";
import { readdirSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import type { PackageFiles } from "../../../turn/context/variables.ts";
import {
  findDataFolders,
  findWorkTree,
  readGitSettings,
  readOuterRules,
  readText,
} from "../../../workspace/directory/folder-rules.node.ts";
import type { EditorFiles } from "../../../workspace/directory/editor-files.node.ts";
import { readFileAt } from "../../../workspace/directory/read-file.node.ts";
import { createPathResolver } from "../../../workspace/directory/resolve-path.node.ts";
import { walkFiles } from "../../../workspace/directory/search/search-folder.node.ts";
import { isInstalledFolder, isSecretPath } from "../../../workspace/paths/guarded-names.ts";
import { refuse, succeed } from "../../../workspace/problems.ts";

/**
 * Reads a text file that must be inside of a folder, even after all links are followed.
 *
 * @param path absolute, or from the folder
 * @param maxSize in bytes
 * @returns its path is absolute and without links; `isSecret`: its own name, or that of a folder on its way, says that
 * there may be secrets
 */
export async function readFileInside(
  folder: string,
  path: string,
  maxSize: number,
  editor?: EditorFiles,
) {
  const place = await createPathResolver(resolve(folder), await realpath(folder))(path);
  if (!place.ok) return place;
  const { signal } = new AbortController();
  const read = await readFileAt(place.value, { signal }, editor);
  if (!read.ok) return read;
  const { size, text: content } = read.value;
  if (size > maxSize)
    return refuse("too-large", {
      en: `The file is larger than ${maxSize / 1024} KiB.`,
      zh: `文件超过 ${maxSize / 1024} KiB。`,
    });
  return succeed({ path: place.value.real, content, isSecret: isSecretPath(place.value.path) });
}

export function toSlashes(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}

/** Files with rules for agents; the first that is there counts. */
export const ruleFiles = ["AGENTS.md", "CLAUDE.md", ".cursorrules"];
/** In bytes. */
const maxRules = 32 * 1024;

/** The project's rules for agents at the root of the repository, if there are any; without `rules` they cannot be sent. */
export async function readRules(directory: string) {
  const root = await findWorkTree(directory);
  if (root === undefined) return undefined;
  for (const name of ruleFiles) {
    const found = await readFileInside(root, name, maxRules);
    if (!found.ok && found.problem.code === "not-found") continue;
    // A hostile repository may have a link in its place.
    const isSent = found.ok && !found.value.isSecret;
    const rules = isSent ? { filePath: name, content: found.value.content } : undefined;
    return { name, rules };
  }
  return undefined;
}

const manifests = [
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
const maxFiles = 3;
/** A manifest that is longer says little of the project and much of its generator; in bytes. */
const maxFile = 64 * 1024;

/** The package manifests of the working directory, then those of the repository's root; at most three. */
export async function readPackageFiles(directory: string): Promise<PackageFiles> {
  const root = await findWorkTree(directory);
  const paths = [directory, ...(root === undefined ? [] : [root])].flatMap((folder) =>
    manifestsAmong(readdirSync(folder)).map((name) => join(folder, name)),
  );
  const found = new Map<string, string>();
  for (const path of paths) {
    if (found.size === maxFiles) break;
    // What cannot be read, or is a link to elsewhere, is left out: the person did not ask for it.
    const read = await readFileInside(root ?? directory, path, maxFile);
    if (read.ok && !read.value.isSecret) found.set(toSlashes(directory, path), read.value.content);
  }
  return [...found].map(([filepath, content]) => ({ filepath, content }));
}

/** The manifests among the names of a folder's files, the most telling first. */
export function manifestsAmong(names: readonly string[]): string[] {
  const projects = names.filter((name) => name.endsWith(".csproj")).sort();
  return [...manifests.filter((name) => names.includes(name)), ...projects];
}

/** What the files of git say of a folder. */
export async function readGit(directory: string) {
  const top = await findWorkTree(await realpath(directory));
  const [own, common] = top === undefined ? [] : await findDataFolders(top);
  const settings = await readGitSettings(ownGitPlaces(), common);
  const head = own === undefined ? undefined : await readText(join(own, "HEAD"));
  // In its new format the branch is not told there, but a name that no branch can have.
  const branch = /^ref: refs\/heads\/([^.\s].*)/.exec(head ?? "")?.[1]?.trim();
  const last = (name: string): string | undefined =>
    settings.findLast(([other]) => other === name)?.[1];
  return { isRepository: head !== undefined, branch, settings, last };
}

/** Files of a project that are looked at, and how long they are looked for, in milliseconds. */
const [maxListed, maxTime] = [5_000, 10_000];

/** The files of a project, from its root and with slashes, without hidden and ignored ones. */
export async function listProjectFiles(root: string): Promise<string[]> {
  const realRoot = await realpath(root);
  const outer = await readOuterRules(realRoot, ownGitPlaces());
  const { signal } = new AbortController();
  const end = performance.now() + maxTime;
  const isClosed = (real: string): boolean =>
    /(?:^|\/)\./.test(toSlashes(realRoot, real)) || isInstalledFolder(basename(real));
  const isOver = (): boolean => performance.now() > end;
  const files: string[] = [];
  for await (const path of walkFiles({ realRoot, outer, isClosed, signal, isOver })) {
    files.push(path);
    if (files.length === maxListed) break;
  }
  return files;
}

/** Whether a path below the root has a name with a dot in front, or is that of a key or the like. */
export function isPrivatePath(path: string): boolean {
  const names = path.split(/[\\/]/).filter((name) => name !== "");
  return names.some((name) => name.startsWith(".")) || isSecretPath(names.join("/"));
}

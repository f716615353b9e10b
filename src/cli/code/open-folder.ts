import { type CliTexts } from "../texts.ts";
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, join, parse, sep } from "node:path";
import {
  type DirectoryWorkspace,
  type DirectoryWorkspaceParts,
  createDirectoryWorkspace,
} from "../../workspace/directory/directory-workspace.node.ts";
import type { EditorFiles } from "../../workspace/directory/editor-files.node.ts";
import { ownGitPlaces, ownStateFolder } from "../read/read-settings-file.ts";
import { isUnder } from "../../workspace/directory/resolve-path.node.ts";
import { foldFileName } from "../../workspace/paths/guarded-names.ts";
import { createApprovals } from "../../workspace/approvals.ts";
import { CliError } from "../cli-error.ts";
import { isSystemError } from "../fail-with.ts";
import { findRipgrep } from "../../workspace/directory/search/ripgrep.node.ts";
import { createFolderSearch } from "../../workspace/directory/search/search-folder.node.ts";
import { compilePattern } from "../../workspace/search/compile-pattern.node.ts";

/** Of the system; its files hold secrets of all programs, or are none. */
const systemFolders = ["/proc", "/sys", "/dev"];

/** The real path of the folder that the agent works on. @throws CliError if it cannot be listed, or is the whole disk */
export function findFolder(directory: string, texts: CliTexts): string {
  let root: string;
  try {
    const stats = statSync(directory, { throwIfNoEntry: false });
    if (stats === undefined) throw new CliError(texts.missingFolder(directory));
    if (!stats.isDirectory()) throw new CliError(texts.noFolder(directory));
    accessSync(directory, constants.R_OK | constants.X_OK);
    root = realpathSync(directory);
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
    throw new CliError(texts.unusableFolder(directory, String(Reflect.get(thrown, "code"))));
  }
  const isSystem = systemFolders.some((one) => `${root}/`.startsWith(`${one}/`));
  // Some keep temporary files in memory.
  const isMemory = root.startsWith("/dev/shm/");
  if (parse(root).root === root || (isSystem && !isMemory))
    throw new CliError(texts.wholeDisk(directory));
  return root;
}

/**
 * Refuses folders that are no project of somebody: the data of a repository, which tools run, and the person's whole
 * home, or one around it, which holds far more than a project.
 *
 * @param root a real path
 */
export function checkProject(
  root: string,
  isForced: boolean,
  texts: CliTexts,
  homes: readonly string[] = [homedir(), ...listAccountHomes()],
): void {
  if (isInRepositoryData(root)) throw new CliError(texts.repositoryData(root));
  if (!isForced && holdsHome(root, homes)) throw new CliError(texts.wholeHome(root));
}

export function holdsHome(root: string, homes: readonly string[]): boolean {
  return homes.some((home) => isUnder(root, realPathOf(home)));
}

/** The home of the account, whatever HOME says: in containers it may be the project. */
export function listAccountHomes(): string[] {
  try {
    return [userInfo().homedir];
  } catch {
    // The user id has no account.
    return [];
  }
}

/** By its name, or as what has no work tree around itself. */
function isInRepositoryData(root: string): boolean {
  if (root.split(sep).some((name) => foldFileName(name) === ".git")) return true;
  for (let folder = root; ; folder = dirname(folder)) {
    const has = (name: string): boolean => existsSync(join(folder, name));
    if (has(".git") || dirname(folder) === folder) return false;
    if (has("HEAD") && has("objects") && has("refs")) return true;
  }
}

/** @returns the path itself if nothing is there */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Opens the folder, by its real path, with its journal, and makes what its writes are approved by.
 *
 * @throws CliError where another process works in it
 */
export async function openFolder(
  root: string,
  request: string,
  texts: CliTexts,
  editor?: EditorFiles,
) {
  const approvals = createApprovals({ now: Date.now });
  const [stateFolder, gitPlaces] = [ownStateFolder(), ownGitPlaces()];
  const parts = { root, stateFolder, request, approvals, gitPlaces, editor };
  const folder = await withState(createSearchedWorkspace(parts), stateFolder, texts);
  const { lockedBy } = folder;
  if (lockedBy === undefined) return { folder, approvals, close: () => folder.close() };
  // A person who learns it at the first write has waited for nothing.
  await folder.close();
  throw new CliError(texts.locked(lockedBy));
}

/** @throws CliError where the system does not let us use the folder of the journal; what is thrown otherwise */
export async function withState<Value>(work: Promise<Value>, stateFolder: string, texts: CliTexts) {
  try {
    return await work;
  } catch (thrown) {
    const path: unknown = isSystemError(thrown) ? Reflect.get(thrown, "path") : undefined;
    // A folder above may be what cannot be made.
    const isOurs =
      typeof path === "string" && (path.startsWith(stateFolder) || stateFolder.startsWith(path));
    if (!isOurs) throw thrown;
    throw new CliError(texts.noState(stateFolder, String(Reflect.get(Object(thrown), "code"))));
  }
}

/** A workspace whose searches use ripgrep where it is installed, by the clock of this process. */
export async function createSearchedWorkspace({
  stateFolder = ownStateFolder(),
  ...options
}: Omit<DirectoryWorkspaceParts, "now" | "search" | "stateFolder"> & {
  stateFolder?: string | undefined;
}): Promise<DirectoryWorkspace> {
  return createDirectoryWorkspace({
    ...options,
    stateFolder,
    now: Date.now,
    search: createFolderSearch({
      compile: compilePattern,
      ripgrep: await findRipgrep(),
      now: () => performance.now(),
    }),
  });
}

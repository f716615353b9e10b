import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import type { DirectoryWorkspace } from "../../workspace/directory/directory-workspace.node.ts";
import { findGitPlaces } from "../../workspace/directory/git-ignores.node.ts";
import { createRootLock } from "../../workspace/journal/root-lock.node.ts";
import { createRootFolder, findStateFolder } from "../../workspace/journal/state-folder.node.ts";
import type { Approvals } from "../../workspace/approvals.ts";
import { CliError } from "../cli-error.ts";
import type { CodeTexts } from "./code-texts.ts";
import { createSearchedWorkspace } from "./create-searched-workspace.ts";
import { withState } from "./with-state.ts";

/**
 * The real path of the folder that the agent works on.
 *
 * @throws CliError if it does not exist
 */
export function findFolder(directory: string, texts: CodeTexts): string {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) throw new CliError(texts.missingFolder(directory));
  if (!stats.isDirectory()) throw new CliError(texts.noFolder(directory));
  return realpathSync(directory);
}

/**
 * Opens the folder with its journal.
 *
 * @param root a real path
 * @throws CliError where another process works in it
 */
export async function openFolder(
  root: string,
  request: string,
  approvals: Approvals,
  texts: CodeTexts,
): Promise<DirectoryWorkspace> {
  const stateFolder = findStateFolder(process.env, homedir(), process.platform);
  await withState(refuseLocked(stateFolder, root, texts), stateFolder, texts);
  const gitPlaces = findGitPlaces(process.env, homedir());
  const opening = createSearchedWorkspace({ root, stateFolder, request, approvals, gitPlaces });
  return withState(opening, stateFolder, texts);
}

/** At the start: a person who learns it at the first write has waited for nothing. */
async function refuseLocked(stateFolder: string, root: string, texts: CodeTexts): Promise<void> {
  const lock = createRootLock(`${await createRootFolder(stateFolder, root)}/locks`);
  // The workspace clears away what the last holder has left.
  if (await lock.isLeft()) return;
  const taken = await lock.take();
  await lock.release();
  if (!taken.ok) throw new CliError(texts.locked(taken.pid));
}

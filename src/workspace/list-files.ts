import { comparePaths } from "../code/file-map.ts";
import type { Workspace, WorkspaceEntry } from "./workspace.ts";

export interface ListedFile {
  path: string;
  /** In bytes; undefined where the workspace does not say. */
  size: number | undefined;
}

/** Of a larger repository the files that are nearest to its root. */
export const maxFiles = 10_000;
const maxFolders = 3_000;
/** What others have written, and what programs write. */
const foreign: ReadonlySet<string> = new Set([".git", "node_modules", "__pycache__", ".venv"]);

/** The files below a folder, folder by folder from its top. What cannot be listed is left out. */
export async function listFiles(
  workspace: Workspace,
  signal: AbortSignal,
  top = "",
): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  const folders = [top];
  const take = (folder: string, entries: readonly WorkspaceEntry[]): void => {
    const sorted = entries.toSorted((one, other) => comparePaths(one.name, other.name));
    for (const { name, kind, size, inside } of sorted) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "file" && files.length < maxFiles) files.push({ path, size });
      if (kind !== "folder" || foreign.has(name)) continue;
      // What was cut there is listed on its own.
      if (inside?.more === 0) take(path, inside.entries);
      else folders.push(path);
    }
  };
  for (let at = 0; at < folders.length && at < maxFolders; at += 1) {
    if (files.length >= maxFiles) break;
    signal.throwIfAborted();
    const folder = folders[at] ?? "";
    const options = { maxEntries: maxFiles, depth: 1, signal };
    const listed = await workspace.list(folder === "" ? "." : folder, options);
    if (listed.ok) take(folder, listed.value.entries);
  }
  return files;
}

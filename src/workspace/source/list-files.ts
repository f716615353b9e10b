import { isPause, type Steps } from "../../edit/steps.ts";
import type { ListOptions, WorkspaceEntry, WorkspaceListing } from "../workspace.ts";
import type { ListedFile } from "./file-source.ts";

/**
 * What a folder has in it; folders are where files are.
 *
 * @param files all below the folder
 */
export function* listFiles(
  path: string,
  files: readonly ListedFile[],
  { maxEntries, depth }: Pick<ListOptions, "maxEntries" | "depth">,
): Steps<WorkspaceListing> {
  const prefix = path === "" ? "" : `${path}/`;
  return { path, ...(yield* listFolder(prefix, files, maxEntries, depth)) };
}

function* listFolder(
  prefix: string,
  files: readonly ListedFile[],
  maxEntries: number,
  depth: number,
): Steps<Pick<WorkspaceListing, "entries" | "more">> {
  const byName = new Map<string, ListedFile[]>();
  for (const [nth, file] of files.entries()) {
    const name = file.path.slice(prefix.length).split("/", 1)[0] ?? "";
    const below = byName.get(name);
    if (below === undefined) byName.set(name, [file]);
    else below.push(file);
    if (isPause(nth)) yield;
  }
  const names = [...byName.keys()].sort();
  const entries: WorkspaceEntry[] = [];
  for (const name of names.slice(0, maxEntries)) {
    const below = byName.get(name) ?? [];
    const file = below.find(({ path }) => path === `${prefix}${name}`);
    if (file !== undefined)
      entries.push({
        name,
        kind: "file",
        ...(file.size === undefined ? {} : { size: file.size() }),
      });
    else if (depth <= 0) entries.push({ name, kind: "folder" });
    else {
      const inside = yield* listFolder(`${prefix}${name}/`, below, maxEntries, depth - 1);
      entries.push({ name, kind: "folder", inside });
    }
  }
  return { entries, more: Math.max(0, names.length - maxEntries) };
}

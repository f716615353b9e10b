import { refusePath, succeed } from "../problems.ts";
import type {
  ListOptions,
  WorkspaceEntry,
  WorkspaceListing,
  WorkspaceResult,
} from "../workspace.ts";
import type { HeldFile } from "./memory-files.ts";

/** What a folder of held files has in it; folders are where files are. */
export function listHeld(
  path: string,
  files: readonly HeldFile[],
  { maxEntries, depth }: Pick<ListOptions, "maxEntries" | "depth">,
): WorkspaceResult<WorkspaceListing> {
  const prefix = path === "" ? "" : `${path}/`;
  const inside = files.filter((file) => file.path.startsWith(prefix));
  if (inside.length === 0 && path !== "") {
    const isFile = files.some((file) => file.path === path);
    return refusePath(isFile ? "wrong-kind" : "not-found", path);
  }
  return succeed({ path, ...listFolder(prefix, inside, maxEntries, depth) });
}

function listFolder(
  prefix: string,
  files: readonly HeldFile[],
  maxEntries: number,
  depth: number,
): Pick<WorkspaceListing, "entries" | "more"> {
  const byName = Map.groupBy(
    files,
    (file) => file.path.slice(prefix.length).split("/", 1)[0] ?? "",
  );
  const names = [...byName.keys()].sort();
  const entries = names.slice(0, maxEntries).map((name): WorkspaceEntry => {
    const below = byName.get(name) ?? [];
    const file = below.find((held) => held.path === `${prefix}${name}`);
    if (file !== undefined)
      return { name, kind: "file", size: new TextEncoder().encode(file.text).length };
    if (depth <= 0) return { name, kind: "folder" };
    return {
      name,
      kind: "folder",
      inside: listFolder(`${prefix}${name}/`, below, maxEntries, depth - 1),
    };
  });
  return { entries, more: Math.max(0, names.length - maxEntries) };
}

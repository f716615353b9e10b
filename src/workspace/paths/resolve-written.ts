// Paths as models write them: with the root's own name, the prefixes of a diff, a line number, in quotes.
import type { WorkspaceResult } from "../workspace.ts";

/** Where one reading of a path leads. */
export interface Looked<Value> {
  located: WorkspaceResult<Value>;
  /** As the workspace names it. */
  path: string;
  isThere: boolean;
}

/** A line, or lines, behind a path. */
const place = /(?::L?\d{1,9}(?:[-:,]L?\d{1,9}){0,2}|#L?\d{1,9}(?:[-:,]L?\d{1,9})?)$/;
const quoted = /^(?:`([^`]+)`|"([^"]+)"|'([^']+)'|<([^<>]+)>)$/;

/**
 * The path itself if something is there, else the one of its readings that leads to something. What is not there is
 * placed by the same readings: the name of the root, or a prefix of a diff, becomes no new folder.
 *
 * @param rootNames last segments of the root's path
 * @param look resolves a path, with all rules for paths, and looks whether it leads to something
 */
export async function resolveWritten<Value>(
  written: string,
  rootNames: readonly string[],
  look: (path: string, isLocatedOnly?: boolean) => Promise<Looked<Value>>,
): Promise<WorkspaceResult<Value>> {
  const bare = unquote(written).replace(place, "");
  const relative = bare.replace(/^[\\/](?![\\/])/, "") || ".";
  const below = withoutFolder(relative, ["a", "b", ...rootNames]);
  const isPlain = relative === written && below === undefined;
  // What leads up is taken as it is written.
  const isOne = isPlain || written === "" || written.includes("..");
  const first = await look(written, isOne);
  if (isOne || first.isThere) return first.located;
  // A folder of that name is meant where there is one.
  const isPrefix = below !== undefined && !(await look(relative.slice(0, -below.length))).isThere;
  const deeper = isPrefix ? withoutFolder(below, rootNames) : undefined;
  const readings = [bare, relative, ...(isPrefix ? [below, deeper] : [])];
  const found = new Map<string, WorkspaceResult<Value>>();
  for (const reading of new Set(readings)) {
    if (reading === undefined) continue;
    const { path, located, isThere } = await look(reading || ".");
    if (isThere) found.set(path, located);
  }
  const [only] = found.values();
  if (found.size > 0) return found.size === 1 && only !== undefined ? only : first.located;
  return first.located.ok ? placeNew() : first.located;

  async function placeNew(): Promise<WorkspaceResult<Value>> {
    const isOfRoot = rootNames.some((name) => relative.startsWith(name));
    const [folder, ...rest] = (below ?? "").split(/[\\/]+/);
    const isPlaced =
      isPrefix && (isOfRoot || (rest.length > 0 && (await look(folder || ".")).isThere));
    return (await look(isPlaced ? (deeper ?? below) : bare)).located;
  }
}

function withoutFolder(path: string, names: readonly string[]): string | undefined {
  const start = /^(?:\.[\\/]+)+/.exec(path)?.[0].length ?? 0;
  const [folder = ""] = /^[^\\/]+/.exec(path.slice(start)) ?? [];
  if (!names.includes(folder)) return undefined;
  return path.slice(start + folder.length).replace(/^[\\/]+/, "") || undefined;
}

function unquote(path: string): string {
  const found = quoted.exec(path);
  return found?.slice(1).find((inner) => inner !== undefined) ?? path;
}

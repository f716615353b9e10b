import { distance } from "fastest-levenshtein";
import type { WorkspaceEntry } from "../../workspace/workspace.ts";
import type { ToolUse } from "../tool.ts";

/** Paths that are named. */
const maxNamed = 5;
/** Entries of one folder, and levels, that are looked at; and paths in all. */
const maxEntries = 60;
const depth = 4;
const maxPaths = 5_000;
/** In characters; longer names are not compared. */
const maxName = 64;

/** Files of the workspace whose names are like that of a file that is not there, the most alike first. */
export async function findSimilarPaths(path: string, use: ToolUse): Promise<string[]> {
  const { workspace, signal } = use;
  const listing = await workspace.list(".", { maxEntries, depth, signal });
  if (!listing.ok) return [];
  const paths: string[] = [];
  collect(listing.value.entries, "", paths);
  const wanted = nameOf(path);
  return paths
    .map((each) => ({ path: each, score: compare(wanted, nameOf(each)) }))
    .filter(({ score }) => score < Infinity)
    .sort((one, other) => one.score - other.score || one.path.length - other.path.length)
    .slice(0, maxNamed)
    .map((each) => each.path);
}

function collect(entries: readonly WorkspaceEntry[], folder: string, paths: string[]): void {
  for (const { name, kind, inside } of entries) {
    if (paths.length === maxPaths) return;
    if (kind === "file") paths.push(folder + name);
    if (inside !== undefined) collect(inside.entries, `${folder}${name}/`, paths);
  }
}

/** 0 for the same name; how many characters differ, where few do; Infinity for others. */
function compare(wanted: string, name: string): number {
  if (wanted === name) return 0;
  if (wanted.length > maxName || name.length > maxName) return Infinity;
  if (stemOf(wanted) === stemOf(name)) return 1;
  if (Math.abs(wanted.length - name.length) > 2) return Infinity;
  const edits = distance(wanted, name);
  return edits <= Math.min(2, Math.floor(wanted.length / 3)) ? edits + 1 : Infinity;
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

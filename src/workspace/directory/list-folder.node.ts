import type { Dirent } from "node:fs";
import { lstat, opendir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { refusePath, refuseSystem, succeed } from "../problems.ts";
import type { IgnoreRules } from "../search/ignore-rules.ts";
import type {
  ListOptions,
  WorkspaceEntry,
  WorkspaceListing,
  WorkspaceResult,
} from "../workspace.ts";
import { isHidden, type RuledRoot, rulesInside, rulesOfFolder } from "./folder-rules.node.ts";
import { withFolder } from "./open-file.node.ts";
import { isUnder, type Place } from "./resolve-path.node.ts";
import { countWhile } from "../../base/text/lines.ts";

/** Entries of one listing, over all its folders. */
const maxListed = 5_000;
/** Entries of one folder that are looked at; of a larger one the rest is counted as `more`, unseen. */
const maxLookedAt = 250_000;
/** Entries that are taken from the system at once. */
const namesAtOnce = 1_024;
/** Names that are looked at before others get their turn. */
const namesInOneGo = 64;

interface Listing {
  realRoot: string;
  maxEntries: number;
  signal: AbortSignal;
  /** Entries that may still be listed. */
  left: number;
}

/** Lists a folder, by name. Links are named for what they lead to, and not followed further. */
export async function listFolder(
  root: RuledRoot,
  { path, real, isThere }: Place,
  { maxEntries, depth, signal }: ListOptions,
): Promise<WorkspaceResult<WorkspaceListing>> {
  if (!isThere) return refusePath("not-found", path);
  try {
    if (!(await lstat(real)).isDirectory()) return refusePath("wrong-kind", path);
    const rules = await rulesInside(root, path);
    if (rules === undefined) return refusePath("secret", path);
    const { realRoot } = root;
    const listing: Listing = { realRoot, maxEntries, signal, left: maxListed };
    const inside = await listInside(listing, path, rules, depth);
    return succeed({ path, ...inside });
  } catch (thrown) {
    signal.throwIfAborted();
    return refuseSystem(thrown, path);
  }
}

type Inside = Pick<WorkspaceListing, "entries" | "more">;

async function listInside(
  listing: Listing,
  folder: string,
  rules: IgnoreRules,
  depth: number,
): Promise<Inside> {
  const { first, more } = await firstNames(listing, folder, rules);
  const entries: WorkspaceEntry[] = [];
  for (const entry of first) {
    listing.signal.throwIfAborted();
    listing.left -= 1;
    entries.push(await describeEntry(listing, folder, entry));
  }
  if (depth <= 0) return { entries, more };
  for (const [nth, entry] of entries.entries()) {
    const path = pathIn(folder, entry.name);
    if (entry.kind !== "folder" || first[nth]?.isDirectory() !== true || listing.left <= 0)
      continue;
    const inner = await rulesOfFolder(listing.realRoot, path, rules);
    try {
      entry.inside = await listInside(listing, path, inner, depth - 1);
    } catch (thrown) {
      // One folder that cannot be read does not spoil the rest.
      listing.signal.throwIfAborted();
      refuseSystem(thrown, path);
    }
  }
  return { entries, more };
}

function firstNames(
  listing: Listing,
  folder: string,
  rules: IgnoreRules,
): Promise<{ first: Dirent[]; more: number }> {
  return withFolder(join(listing.realRoot, folder), (held) =>
    firstNamesOf(held.at("."), listing, folder, rules),
  );
}

/** The first entries by name, kept while all are seen once: a folder may have hundreds of thousands. */
async function firstNamesOf(
  opened: string,
  { maxEntries, signal, left }: Listing,
  folder: string,
  rules: IgnoreRules,
): Promise<{ first: Dirent[]; more: number }> {
  const most = Math.max(0, Math.min(maxEntries, left));
  const first: Dirent[] = [];
  let [shown, seen] = [0, 0];
  for await (const entry of await opendir(opened, { bufferSize: namesAtOnce })) {
    seen += 1;
    if (seen % namesInOneGo === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
    if (seen > maxLookedAt) {
      shown += 1;
      continue;
    }
    if (isHidden(pathIn(folder, entry.name), entry.isDirectory(), rules)) continue;
    shown += 1;
    const last = first.at(-1);
    if (first.length === most && (last === undefined || entry.name >= last.name)) continue;
    first.splice(placeOf(entry.name, first), 0, entry);
    if (first.length > most) first.pop();
  }
  return { first, more: shown - first.length };
}

function placeOf(name: string, sorted: readonly Dirent[]): number {
  return countWhile(sorted.length, (at) => (sorted[at]?.name ?? "") < name);
}

async function describeEntry(
  { realRoot }: Listing,
  folder: string,
  entry: Dirent,
): Promise<WorkspaceEntry> {
  const { name } = entry;
  try {
    const here = join(realRoot, folder, name);
    const real = entry.isSymbolicLink() ? await realpath(here) : here;
    if (!isUnder(realRoot, real)) return { name, kind: "other" };
    const stats = await stat(real);
    if (stats.isDirectory()) return { name, kind: "folder" };
    return stats.isFile() ? { name, kind: "file", size: stats.size } : { name, kind: "other" };
  } catch {
    // It is gone since it was seen, or a link to nothing.
    return { name, kind: "other" };
  }
}

function pathIn(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

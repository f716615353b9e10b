import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { parsePath } from "../paths/resolve-written.ts";
import { refusePath, refuseSystem, succeed, systemCode } from "../problems.ts";
import type { WorkspaceResult } from "../workspace.ts";
import type { BigIntStats } from "node:fs";
import { isGitData, isInstalledFolder } from "../paths/guarded-names.ts";

/** Where a path leads. */
export interface Place {
  /** Relative to the real root, with "/", all links resolved; "" is the root. */
  path: string;
  /** The same as the system spells it: absolute, all links resolved. */
  real: string;
  /** As it was written, without "." and "..". */
  written: string;
  isThere: boolean;
}

export type ResolvePath = (written: string) => Promise<WorkspaceResult<Place>>;

/**
 * Resolves paths under one root: the real path of the deepest folder that exists, and the rest, which may not
 * exist yet. A link that leads out, or nowhere, is refused.
 *
 * @param root as the person named it
 * @param realRoot without links
 */
export function createPathResolver(root: string, realRoot: string): ResolvePath {
  const isWindows = sep === "\\";
  const roots = [...new Set([root, realRoot])].map((path) => toSlashes(path));
  return async (written) => {
    const parsed = parsePath(written, { roots, isWindows });
    if (!parsed.ok) return parsed;
    try {
      const found = await followPath(realRoot, parsed.value);
      if (found === undefined) return refusePath("outside", written);
      const path = toSlashes(relative(realRoot, found.real));
      return succeed({ ...found, path, written: parsed.value });
    } catch (thrown) {
      return refuseSystem(thrown, written);
    }
  };
}

/** Whether a real path lies under a real folder, or is it. */
export function isUnder(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** @returns undefined if the path leads out of the root, or a link on it leads nowhere */
async function followPath(
  realRoot: string,
  path: string,
): Promise<{ real: string; isThere: boolean } | undefined> {
  const whole = await realpath(join(realRoot, path)).catch(missing);
  if (whole !== undefined)
    return isUnder(realRoot, whole) ? { real: whole, isThere: true } : undefined;
  const segments = path.split("/");
  let here = realRoot;
  for (const [nth, segment] of segments.entries()) {
    const next = join(here, segment);
    // There may be a link that leads nowhere.
    if ((await lstat(next).catch(missing)) === undefined)
      return { real: join(here, ...segments.slice(nth)), isThere: false };
    // Of a folder, too: where letter case does not count, it may be spelt in another one.
    const target = await realpath(next).catch(missing);
    if (target === undefined || !isUnder(realRoot, target)) return undefined;
    here = target;
  }
  // It came, or changed, while it was looked at.
  return undefined;
}

/** What an error says of something that is not there. */
function missing(thrown: unknown): undefined {
  const code = systemCode(thrown);
  if (code !== "ENOENT" && code !== "ENOTDIR") throw thrown;
}

function toSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** Folders that are looked into, those at the top first, and links that are followed. */
const [maxFolders, maxLinks] = [20_000, 20_000];
/** Folders that are looked at together. */
const atOnce = 32;
/** Names of one path: a link in a linked folder has several. */
const [maxNames, maxDepth] = [5_000, 3];
/** A folder that has changed so short ago may change again within one tick of its clock, in milliseconds. */
const freshness = 2_000;

/** All names of a path, its own first: those that links below the root give it, of the file or of a folder above. */
export type NamesOf = (path: string) => readonly string[];

interface SeenFolder {
  /** Undefined where it may change without a new one. */
  stamp: string | undefined;
  links: readonly string[];
  folders: readonly string[];
}

/**
 * Finds the links below a root. What is known of a folder counts until the folder changes, so that each look is as good
 * as the first. Installed code is left out: its links only say where packages are.
 */
export function createLinkNames(realRoot: string): () => Promise<NamesOf> {
  const known = new Map<string, SeenFolder>();
  return async () => {
    const links: string[] = [];
    const folders = [""];
    for (let done = 0; done < folders.length && done < maxFolders;) {
      const group = folders.slice(done, done + atOnce);
      done += group.length;
      for (const seen of await Promise.all(group.map((folder) => look(folder)))) {
        folders.push(...seen.folders);
        links.push(...seen.links);
      }
    }
    return createNames(await followLinks(realRoot, links.slice(0, maxLinks)));
  };

  async function look(folder: string): Promise<SeenFolder> {
    const real = join(realRoot, folder);
    try {
      const stamp = stampOf(await lstat(real, { bigint: true }));
      const before = known.get(folder);
      if (stamp !== undefined && before?.stamp === stamp) return before;
      const entries = await readdir(real, { withFileTypes: true });
      const pathOf = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
      const links = entries.filter((entry) => entry.isSymbolicLink());
      const inside = entries.filter(
        (entry) => entry.isDirectory() && !isGitData(entry.name) && !isInstalledFolder(entry.name),
      );
      const seen = {
        stamp,
        links: links.map(({ name }) => pathOf(name)),
        folders: inside.map(({ name }) => pathOf(name)),
      };
      known.set(folder, seen);
      return seen;
    } catch {
      // It is gone, or nobody may look into it: then no link in it leads anywhere.
      return { stamp: undefined, links: [], folders: [] };
    }
  }
}

function stampOf({ ino, mtimeNs, ctimeNs, ctimeMs }: BigIntStats): string | undefined {
  const age = Date.now() - Number(ctimeMs);
  return age < freshness ? undefined : `${ino} ${mtimeNs} ${ctimeNs}`;
}

/** The links by what they lead to, from the root. */
async function followLinks(
  realRoot: string,
  links: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const byTarget = new Map<string, string[]>();
  for (const link of links) {
    const target = await findEnd(join(realRoot, link), 0);
    if (target === undefined || !isUnder(realRoot, target)) continue;
    const path = relative(realRoot, target).replaceAll(sep, "/");
    byTarget.set(path, [...(byTarget.get(path) ?? []), link]);
  }
  return byTarget;
}

/** Where a path leads, also if nothing is there yet: who creates that file gives it the name of the link. */
async function findEnd(path: string, depth: number): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  if (depth > 40 || dirname(path) === path) return undefined;
  const folder = await findEnd(dirname(path), depth + 1);
  if (folder === undefined) return undefined;
  const here = join(folder, basename(path));
  const target = await readlink(here).catch(() => undefined);
  return target === undefined ? here : findEnd(resolve(folder, target), depth + 1);
}

function createNames(byTarget: ReadonlyMap<string, readonly string[]>): NamesOf {
  return (path) => {
    const names = new Set([path]);
    let last = [path];
    for (let depth = 0; depth < maxDepth && last.length > 0 && names.size < maxNames; depth += 1) {
      last = last
        .flatMap((name) => namesByLinks(name, byTarget))
        .filter((name) => !names.has(name));
      for (const name of last) names.add(name);
    }
    return [...names];
  };
}

/** The names that one link each gives a path. */
function namesByLinks(path: string, byTarget: ReadonlyMap<string, readonly string[]>): string[] {
  if (byTarget.size === 0) return [];
  const found: string[] = [];
  const segments = path === "" ? [] : path.split("/");
  for (let count = segments.length; count >= 0; count -= 1) {
    const links = byTarget.get(segments.slice(0, count).join("/")) ?? [];
    for (const link of links) found.push([link, ...segments.slice(count)].join("/"));
  }
  return found;
}

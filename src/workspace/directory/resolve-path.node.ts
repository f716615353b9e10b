import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { parsePath } from "../paths/resolve-written.ts";
import { refusePath, refuseSystem, succeed, systemCode } from "../problems.ts";
import type { WorkspaceResult } from "../workspace.ts";

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
  const whole = await realPathOf(join(realRoot, path));
  if (whole !== undefined)
    return isUnder(realRoot, whole) ? { real: whole, isThere: true } : undefined;
  const segments = path.split("/");
  let here = realRoot;
  for (const [nth, segment] of segments.entries()) {
    const next = join(here, segment);
    if (!(await hasEntry(next)))
      return { real: join(here, ...segments.slice(nth)), isThere: false };
    // Of a folder, too: where letter case does not count, it may be spelt in another one.
    const target = await realPathOf(next);
    if (target === undefined || !isUnder(realRoot, target)) return undefined;
    here = target;
  }
  // It came, or changed, while it was looked at.
  return undefined;
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw thrown;
  }
}

/** Whether there is something, be it a link that leads nowhere. */
async function hasEntry(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw thrown;
  }
}

function toSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

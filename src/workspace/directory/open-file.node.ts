import type { BigIntStats } from "node:fs";
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { refusePath, succeed } from "../problems.ts";
import type { WorkspaceResult } from "../workspace.ts";
import { isOpenAt } from "./held-folder.node.ts";
import { refuseSystem } from "./system-problem.node.ts";
import type { Place } from "./resolve-path.node.ts";

/** Files are read as a whole, and written, up to so many bytes. */
export const maxWholeFile = 2 * 1024 * 1024;
/** How often a file is read anew because it changed while it was read. */
const maxTries = 3;

/** A regular file, as it was when it was opened. */
export interface OpenedFile {
  handle: FileHandle;
  stats: BigIntStats;
}

export interface WholeFile {
  bytes: Uint8Array<ArrayBuffer>;
  stats: BigIntStats;
}

/**
 * Opens a regular file and hands it to `work`. Pipes, sockets and devices are refused unopened: to open one may
 * take forever. What was looked at is what was opened, also if somebody puts a link in its place meanwhile.
 */
export async function withFile<Value>(
  { path, real }: Pick<Place, "path" | "real">,
  work: (file: OpenedFile) => Promise<WorkspaceResult<Value>>,
): Promise<WorkspaceResult<Value>> {
  try {
    const seen = await lstat(real, { bigint: true });
    if (!seen.isFile()) return refusePath("wrong-kind", path);
    // The last two are not there on Windows, and then count as 0.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await handle.stat({ bigint: true });
      const isSame = stats.isFile() && stats.ino === seen.ino && stats.dev === seen.dev;
      if (!isSame || !(await isOpenAt(handle, real))) return refusePath("stale", path);
      return await work({ handle, stats });
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    return refuseSystem(thrown, path);
  }
}

/** Reads all bytes of a file of at most {@link maxWholeFile}; undefined if it is larger. */
export async function readWhole(
  place: Pick<Place, "path" | "real">,
): Promise<WorkspaceResult<WholeFile | undefined>> {
  for (let nth = 1; ; nth += 1) {
    const result = await withFile(place, readOnce);
    const isChanged = !result.ok && result.problem.code === "stale";
    if (!isChanged || nth === maxTries) return result;
  }

  async function readOnce({
    handle,
    stats,
  }: OpenedFile): Promise<WorkspaceResult<WholeFile | undefined>> {
    if (stats.size > maxWholeFile) return succeed(undefined);
    const size = Number(stats.size);
    // One byte more, to notice that it grew.
    const bytes = new Uint8Array(size + 1);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
      filled += bytesRead;
      if (bytesRead === 0 || filled === bytes.length) break;
    }
    if (filled !== size || !isSameState(stats, await handle.stat({ bigint: true })))
      return refusePath("stale", place.path);
    return succeed({ bytes: bytes.subarray(0, size), stats });
  }
}

/** Whether nobody has written to a file between two looks at it. */
export function isSameState(one: BigIntStats, other: BigIntStats): boolean {
  return one.size === other.size && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs;
}

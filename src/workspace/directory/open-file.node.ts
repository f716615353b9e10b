import { type BigIntStats, constants, readlinkSync } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { refusePath, refuseSystem, succeed, systemCode } from "../problems.ts";
import type { WorkspaceResult } from "../workspace.ts";
import type { Place } from "./resolve-path.node.ts";
import { join } from "node:path";

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

/** What owner, group and others may do with a file. */
export function modeOf({ stats }: Pick<WholeFile, "stats">): number {
  return Number(stats.mode & 0o777n);
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

/** Bytes that are read at once: to decode them takes less than a slice of the event loop. */
const pieceSize = 256 * 1024;

/** The bytes of a file, up to so many; each piece is there until the next one is asked for. */
export async function* readPieces(
  { handle }: OpenedFile,
  end: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const buffer = new Uint8Array(pieceSize);
  for (let offset = 0; offset < end;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(pieceSize, end - offset), offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Whether nobody has written to a file between two looks at it. */
export function isSameState(one: BigIntStats, other: BigIntStats): boolean {
  return one.size === other.size && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs;
}

// What is opened is what was meant, also if somebody puts a link in its place, or in that of a folder above, meanwhile.

/** What was to be changed is not there any more as it was; nothing was written. */
export class StaleFileError extends Error {
  override readonly name = "StaleFileError";
  readonly code = "ESTALE";
}

/** A folder that stays the same one while it is held. */
interface HeldFolder {
  /** A path that leads to an entry of this folder, whatever is in its place by now; "." is the folder. */
  at(name: string): string;
  /** @throws StaleFileError if it is no longer where it was */
  assertThere(): Promise<void>;
  /** Makes sure that its names outlast a crash. */
  sync(): Promise<void>;
}

/**
 * Holds a folder while something is done in it. Linux keeps it open; elsewhere it is looked at before and after.
 *
 * @param real absolute, without links
 * @throws StaleFileError if a link is on the way, and the errors of the file system
 */
export async function withFolder<Value>(
  real: string,
  work: (folder: HeldFolder) => Promise<Value>,
): Promise<Value> {
  const handle = await openFolder(real);
  const way = handle === undefined ? undefined : placeOf(handle);
  const folder: HeldFolder = {
    at: (name) =>
      way === undefined || handle === undefined
        ? join(real, name)
        : `/proc/self/fd/${handle.fd}/${name}`,
    async assertThere() {
      const isThere =
        handle === undefined ? (await realpath(real)) === real : await isOpenAt(handle, real);
      if (!isThere) throw new StaleFileError(real);
    },
    async sync() {
      // Not all systems let folders be opened, or synced; the file itself is.
      await handle?.sync().catch(() => undefined);
    },
  };
  try {
    await folder.assertThere();
    return await work(folder);
  } finally {
    await handle?.close();
  }
}

/** Whether what was opened is what a path without links leads to. */
async function isOpenAt(handle: FileHandle, real: string): Promise<boolean> {
  const place = placeOf(handle);
  return (place ?? (await realpath(real))) === real;
}

/** The path of what is open; undefined where the system does not tell. It waits for no disk. */
function placeOf({ fd }: FileHandle): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** @returns undefined where folders cannot be opened, or not this one, which may be written all the same */
async function openFolder(real: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    return await open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "ELOOP" || code === "ENOTDIR") throw new StaleFileError(real, { cause: thrown });
    if (code === "ENOENT" || code === "EMFILE" || code === "ENFILE") throw thrown;
    return undefined;
  }
}

/** SHA-256 of bytes, hexadecimal. */
export async function hashBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
}

// What is opened is what was meant, also if somebody puts a link in its place, or in that of a folder above, meanwhile.
import { constants, readlinkSync } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "./system-problem.node.ts";

/** What was to be changed is not there any more as it was; nothing was written. */
export class StaleFileError extends Error {
  override readonly name = "StaleFileError";
  readonly code = "ESTALE";
}

/** A folder that stays the same one while it is held. */
export interface HeldFolder {
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
export async function isOpenAt(handle: FileHandle, real: string): Promise<boolean> {
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

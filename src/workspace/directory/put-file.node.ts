import type { BigIntStats } from "node:fs";
import { type FileHandle, link, lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StaleFileError, isSameState, withFolder } from "./open-file.node.ts";
import { systemCode } from "../problems.ts";

/** The name of a draft of ours, which is gone when its file is written. */
export const draftName = /^\.rightseat-[0-9a-f-]{36}\.tmp$/;

export function createDraftName(): string {
  return `.rightseat-${crypto.randomUUID()}.tmp`;
}

interface PutOptions {
  /** The name of a draft in the folder of the file. */
  draft: string;
  /** The file that is replaced, as it was read; undefined: there must be none. */
  replaced: BigIntStats | undefined;
  /** By default that of the file that is replaced, or what the process gives to new files. */
  mode?: number | undefined;
}

/**
 * Puts a file in its place in one step, with the folders above it, or removes it: every reader sees the old bytes or
 * the new ones, also after a crash. Mode and, where allowed, owner of a file that is replaced stay. The draft is always
 * gone afterwards.
 *
 * @param real absolute, without links
 * @param bytes undefined: the file goes
 * @throws StaleFileError, and the errors of the file system; then the old file is whole
 */
export async function putFile(
  real: string,
  bytes: Uint8Array | undefined,
  { draft: name, replaced, mode }: PutOptions,
): Promise<void> {
  if (bytes === undefined && replaced === undefined) return;
  if (replaced === undefined) await createFolders(await findMissingFolders(real));
  await withFolder(dirname(real), async (folder) => {
    const [draft, place] = [folder.at(name), folder.at(basename(real))];
    try {
      if (bytes !== undefined) await writeDraft(draft, bytes, replaced, mode);
      await folder.assertThere();
      if (replaced !== undefined) await assertSame(place, replaced);
      if (bytes === undefined) await rm(place);
      else if (replaced === undefined) await placeNew(draft, place);
      else await rename(draft, place);
    } finally {
      await rm(draft, { force: true });
    }
    await folder.sync();
  });
}

/**
 * Creates the folders between an existing one and a path.
 *
 * @throws StaleFileError if somebody puts a link in the way meanwhile
 */
export async function createFolders(folders: readonly string[], mode = 0o777): Promise<void> {
  // Node's own way to create several never ends where a file system lets nobody create anything, such as /proc.
  for (const folder of folders) {
    await withFolder(dirname(folder), async (above) => {
      try {
        await mkdir(above.at(basename(folder)), { mode });
      } catch (thrown) {
        if (systemCode(thrown) !== "EEXIST") throw thrown;
      }
      await above.sync();
    });
    if ((await realpath(folder)) !== folder) throw new StaleFileError(folder);
  }
}

/** Where a path leads, or would lead: the links in what exists are followed. */
export async function realPlaceOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT" || dirname(path) === path) throw thrown;
    return join(await realPlaceOf(dirname(path)), basename(path));
  }
}

async function writeDraft(
  draft: string,
  bytes: Uint8Array,
  replaced: BigIntStats | undefined,
  mode: number | undefined,
): Promise<void> {
  const isPlain = replaced === undefined && mode === undefined;
  // Until it has the mode of the file that it replaces, nobody else may open it.
  const handle = await open(draft, "wx", isPlain ? 0o666 : 0o600);
  try {
    if (replaced !== undefined) await keepOwnerAndMode(handle, replaced);
    if (mode !== undefined) await handle.chmod(mode & 0o777);
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Only the superuser may give files away. Bits that lend out an owner's rights stay with the owner. */
async function keepOwnerAndMode(handle: FileHandle, like: BigIntStats): Promise<void> {
  const [uid, gid, mode] = [Number(like.uid), Number(like.gid), Number(like.mode)];
  const own = await handle.stat();
  let isOwned = own.uid === uid && own.gid === gid;
  if (!isOwned) {
    try {
      await handle.chown(uid, gid);
      isOwned = true;
    } catch {
      // The edit counts more than the owner.
    }
  }
  await handle.chmod(mode & (isOwned ? 0o7777 : 0o777));
}

/** A link to the draft fails where a file has come meanwhile; a rename would replace that. */
async function placeNew(draft: string, real: string): Promise<void> {
  try {
    await link(draft, real);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "EEXIST") throw new StaleFileError(real, { cause: thrown });
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw thrown;
    // A file system without hard links.
    if (await isThere(real)) throw new StaleFileError(real, { cause: thrown });
    await rename(draft, real);
  }
}

async function assertSame(real: string, seen: BigIntStats): Promise<void> {
  const now = await lstat(real, { bigint: true });
  if (now.ino !== seen.ino || now.dev !== seen.dev || !isSameState(now, seen))
    throw new StaleFileError(real);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return false;
    throw thrown;
  }
}

/** The folders above a path that are not there, the highest first. */
export async function findMissingFolders(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = dirname(path); !(await isThere(folder)); folder = dirname(folder))
    missing.unshift(folder);
  return missing;
}

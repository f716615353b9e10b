import { relative, sep } from "node:path";
import { hashBytes } from "../../hash-bytes.ts";
import { isProtected } from "../../paths/guarded-names.ts";
import { refusePath, succeed } from "../../problems.ts";
import type { WorkspaceResult } from "../../workspace.ts";
import { findMissingFolders } from "../missing-folders.node.ts";
import { maxWholeFile } from "../open-file.node.ts";
import { openRootState, type RootStateParts } from "../root-state.node.ts";

/** A write that a person makes themselves. */
export interface PersonalWrite {
  path: string;
  old: { bytes: Uint8Array<ArrayBuffer>; mode: number } | undefined;
  bytes: Uint8Array<ArrayBuffer>;
  /** The name of the draft beside the file. */
  draft: string;
}

/**
 * Records a write as a turn of its own, and makes it while no agent works in the root.
 *
 * @returns a refusal if another process writes there, or undo could not take it back; then `write` was not called
 * @throws what `write` throws, and the errors of the file system
 */
export async function recordWrite(
  { request, ...parts }: RootStateParts & { request: string },
  { path, old, bytes, draft }: PersonalWrite,
  write: () => void,
): Promise<WorkspaceResult<undefined>> {
  const { realRoot, resolve, journal, takeLock, release } = await openRootState(parts);
  try {
    const located = await resolve(path);
    if (!located.ok) return located;
    const place = located.value;
    const size = Math.max(bytes.length, old?.bytes.length ?? 0);
    if (isProtected(place.path) || size > maxWholeFile) return refusePath("protected", place.path);
    const locked = await takeLock();
    if (locked !== undefined) return locked;
    const missing = await findMissingFolders(place.real);
    const isRecorded = await journal.record(await journal.start(request), {
      path: place.path,
      before:
        old === undefined ? null : { hash: await hashBytes(old.bytes), mode: old.mode & 0o777 },
      after: await hashBytes(bytes),
      draft,
      folders: missing.map((folder) => relative(realRoot, folder).replaceAll(sep, "/")),
      bytes: old?.bytes ?? new Uint8Array(),
    });
    if (!isRecorded) return refusePath("failed", place.path);
    write();
    return succeed(undefined);
  } finally {
    await release();
  }
}

import { relative, sep } from "node:path";
import { hashBytes } from "../hash-bytes.ts";
import { quotePath, refuse, refusePath, succeed } from "../problems.ts";
import type { Journal } from "./journal/journal.node.ts";
import type { FileChange, WorkspaceResult } from "../workspace.ts";
import type { ReadyChange } from "./check-change.node.ts";
import { readWhole } from "./open-file.node.ts";
import { createFolders, putFile, removeFile } from "./put-file.node.ts";
import { modeOfScript } from "./script-mode.node.ts";
import { StaleFileError } from "./held-folder.node.ts";
import { refuseSystem } from "./system-problem.node.ts";

/** Writes a change that was checked: first into the journal, then in its place, then it is read again. */
export async function writeChange(
  ready: ReadyChange,
  realRoot: string,
  journal: Journal,
  turn: number,
): Promise<WorkspaceResult<FileChange>> {
  const { change, place, old, bytes, folders } = ready;
  const { path, real } = place;
  const draft = `.rightseat-${crypto.randomUUID()}.tmp`;
  const after = bytes === undefined ? null : await hashBytes(bytes);
  try {
    const isRecorded = await journal.record(turn, {
      path,
      before: old === undefined ? null : { hash: await hashBytes(old.bytes), mode: modeOf(old) },
      after,
      draft,
      folders: folders.map((folder) => relative(realRoot, folder).replaceAll(sep, "/")),
      bytes: old?.bytes ?? new Uint8Array(),
    });
    if (!isRecorded) return refuseFullJournal(path);
    await createFolders(folders);
    const mode =
      old === undefined && bytes !== undefined ? await modeOfScript(real, bytes) : undefined;
    if (bytes !== undefined) await putFile(real, bytes, { draft, replaced: old?.stats, mode });
    else if (old !== undefined) await removeFile(real, old.stats);
  } catch (thrown) {
    if (thrown instanceof StaleFileError)
      return refusePath(old === undefined ? "exists" : "stale", path);
    return refuseSystem(thrown, path);
  }
  return (await hashThere(path, real)) === after ? succeed(change) : refuseUnverified(path);
}

/** SHA-256 of the file; null if it does not exist, undefined if it cannot be read. */
async function hashThere(path: string, real: string): Promise<string | null | undefined> {
  const read = await readWhole({ path, real });
  if (!read.ok) return read.problem.code === "not-found" ? null : undefined;
  return read.value === undefined ? undefined : hashBytes(read.value.bytes);
}

function modeOf({ stats }: { stats: { mode: bigint } }): number {
  return Number(stats.mode) & 0o777;
}

function refuseUnverified(path: string): ReturnType<typeof refuse> {
  const name = quotePath(path);
  return refuse(
    "failed",
    `${name} was written, but it does not hold what was written any more: somebody else has changed it. Read it again.`,
    `${name} 已写入，但其内容与写入的不一致：可能被其他程序修改。请重新读取。`,
  );
}

function refuseFullJournal(path: string): ReturnType<typeof refuse> {
  const name = quotePath(path);
  return refuse(
    "failed",
    `${name} was not written: this run has changed so much that undo cannot keep it. Start a new run.`,
    `${name} 未写入：本次运行的修改过多，无法再保存撤销记录。请重新开始一次运行。`,
  );
}

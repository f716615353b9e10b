import { rmdir } from "node:fs/promises";
import { draftName } from "../directory/folder-rules.node.ts";
import { hashBytes } from "../hash-bytes.ts";
import { isProtected } from "../paths/guarded-names.ts";
import { quotePath, refuse, refusePath, succeed } from "../problems.ts";
import { findMissingFolders } from "../directory/missing-folders.node.ts";
import { readWhole, type WholeFile } from "../directory/open-file.node.ts";
import { createFolders, putFile, removeFile } from "../directory/put-file.node.ts";
import { StaleFileError } from "../directory/held-folder.node.ts";
import type { Place, ResolvePath } from "../directory/resolve-path.node.ts";
import type { RootState } from "../directory/root-state.node.ts";
import { refuseSystem } from "../directory/system-problem.node.ts";
import type { WorkspaceResult } from "../workspace.ts";
import type { JournalEntry } from "./entry.node.ts";
import type { Journal, JournalTurn } from "./journal.node.ts";

/** Of files that keep an undo from being made, so many are named. */
const maxNamed = 20;

/** What an undo does to one file. */
export interface UndoneFile {
  place: Place;
  /** As it was before the turn; undefined: there was none. */
  target: { bytes: Uint8Array<ArrayBuffer>; mode: number } | undefined;
  /** As it is; undefined if it does not exist. */
  now: WholeFile | undefined;
  /** It is as it was before the turn already. */
  isDone: boolean;
  draft: string;
}

export interface UndoPlan {
  /** The turn that is asked for and all after it, the oldest first. */
  turns: JournalTurn[];
  files: UndoneFile[];
  /** Folders that were created, the highest first; those that are empty go. */
  folders: string[];
}

export interface UndoParts {
  state: RootState;
  resolve: ResolvePath;
}

/**
 * What it takes to restore the state before a turn: later turns are taken back as well. Writes nothing.
 *
 * @param turn by default the last one that was not undone
 */
export async function planUndo(
  { state: { journal }, resolve }: UndoParts,
  turn?: number,
): Promise<WorkspaceResult<UndoPlan>> {
  const open = (await journal.listTurns()).filter(({ isUndone }) => !isUndone);
  const first = turn ?? open.at(-1)?.id;
  if (first === undefined || !open.some(({ id }) => id === first)) return refuseTurn(turn);
  const turns = open.filter(({ id }) => id >= first);
  for (const { id } of turns) if (await journal.isDamaged(id)) return refuseDamaged(id);
  const entries = await listAll(journal, turns);
  const files: UndoneFile[] = [];
  const changed: string[] = [];
  for (const [path, ofPath] of Map.groupBy(entries, (entry) => entry.path)) {
    const file = await planFile(path, ofPath, resolve);
    if (file === undefined) changed.push(path);
    else files.push(file);
  }
  if (changed.length > 0) return refuseChanged(changed);
  return succeed({
    turns,
    files,
    folders: [...new Set(entries.flatMap((entry) => entry.folders))],
  });
}

/**
 * Restores the state before a turn: each file in one step, all or nothing if one was changed since. An undo that
 * was interrupted can be repeated.
 */
export async function undoTurn(
  parts: UndoParts,
  turn?: number,
): Promise<WorkspaceResult<UndoPlan>> {
  const { state, resolve } = parts;
  const locked = await state.takeLock();
  if (locked !== undefined) return locked;
  const plan = await planUndo(parts, turn);
  if (!plan.ok) return plan;
  const { files, folders, turns } = plan.value;
  for (const file of files) {
    if (file.isDone) continue;
    try {
      await restore(file);
    } catch (thrown) {
      if (thrown instanceof StaleFileError) return refuseChanged([file.place.path]);
      return refuseSystem(thrown, file.place.path);
    }
  }
  for (const folder of folders.toReversed()) await removeEmpty(folder, resolve);
  // The last one first: if this is interrupted, what is left can be undone as well.
  for (const { id } of turns.toReversed()) await state.journal.markUndone(id);
  return plan;
}

async function listAll(journal: Journal, turns: readonly JournalTurn[]): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (const { id } of turns) entries.push(...(await journal.listEntries(id)));
  return entries;
}

/** @returns undefined if somebody else has changed the file, or it cannot be read */
async function planFile(
  path: string,
  entries: readonly JournalEntry[],
  resolve: ResolvePath,
): Promise<UndoneFile | undefined> {
  const [first, last] = [entries[0], entries.at(-1)];
  const place = await resolve(path);
  if (first === undefined || last === undefined || !place.ok || place.value.path !== path)
    return undefined;
  // An agent writes neither: such an entry is not ours.
  if (isProtected(path) || !draftName.test(first.draft)) return undefined;
  if (!isUnbroken(entries)) return undefined;
  const now = await readNow(place.value);
  if (!now.ok) return undefined;
  const hash = now.value === undefined ? null : await hashBytes(now.value.bytes);
  const target = first.before?.hash ?? null;
  // The last write may not have been made any more, where the process died.
  if (![target, last.after, last.before?.hash ?? null].includes(hash)) return undefined;
  return {
    place: place.value,
    target: first.before === null ? undefined : { bytes: first.bytes, mode: first.before.mode },
    now: now.value,
    isDone: hash === target,
    draft: first.draft,
  };
}

/** Whether each write found what the one before it had left, or what that had found if it was never made. */
function isUnbroken(entries: readonly JournalEntry[]): boolean {
  return entries.every((entry, nth) => {
    const last = entries[nth - 1];
    const found = entry.before?.hash ?? null;
    return last === undefined || found === last.after || found === (last.before?.hash ?? null);
  });
}

async function readNow(place: Place): Promise<WorkspaceResult<WholeFile | undefined>> {
  if (!place.isThere) return succeed(undefined);
  const read = await readWhole(place);
  if (read.ok && read.value === undefined) return refusePath("stale", place.path);
  return read;
}

async function restore({ place, target, now, draft }: UndoneFile): Promise<void> {
  const { real } = place;
  if (target === undefined) {
    if (now !== undefined) await removeFile(real, now.stats);
    return;
  }
  if (now === undefined) await createFolders(await findMissingFolders(real));
  const isSameMode = now !== undefined && (Number(now.stats.mode) & 0o777) === target.mode;
  const mode = isSameMode ? undefined : target.mode;
  await putFile(real, target.bytes, { draft, replaced: now?.stats, mode });
}

async function removeEmpty(folder: string, resolve: ResolvePath): Promise<void> {
  const place = await resolve(folder);
  // Not by a link, which may have come since.
  if (!place.ok || place.value.path !== folder || folder === "") return;
  try {
    await rmdir(place.value.real);
  } catch {
    // Something else is in it, or it has gone.
  }
}

function refuseTurn(turn: number | undefined): ReturnType<typeof refuse> {
  if (turn === undefined)
    return refuse(
      "not-found",
      "There is nothing to undo in this folder.",
      "此文件夹中没有可撤销的内容。",
    );
  return refuse(
    "not-found",
    `There is no turn ${turn} that could be undone. See rightseat undo --list.`,
    `没有可以撤销的第 ${turn} 次运行。请查看 rightseat undo --list。`,
  );
}

function refuseDamaged(turn: number): ReturnType<typeof refuse> {
  return refuse(
    "failed",
    `Nothing was undone, since what was recorded of turn ${turn} is damaged.`,
    `未撤销任何内容，因为第 ${turn} 次运行的记录已损坏。`,
  );
}

function refuseChanged(paths: readonly string[]): ReturnType<typeof refuse> {
  const named = paths.slice(0, maxNamed).map(quotePath);
  const more = paths.length - named.length;
  return refuse(
    "stale",
    `Nothing was undone, since these files were changed after the agent wrote them: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
    `未撤销任何内容，因为以下文件在智能体写入后又被修改：${named.join("、")}${more > 0 ? ` 等另外 ${more} 个` : ""}。`,
  );
}

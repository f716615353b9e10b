import { rmdir } from "node:fs/promises";
import {
  StaleFileError,
  type WholeFile,
  hashBytes,
  maxWholeFile,
  modeOf,
  readWhole,
} from "../open-file.node.ts";
import { isProtected } from "../../paths/guarded-names.ts";
import {
  type Refusal,
  quotePath,
  refuse,
  refusePath,
  refuseSystem,
  succeed,
} from "../../problems.ts";
import type { WorkspaceResult } from "../../workspace.ts";
import { draftName, putFile } from "../put-file.node.ts";
import { type ReadyWrite, writeRecorded } from "../write-change.node.ts";
import type { Place, ResolvePath } from "../resolve-path.node.ts";
import { type RootStateParts, openRootState } from "./root-state.node.ts";
import type { Journal, JournalEntry, JournalTurn } from "./journal.node.ts";

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

interface UndoPlan {
  /** The turn that is asked for and all after it, the oldest first. */
  turns: JournalTurn[];
  files: UndoneFile[];
  /** Folders that were created, the highest first; those that are empty go. */
  folders: Set<string>;
}

/**
 * What can be undone in a folder.
 *
 * @throws the error of the file system if the root cannot be found
 */
export async function openUndo(parts: RootStateParts) {
  const { journal, resolve, takeLock, release } = await openRootState(parts);
  const plan = (turn?: number): Promise<WorkspaceResult<UndoPlan>> =>
    planUndo(journal, resolve, turn);
  return {
    listTurns: () => journal.listTurns(),
    /** What `undo` would do. */
    plan,
    /**
     * Restores the state before a turn, by default the last one that was not undone; later turns are taken back as
     * well. Each file in one step, nothing if one was changed since. What was interrupted can be repeated.
     */
    async undo(turn?: number): Promise<WorkspaceResult<UndoPlan>> {
      const locked = await takeLock();
      if (locked !== undefined) return locked;
      const planned = await plan(turn);
      if (!planned.ok) return planned;
      const { files, folders, turns } = planned.value;
      for (const { place, target, now, draft, isDone } of files) {
        const isSameMode = now !== undefined && modeOf(now) === target?.mode;
        const mode = isSameMode ? undefined : target?.mode;
        try {
          if (!isDone)
            await putFile(place.real, target?.bytes, { draft, replaced: now?.stats, mode });
        } catch (thrown) {
          if (thrown instanceof StaleFileError) return refuseChanged([place.path]);
          return refuseSystem(thrown, place.path);
        }
      }
      for (const folder of [...folders].toReversed()) {
        const place = await resolve(folder);
        // Not by a link, which may have come since; and it stays if something else is in it.
        if (place.ok && place.value.path === folder && folder !== "")
          await rmdir(place.value.real).catch(() => undefined);
      }
      // The last one first: if this is interrupted, what is left can be undone as well.
      for (const { id } of turns.toReversed()) await journal.markUndone(id);
      return planned;
    },
    close: release,
  };
}

async function planUndo(
  journal: Journal,
  resolve: ResolvePath,
  turn: number | undefined,
): Promise<WorkspaceResult<UndoPlan>> {
  const open = (await journal.listTurns()).filter(({ isUndone }) => !isUndone);
  const first = open.findIndex(({ id }, nth) =>
    turn === undefined ? nth + 1 === open.length : id === turn,
  );
  if (first === -1) return refuseTurn(turn);
  const turns = open.slice(first);
  const all: JournalEntry[] = [];
  for (const { id } of turns) {
    const { entries, isDamaged } = await journal.readTurn(id);
    if (isDamaged)
      return refuse("failed", {
        en: `Nothing was undone, since what was recorded of turn ${id} is damaged.`,
        zh: `未撤销任何内容，因为第 ${id} 次运行的记录已损坏。`,
      });
    all.push(...entries);
  }
  const files: UndoneFile[] = [];
  const changed: string[] = [];
  for (const [path, entries] of Map.groupBy(all, (entry) => entry.path)) {
    const file = await planFile(path, entries, resolve);
    if (file === undefined) changed.push(path);
    else files.push(file);
  }
  if (changed.length > 0) return refuseChanged(changed);
  return succeed({ turns, files, folders: new Set(all.flatMap(({ folders }) => folders)) });
}

/** @returns undefined if somebody else has changed the file, or it cannot be read */
async function planFile(
  path: string,
  entries: readonly JournalEntry[],
  resolve: ResolvePath,
): Promise<UndoneFile | undefined> {
  const [first, last] = [entries[0], entries.at(-1)];
  const found = await resolve(path);
  if (first === undefined || last === undefined || !found.ok || found.value.path !== path)
    return undefined;
  const place = found.value;
  // An agent writes neither: such an entry is not ours.
  if (isProtected(path) || !draftName.test(first.draft)) return undefined;
  // Each write found what the one before it had left, or what that had found if it was never made.
  const isUnbroken = entries.every((entry, nth) => {
    const before = entries[nth - 1];
    return before === undefined || hashesAround(before).includes(entry.before?.hash ?? null);
  });
  const read = place.isThere ? await readWhole(place) : succeed(undefined);
  if (!isUnbroken || !read.ok || (place.isThere && read.value === undefined)) return undefined;
  const hash = read.value === undefined ? null : await hashBytes(read.value.bytes);
  const isDone = hash === (first.before?.hash ?? null);
  // The last write may not have been made any more, where the process died.
  if (!isDone && !hashesAround(last).includes(hash)) return undefined;
  const target =
    first.before === null ? undefined : { bytes: first.bytes, mode: first.before.mode };
  return { place, target, now: read.value, isDone, draft: first.draft };
}

function hashesAround({ before, after }: JournalEntry): (string | null)[] {
  return [before?.hash ?? null, after];
}

function refuseTurn(turn: number | undefined): Refusal {
  if (turn === undefined)
    return refuse("not-found", {
      en: "There is nothing to undo in this folder.",
      zh: "此文件夹中没有可撤销的内容。",
    });
  return refuse("not-found", {
    en: `There is no turn ${turn} that could be undone. See rightseat undo --list.`,
    zh: `没有可以撤销的第 ${turn} 次运行。请查看 rightseat undo --list。`,
  });
}

function refuseChanged(paths: readonly string[]): Refusal {
  const named = paths.slice(0, maxNamed).map(quotePath);
  const more = paths.length - named.length;
  return refuse("stale", {
    en: `Nothing was undone, since these files were changed after the agent wrote them: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
    zh: `未撤销任何内容，因为以下文件在智能体写入后又被修改：${named.join("、")}${more > 0 ? ` 等另外 ${more} 个` : ""}。`,
  });
}

/**
 * Makes a write of the person's own as a turn, while no agent works in the root.
 *
 * @param place of the file, absolute
 * @returns a refusal if another process writes there, undo could not take it back, or the file is another one by now
 * @throws the errors of the file system, of the journal
 */
export async function writeAsTurn(
  { request, ...parts }: RootStateParts & { request: string },
  place: string,
  { old, bytes }: Required<Pick<ReadyWrite, "old" | "bytes">>,
): Promise<WorkspaceResult<undefined>> {
  const state = await openRootState(parts);
  try {
    const located = await state.resolve(place);
    if (!located.ok) return located;
    const { path, real } = located.value;
    const size = Math.max(bytes?.length ?? 0, old?.bytes.length ?? 0);
    if (isProtected(path) || size > maxWholeFile) return refusePath("protected", path);
    const locked = await state.takeLock();
    if (locked !== undefined) return locked;
    const turn = await state.journal.start(request);
    return await writeRecorded({ path, real, old, bytes }, state, turn);
  } finally {
    await state.release();
  }
}

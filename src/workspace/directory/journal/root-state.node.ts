import { lstat, realpath, rm } from "node:fs/promises";
import { dirname, join, resolve as toAbsolute } from "node:path";
import { quotePath, refuse } from "../../problems.ts";
import { draftName } from "../put-file.node.ts";
import { createJournal, type Journal } from "./journal.node.ts";
import { createRootLock } from "./root-lock.node.ts";
import { createRootFolder } from "./state-folder.node.ts";
import { createPathResolver, type ResolvePath } from "../resolve-path.node.ts";

/** What is kept of one root, outside of it. */
export interface RootState {
  /** As the person names it, absolute. */
  shownRoot: string;
  realRoot: string;
  resolve: ResolvePath;
  journal: Journal;
  /** Takes the lock for writing; a refusal says who has it. */
  takeLock: () => Promise<ReturnType<typeof refuse> | undefined>;
  release: () => Promise<void>;
}

export interface RootStateParts {
  /** The folder, as the person names it. */
  root: string;
  /** As `findStateFolder` finds it: the journal and the lock are there, outside of the root. */
  stateFolder: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * Opens the state of a root, and clears away what a process that died has left in it.
 *
 * @throws the error of the file system if the root cannot be found
 */
export async function openRootState({
  root,
  stateFolder,
  now,
}: RootStateParts): Promise<RootState> {
  const shownRoot = toAbsolute(root);
  const realRoot = await realpath(shownRoot);
  const resolve = createPathResolver(shownRoot, realRoot);
  const folder = await createRootFolder(stateFolder, realRoot);
  const journal = createJournal(folder, now);
  const lock = createRootLock(`${folder}/locks`, now);
  let last: Promise<unknown> = Promise.resolve();
  const takeOnce = async (): Promise<ReturnType<typeof refuse> | undefined> => {
    const taken = await lock.take();
    if (!taken.ok) return refuseLocked(realRoot, taken.pid);
    if (taken.wasLeft) await removeDrafts(journal, resolve);
    return undefined;
  };
  // One after the other: a lock that is just being taken is nobody else's.
  const take = (): ReturnType<typeof takeOnce> => {
    const mine = last.then(takeOnce);
    last = mine.catch(() => undefined);
    return mine;
  };
  if (await lock.isLeft()) {
    await take();
    await lock.release();
  }
  return { shownRoot, realRoot, resolve, journal, takeLock: take, release: () => lock.release() };
}

/** Removes the drafts that a process left behind when it died. Each is named in the journal before it is made. */
async function removeDrafts(journal: Journal, resolve: ResolvePath): Promise<void> {
  for (const { id } of await journal.listTurns()) {
    for (const { path, draft } of (await journal.readTurn(id)).entries) {
      const place = await resolve(path);
      if (!place.ok || !draftName.test(draft)) continue;
      const left = join(dirname(place.value.real), draft);
      const stats = await lstat(left).catch(() => undefined);
      if (stats?.isFile() === true) await rm(left, { force: true });
    }
  }
}

function refuseLocked(root: string, pid: number): ReturnType<typeof refuse> {
  const [where, isOwn] = [quotePath(root), pid === process.pid];
  return refuse(
    "locked",
    `Another agent works in ${where} (process ${pid}${isOwn ? ", this one" : ""}). Nothing was written. Wait until it has ended.`,
    `另一个智能体正在 ${where} 中工作（进程 ${pid}${isOwn ? "，即本进程" : ""}），未写入任何内容。请等待其结束。`,
  );
}

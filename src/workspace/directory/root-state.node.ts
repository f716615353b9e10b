import { quotePath, refuse } from "../problems.ts";
import { createJournal, type Journal } from "../journal/journal.node.ts";
import { removeDrafts } from "../journal/remove-drafts.node.ts";
import { createRootLock, type RootLock } from "../journal/root-lock.node.ts";
import { createRootFolder } from "../journal/state-folder.node.ts";
import type { ResolvePath } from "./resolve-path.node.ts";

/** What is kept of one root, outside of it. */
export interface RootState {
  journal: Journal;
  /** Takes the lock for writing; a refusal says who has it. */
  takeLock(): Promise<ReturnType<typeof refuse> | undefined>;
  release(): Promise<void>;
}

export interface RootStateParts {
  realRoot: string;
  stateFolder: string;
  /** Milliseconds since 1970. */
  now: () => number;
  resolve: ResolvePath;
}

/** Opens the state of a root, and clears away what a process that died has left in it. */
export async function openRootState({
  realRoot,
  stateFolder,
  now,
  resolve,
}: RootStateParts): Promise<RootState> {
  const folder = await createRootFolder(stateFolder, realRoot);
  const journal = createJournal({ folder, now });
  const lock: RootLock = createRootLock(`${folder}/locks`, now);
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
  return { journal, takeLock: take, release: () => lock.release() };
}

function refuseLocked(root: string, pid: number): ReturnType<typeof refuse> {
  const [where, isOwn] = [quotePath(root), pid === process.pid];
  return refuse(
    "locked",
    `Another agent works in ${where} (process ${pid}${isOwn ? ", this one" : ""}). Nothing was written. Wait until it has ended.`,
    `另一个智能体正在 ${where} 中工作（进程 ${pid}${isOwn ? "，即本进程" : ""}），未写入任何内容。请等待其结束。`,
  );
}

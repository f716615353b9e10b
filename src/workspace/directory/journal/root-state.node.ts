import { chmod, lstat, realpath, rm } from "node:fs/promises";
import { dirname, join, resolve as toAbsolute } from "node:path";
import { quotePath, refuse } from "../../problems.ts";
import { createFolders, draftName, findMissingFolders, realPlaceOf } from "../put-file.node.ts";
import { type Journal, createJournal } from "./journal.node.ts";
import { createRootLock } from "./root-lock.node.ts";
import { type ResolvePath, createPathResolver } from "../resolve-path.node.ts";
import { createHash } from "node:crypto";
import { AppError } from "../../../base/errors/app-error.ts";

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

/** Where programs keep what outlasts a run and is not a setting: `$XDG_STATE_HOME/rightseat`, or the platform's place. */
export function findStateFolder(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
  platform: NodeJS.Platform,
): string {
  const given = environment["XDG_STATE_HOME"];
  if (given?.startsWith("/") === true) return join(given, "rightseat");
  if (platform === "win32")
    return join(environment["LOCALAPPDATA"] || join(home, "AppData", "Local"), "rightseat");
  if (platform === "darwin") return join(home, "Library", "Application Support", "rightseat");
  return join(home, ".local", "state", "rightseat");
}

/**
 * The folder of one root in the state folder; nobody else may look into it.
 *
 * @throws AppError if it belongs to somebody else, who could have undo write what they like, and the errors of the
 *   file system
 */
export async function createRootFolder(stateFolder: string, realRoot: string): Promise<string> {
  const name = createHash("sha256").update(realRoot).digest("hex").slice(0, 32);
  const folder = await realPlaceOf(join(stateFolder, "workspaces", name));
  const inside = ["locks", "turns"].map((each) => join(folder, each));
  for (const each of inside) await createFolders(await findMissingFolders(`${each}/.`), 0o700);
  const own = process.geteuid?.();
  for (const each of own === undefined ? [] : [folder, ...inside]) {
    const { uid, mode } = await lstat(each);
    if (own !== uid) throw refuseOwner(quotePath(each), uid);
    if ((mode & 0o077) !== 0) await chmod(each, 0o700);
  }
  return folder;
}

function refuseOwner(name: string, uid: number): AppError {
  return new AppError("invalid_request", {
    en: `${name}, where undo keeps what files were, belongs to another user (${uid}). Remove it, or set XDG_STATE_HOME to a folder of your own.`,
    zh: `保存撤销记录的目录 ${name} 属于其他用户（${uid}）。请删除它，或将 XDG_STATE_HOME 设为您自己的目录。`,
  });
}

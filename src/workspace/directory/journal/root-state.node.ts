import { createHash } from "node:crypto";
import {
  chmod,
  link,
  lstat,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join, resolve as toAbsolute } from "node:path";
import * as z from "zod";
import { AppError } from "../../../base/errors/app-error.ts";
import { createLocks } from "../../locks.ts";
import { type Refusal, quotePath, refuse, systemCode } from "../../problems.ts";
import { createFolders, draftName, findMissingFolders, realPlaceOf } from "../put-file.node.ts";
import { type ResolvePath, createPathResolver } from "../resolve-path.node.ts";
import { type Journal, createJournal, listNumbers, parseBytes, readSmall } from "./journal.node.ts";

/** What is kept of one root, outside of it. */
export type RootState = Awaited<ReturnType<typeof openRootState>>;

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
export async function openRootState({ root, stateFolder, now }: RootStateParts) {
  const shownRoot = toAbsolute(root);
  const realRoot = await realpath(shownRoot);
  const resolve = createPathResolver(shownRoot, realRoot);
  const folder = await createRootFolder(stateFolder, realRoot);
  const journal = createJournal(folder, now);
  const lock = createRootLock(`${folder}/locks`, now);
  const queue = createLocks();
  /** For writing, one after the other: a lock that is just being taken is nobody else's. A refusal says who has it. */
  const takeLock = (): Promise<Refusal | undefined> =>
    queue.run("", async () => {
      const taken = await lock.take();
      if (!taken.ok) return refuseLocked(realRoot, taken.pid);
      if (taken.wasLeft) await removeDrafts(journal, resolve);
      return undefined;
    });
  const release = (): Promise<void> => lock.release();
  /** The process that held the lock when this was opened. */
  const { locks, pid: lockedBy } = await lock.look();
  if (locks.length > 0 && lockedBy === undefined) {
    await takeLock();
    await release();
  }
  return { shownRoot, realRoot, resolve, journal, lockedBy, takeLock, release };
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

function refuseLocked(root: string, pid: number): Refusal {
  const [where, isOwn] = [quotePath(root), pid === process.pid];
  return refuse("locked", {
    en: `Another agent works in ${where} (process ${pid}${isOwn ? ", this one" : ""}). Nothing was written. Wait until it has ended.`,
    zh: `另一个智能体正在 ${where} 中工作（进程 ${pid}${isOwn ? "，即本进程" : ""}），未写入任何内容。请等待其结束。`,
  });
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

/** Tries to get a lock that others take and give back at the same time. */
const maxTries = 20;
/** How long a lock of another host counts after its last use, in milliseconds: whether its holder lives is not known. */
const maxForeignAge = 10 * 60 * 1_000;
/** Of a lock, in bytes. */
const maxLock = 4 * 1024;

const Holder = z.object({
  pid: z.int().min(1),
  /** When the process started, as the system tells it: ids of processes are used again. "" where it does not tell. */
  started: z.string(),
  /** Another one for each lock that a process takes. */
  token: z.string(),
  /** Where ids of processes mean the same. */
  host: z.string().optional(),
});

interface Lock {
  path: string;
  /** Undefined if it was given back meanwhile, or cannot be read. */
  holder: z.infer<typeof Holder> | undefined;
}

type Taken =
  | { ok: true; /** Its last holder did not live to give it back. */ wasLeft: boolean }
  | { ok: false; pid: number };

/**
 * Keeps other processes, and other workspaces of this one, from writing in one root. Locks are files `lock.1`,
 * `lock.2`, ... Who takes over from a process that is gone creates the next number, which only one can: nothing is
 * ever replaced.
 */
export function createRootLock(folder: string, now: () => number = Date.now) {
  let held: Lock | undefined;
  /** The locks beside one of ours, and the process that holds one of them. */
  const look = async (own?: Lock) => {
    const numbers = await listNumbers(folder, /^lock\.(\d{1,9})$/);
    const paths = numbers.map((number) => join(folder, `lock.${number}`));
    const locks = await Promise.all(paths.filter((path) => path !== own?.path).map(readLock));
    const living = await Promise.all(locks.map((lock) => isHeld(lock, now())));
    const pid = locks.find((_, nth) => living[nth])?.holder?.pid;
    return { locks, next: 1 + (numbers.at(-1) ?? 0), pid };
  };
  return {
    look,
    /** Takes the lock, if it is not held by this one already. */
    async take(): Promise<Taken> {
      // A host that does not see this process may have taken it for one that is gone.
      if (held !== undefined && (await isUnchanged(held)) && (await touch(held, now() / 1_000)))
        return { ok: true, wasLeft: false };
      held = undefined;
      for (let nth = 0; nth < maxTries; nth += 1) {
        const { next, pid } = await look();
        if (pid !== undefined) return { ok: false, pid };
        const made = await createLock(folder, next);
        if (made === undefined) continue;
        // Two that saw different locks may both have made one: then both step back.
        const { locks: others, pid: rival } = await look(made);
        for (const { path } of rival === undefined ? others : [made])
          await rm(path, { force: true });
        if (rival !== undefined) return { ok: false, pid: rival };
        held = made;
        return { ok: true, wasLeft: others.length > 0 };
      }
      return { ok: false, pid: 0 };
    },
    async release(): Promise<void> {
      const last = held;
      held = undefined;
      if (last !== undefined && (await isUnchanged(last))) await rm(last.path, { force: true });
    },
  };
}

/** @returns false if it is gone */
function touch({ path }: Lock, seconds: number): Promise<boolean> {
  return utimes(path, seconds, seconds).then(
    () => true,
    () => false,
  );
}

/** @returns undefined if there is a lock with this number already */
async function createLock(folder: string, number: number): Promise<Lock | undefined> {
  const { pid } = process;
  const token = crypto.randomUUID();
  const holder = { pid, started: await startOf(pid), token, host: await nameHost() };
  const [path, draft] = [join(folder, `lock.${number}`), join(folder, `draft.${token}`)];
  try {
    await writeFile(draft, JSON.stringify(holder), { mode: 0o600, flag: "wx" });
    // A lock is there with all that it says, or not at all.
    await link(draft, path);
    return { path, holder };
  } catch (thrown) {
    if (systemCode(thrown) === "EEXIST") return undefined;
    throw thrown;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readLock(path: string): Promise<Lock> {
  return { path, holder: parseBytes(await readSmall(path, maxLock), Holder) };
}

async function isUnchanged({ path, holder }: Lock): Promise<boolean> {
  return (await readLock(path)).holder?.token === holder?.token;
}

async function isHeld({ path, holder }: Lock, time: number): Promise<boolean> {
  if (holder === undefined) return false;
  const { pid, started, host } = holder;
  if (host !== undefined && host !== (await nameHost())) {
    const stats = await stat(path).catch(() => undefined);
    return time - (stats?.mtimeMs ?? 0) < maxForeignAge;
  }
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    // One that is not ours lives, too.
    if (systemCode(thrown) !== "EPERM") return false;
  }
  return (await startOf(pid)) === started;
}

/** The machine, or the container in it. */
async function nameHost(): Promise<string> {
  const space = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${hostname()} ${space}`.trim();
}

/** When a process started, and since which start of the machine that is counted; "" where the system does not tell. */
async function startOf(pid: number): Promise<string> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    const line = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may hold spaces and brackets.
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    return `${boot.trim()}:${fields[19] ?? ""}`;
  } catch {
    return "";
  }
}

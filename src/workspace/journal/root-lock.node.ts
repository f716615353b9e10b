import { link, readdir, readFile, readlink, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { systemCode } from "../directory/system-problem.node.ts";
import { readSmall } from "./read-small.node.ts";

/** Tries to get a lock that others take and give back at the same time. */
const maxTries = 20;

/** How long a lock of another host counts after its last use, in milliseconds: whether its holder lives is not known. */
const maxForeignAge = 10 * 60 * 1_000;
/** Of a lock, in bytes. */
const maxLock = 4 * 1024;

/** Who holds a lock. */
const Holder = z.object({
  pid: z.int().min(1),
  /** When the process started, as the system tells it: ids of processes are used again. "" where it does not tell. */
  started: z.string(),
  /** Another one for each lock that a process takes. */
  token: z.string(),
  /** Where ids of processes mean the same. */
  host: z.string().optional(),
});
type Holder = z.infer<typeof Holder>;

export type LockResult =
  | { ok: true; /** Its last holder did not live to give it back. */ wasLeft: boolean }
  | { ok: false; pid: number };

/** Keeps other processes, and other workspaces of this one, from writing in one root. */
export interface RootLock {
  /** Takes the lock, if it is not held by this one already. */
  take(): Promise<LockResult>;
  /** Whether somebody who is gone has left the lock behind. */
  isLeft(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Locks are files `lock.1`, `lock.2`, ...; the one with the highest number counts. Who takes over from a process that
 * is gone creates the next number, which only one can: nothing is ever replaced.
 */
export function createRootLock(folder: string, now: () => number = Date.now): RootLock {
  let held: HeldLock | undefined;
  const create = async (number: number): Promise<HeldLock | undefined> => {
    const path = join(folder, `lock.${number}`);
    const token = crypto.randomUUID();
    const draft = join(folder, `draft.${token}`);
    const [started, host] = [await startOf(process.pid), await nameHost()];
    const holder: Holder = { pid: process.pid, started, token, host };
    try {
      await writeFile(draft, JSON.stringify(holder), { mode: 0o600, flag: "wx" });
      // A lock is there with all that it says, or not at all.
      await link(draft, path);
      return { path, token };
    } catch (thrown) {
      if (systemCode(thrown) === "EEXIST") return undefined;
      throw thrown;
    } finally {
      await rm(draft, { force: true });
    }
  };

  return {
    async take() {
      // A host that does not see this process may have taken it for one that is gone.
      if (held !== undefined && !(await touch(held, now()))) held = undefined;
      for (let nth = 0; held === undefined && nth < maxTries; nth += 1) {
        const locks = await listLocks(folder);
        const living = await findLiving(locks, now());
        if (living !== undefined) return { ok: false, pid: living.pid };
        const made = await create((locks[0]?.number ?? 0) + 1);
        if (made === undefined) continue;
        const { path } = made;
        // Two that saw different locks may both have made one: then both step back.
        const others = (await listLocks(folder)).filter((lock) => lock.path !== path);
        const rival = await findLiving(others, now());
        if (rival !== undefined) {
          await rm(path, { force: true });
          return { ok: false, pid: rival.pid };
        }
        for (const lock of others) await rm(lock.path, { force: true });
        held = made;
        return { ok: true, wasLeft: others.length > 0 };
      }
      return held === undefined ? { ok: false, pid: 0 } : { ok: true, wasLeft: false };
    },
    async isLeft() {
      const locks = await listLocks(folder);
      return locks.length > 0 && (await findLiving(locks, now())) === undefined;
    },
    async release() {
      const last = held;
      held = undefined;
      if (last !== undefined && (await readHolder(last.path))?.token === last.token)
        await rm(last.path, { force: true });
    },
  };
}

interface HeldLock {
  path: string;
  token: string;
}

interface LockFile {
  number: number;
  path: string;
}

/** The highest number first. */
async function listLocks(folder: string): Promise<LockFile[]> {
  const locks = (await readdir(folder)).flatMap((name) => {
    const number = Number(/^lock\.(\d{1,9})$/.exec(name)?.[1] ?? 0);
    return number === 0 ? [] : [{ number, path: join(folder, name) }];
  });
  return locks.sort((one, other) => other.number - one.number);
}

/** @param time milliseconds since 1970 */
async function findLiving(locks: readonly LockFile[], time: number): Promise<Holder | undefined> {
  for (const { path } of locks) {
    const holder = await readHolder(path);
    if (holder === undefined) continue;
    const isHere = holder.host === undefined || holder.host === (await nameHost());
    if (await (isHere ? isAlive(holder) : isRecent(path, time))) return holder;
  }
  return undefined;
}

/** @returns undefined if it was given back meanwhile, or nobody can read what it says */
async function readHolder(path: string): Promise<Holder | undefined> {
  const bytes = await readSmall(path, maxLock);
  if (bytes === undefined) return undefined;
  try {
    return Holder.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}

/** Marks a lock as in use. @returns false where it is gone, or somebody else's by now */
async function touch({ path, token }: HeldLock, time: number): Promise<boolean> {
  try {
    if ((await readHolder(path))?.token !== token) return false;
    await utimes(path, time / 1_000, time / 1_000);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT") throw thrown;
    return false;
  }
}

async function isRecent(path: string, time: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && time - found.mtimeMs < maxForeignAge;
}

/** The machine, or the container in it. */
async function nameHost(): Promise<string> {
  const space = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${hostname()} ${space}`.trim();
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    // One that is not ours lives, too.
    if (systemCode(thrown) !== "EPERM") return false;
  }
  return (await startOf(pid)) === started;
}

/** When a process started, and since which start of the machine that is counted; "" where Linux is not there to tell. */
async function startOf(pid: number): Promise<string> {
  if (process.platform !== "linux") return "";
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

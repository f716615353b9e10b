import { link, readFile, readlink, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { systemCode } from "../../problems.ts";
import { listNumbers, parseBytes, readSmall } from "./journal.node.ts";

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

type Holder = z.infer<typeof Holder>;

interface Lock {
  path: string;
  /** Undefined if it was given back meanwhile, or cannot be read. */
  holder: Holder | undefined;
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
    return { locks, next: 1 + (numbers.at(-1) ?? 0), pid: await findLiving(locks, now()) };
  };
  return {
    /** Takes the lock, if it is not held by this one already. */
    async take(): Promise<Taken> {
      // A host that does not see this process may have taken it for one that is gone.
      if (held !== undefined && (await isUnchanged(held)) && (await touch(held, now())))
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
    /** Whether somebody who is gone has left the lock behind. */
    async isLeft(): Promise<boolean> {
      const { locks, pid } = await look();
      return locks.length > 0 && pid === undefined;
    },
    async release(): Promise<void> {
      const last = held;
      held = undefined;
      if (last !== undefined && (await isUnchanged(last))) await rm(last.path, { force: true });
    },
  };
}

/** @returns false if it is gone */
async function touch({ path }: Lock, time: number): Promise<boolean> {
  try {
    await utimes(path, time / 1_000, time / 1_000);
    return true;
  } catch {
    return false;
  }
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

/** The process that holds one of the locks. */
async function findLiving(locks: readonly Lock[], time: number): Promise<number | undefined> {
  for (const { path, holder } of locks) {
    if (holder === undefined) continue;
    const isHere = holder.host === undefined || holder.host === (await nameHost());
    const age = isHere ? 0 : time - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
    if (isHere ? await isAlive(holder) : age < maxForeignAge) return holder.pid;
  }
  return undefined;
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

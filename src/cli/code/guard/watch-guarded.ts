import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { hashBytes, readWhole } from "../../../workspace/directory/open-file.node.ts";
import { foldPath, type Guard } from "./create-guard.ts";

const maxWatched = 500;
/** What people write beside an agent, and no check is told anything by. */
const prose = /\.(?:md|markdown|txt|rst|adoc|log)$/i;

/** Notices that a file that decides what the check runs has become another one. */
export interface GuardedWatch {
  /** The person has said yes to a change of this file. */
  accept(path: string): void;
  /** The files that changed since the start, or since `renew`, and were not accepted. */
  findChanged(): Promise<string[]>;
  /** What the check itself has changed, the person has run. */
  renew(): Promise<void>;
}

/** Looks at the guarded files at the top of a folder, where tools look for them, and at those of the check. */
export async function watchGuarded(
  root: string,
  checkPaths: readonly string[],
  guard: (names: readonly string[]) => Guard | undefined,
): Promise<GuardedWatch> {
  const look = async (): Promise<Map<string, string>> => {
    const names = (await readdir(root)).filter(
      (name) => guard([name]) !== undefined && !prose.test(name),
    );
    const states = new Map<string, string>();
    // Most words of a command are no files.
    for (const path of new Set([...names, ...checkPaths])) {
      if (states.size === maxWatched) break;
      const state = await readState(join(root, path));
      if (state !== undefined) states.set(path, state);
    }
    return states;
  };
  let before = await look();
  const accepted = new Set<string>();
  return {
    accept: (path) => void accepted.add(foldPath(path)),
    async findChanged() {
      const now = await look();
      return [...new Set([...before.keys(), ...now.keys()])].filter(
        (path) => before.get(path) !== now.get(path) && !accepted.has(foldPath(path)),
      );
    },
    async renew() {
      before = await look();
      accepted.clear();
    },
  };
}

/** @returns undefined where there is no file */
async function readState(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => path);
  const read = await readWhole({ path, real });
  if (!read.ok) return undefined;
  // Of what is larger than anything that people write, the size has to do.
  return read.value === undefined ? String((await lstat(real)).size) : hashBytes(read.value.bytes);
}

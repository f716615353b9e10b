import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { hashBytes } from "../../../workspace/hash-bytes.ts";
import { foldPath, guardOf } from "./guard-of.ts";

/** Files that are watched, and what is read of each, in bytes. */
const [maxWatched, maxRead] = [500, 4 * 1024 * 1024];

/** Notices that a guarded file has become another one, whoever wrote it. */
export interface GuardedWatch {
  /** The person has said yes to a change of this file. */
  accept(path: string): void;
  /** The files that changed since the start, or since `renew`, and were not accepted. */
  findChanged(): Promise<string[]>;
  /** What the check itself has changed, the person has run. */
  renew(): Promise<void>;
}

/**
 * Looks at the guarded files at the top of a folder, where tools look for them, and at those of the check.
 *
 * @param checkPaths relative to the root
 */
export async function watchGuarded(
  root: string,
  checkPaths: readonly string[],
): Promise<GuardedWatch> {
  const look = (): Promise<Map<string, string>> => readStates(root, checkPaths);
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

async function readStates(
  root: string,
  checkPaths: readonly string[],
): Promise<Map<string, string>> {
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && guardOf(entry.name) !== undefined)
    .map(({ name }) => name);
  const states = new Map<string, string>();
  // Most words of a command are no files.
  for (const path of new Set([...names, ...checkPaths])) {
    if (states.size === maxWatched) break;
    const state = await readState(join(root, path));
    if (state !== undefined) states.set(path, state);
  }
  return states;
}

/** @returns undefined where there is no file */
async function readState(path: string): Promise<string | undefined> {
  try {
    // A pipe would wait for a writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return undefined;
      if (stats.size > maxRead) return `${stats.size} ${stats.mtimeMs}`;
      return await hashBytes(new Uint8Array(await handle.readFile()));
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

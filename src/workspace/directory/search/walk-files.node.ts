import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { sortInSteps } from "../../../turn/context/sort-in-steps.ts";
import type { Slices } from "../../../turn/slices.ts";
import { createPace, type IgnoreRules, type Pace } from "../../search/ignore-rules.ts";
import { isHidden, type RuledRoot, rulesOfFolder } from "../folder-rules.node.ts";
import { withFolder } from "../held-folder.node.ts";
import { systemCode } from "../system-problem.node.ts";

/** Entries whose names are looked at between two turns of the event loop. */
const entriesOfTurn = 10;

export interface WalkParts extends RuledRoot {
  /** Folders and files that nobody may look into. */
  isClosed: (real: string) => boolean;
  slices: Slices;
  signal: AbortSignal;
  /** Whether the time is over: then no further folder is looked into. */
  isOver: () => boolean;
}

/**
 * The paths of the files below a root that may be seen, in their order as texts. Links are passed over, as are
 * folders that cannot be read.
 */
export async function* walkFiles(parts: WalkParts): AsyncGenerator<string, void, void> {
  yield* walkFolder({ ...parts, pace: createPace() }, "", parts.outer);
}

async function* walkFolder(
  parts: WalkParts & { pace: Pace },
  folder: string,
  above: IgnoreRules,
): AsyncGenerator<string, void, void> {
  const { realRoot, isClosed, slices, signal, isOver, pace } = parts;
  signal.throwIfAborted();
  const real = join(realRoot, folder);
  if (isOver() || isClosed(real)) return;
  const entries = await listNames(real);
  const rules = await rulesOfFolder(realRoot, folder, above);
  // A folder's place among its neighbours is that of the paths in it.
  const sorted = await slices.run("walk", sortInSteps(entries, compareEntries), signal);
  for (const [nth, entry] of sorted.entries()) {
    // Where all are ignored nothing else would let the event loop turn, and rules may be slow to look at.
    if (nth % entriesOfTurn === 0) await setImmediate();
    signal.throwIfAborted();
    if (isOver()) return;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (await isHidden(path, entry.isDirectory(), rules, pace)) continue;
    if (entry.isFile() && !isClosed(join(realRoot, path))) yield path;
    else if (entry.isDirectory()) yield* walkFolder(parts, path, rules);
  }
}

async function listNames(real: string): Promise<Dirent[]> {
  try {
    return await withFolder(real, (folder) => readdir(folder.at("."), { withFileTypes: true }));
  } catch (thrown) {
    if (systemCode(thrown) === undefined) throw thrown;
    return [];
  }
}

function compareEntries(one: Dirent, other: Dirent): number {
  return nameInOrder(one) < nameInOrder(other) ? -1 : 1;
}

function nameInOrder(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}

// What another program changes in a root, a command that the person lets run: found by two looks at all files, and kept
// for undo as far as the bytes before are known.
import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { comparePaths } from "../../../code/file-map.ts";
import { isGitData, isInstalledFolder, isProtected } from "../../paths/guarded-names.ts";
import type { FileChange } from "../../workspace.ts";
import {
  type WholeFile,
  hashBytes,
  isSameState,
  maxWholeFile,
  modeOf,
  readWhole,
} from "../open-file.node.ts";
import type { SearchedFolder } from "../folder-rules.node.ts";
import { createDraftName } from "../put-file.node.ts";
import { decodeText } from "../text-encoding.node.ts";
import type { RootState } from "./root-state.node.ts";

/** Entries that are looked at, bytes that are kept, files that are read at once. */
const [maxEntries, maxKept, readAtOnce] = [20_000, 64 * 1024 * 1024, 16];
/** Of one command, so many files are kept for undo. */
const maxRecorded = 2_000;

/** What a command has changed. */
export interface ForeignChanges {
  /** All files, by path; of a folder that nobody looks into, its own path with a "/" behind. */
  files: readonly string[];
  /** Those that are text, of which the text before is known. */
  changes: readonly FileChange[];
  /** Those that undo does not cover. */
  beyond: readonly string[];
  /** There are more files than were looked at. */
  isCut: boolean;
}

interface SeenEntry {
  stats: BigIntStats;
  /** Of a regular file that is not too large. */
  bytes?: Uint8Array<ArrayBuffer>;
}

/** All that is in a root, by path. */
interface Look {
  entries: Map<string, SeenEntry>;
  /** What is known of folders that nobody looks into. */
  closed: Map<string, string>;
  isCut: boolean;
}

type Watched = Pick<SearchedFolder, "realRoot" | "isClosed">;
type Records = Pick<RootState, "journal" | "resolve"> & { startTurn: () => Promise<number> };

/**
 * Looks at all files, and keeps their bytes.
 *
 * @param known an earlier look, so that what is the same is not read again
 */
export async function lookAtFiles(root: Watched, known?: Look): Promise<Look> {
  const look = await walk(root);
  let left = maxKept;
  const files = [...look.entries].filter(([, { stats }]) => stats.isFile());
  for (let at = 0; at < files.length; at += readAtOnce) {
    const some = files.slice(at, at + readAtOnce).map(async ([path, entry]) => {
      const size = Number(entry.stats.size);
      if (size > maxWholeFile || size > left) return;
      left -= size;
      const before = known?.entries.get(path);
      const read = isSame(before, entry) ? before : await readFile(root, path);
      if (read?.bytes !== undefined) look.entries.set(path, read);
    });
    await Promise.all(some);
  }
  return look;
}

/** The paths of a look; folders end with "/". */
export function listPaths({ entries, closed }: Look): string[] {
  const paths = [...entries].map(([path, { stats }]) => (stats.isDirectory() ? `${path}/` : path));
  return [...closed.keys(), ...paths];
}

/** Folders with the data of git, which nobody looks into. */
export function listGitFolders({ closed }: Look): string[] {
  return [...closed.keys()].filter((path) => !isInstalledFolder(path.split("/").at(-2) ?? ""));
}

async function readFile({ realRoot }: Watched, path: string): Promise<WholeFile | undefined> {
  const read = await readWhole({ path, real: join(realRoot, path) });
  return read.ok ? read.value : undefined;
}

function isSame(one: SeenEntry | undefined, other: SeenEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [a, b] = [one.stats, other.stats];
  return a.ino === b.ino && a.mode === b.mode && (a.isDirectory() || isSameState(a, b));
}

async function walk({ realRoot, isClosed }: Watched): Promise<Look> {
  const look: Look = { entries: new Map(), closed: new Map(), isCut: false };
  const folders = [""];
  for (const folder of folders) {
    const names = await readdir(join(realRoot, folder)).catch(() => []);
    for (const name of names) {
      if (look.entries.size >= maxEntries) return { ...look, isCut: true };
      const path = folder === "" ? name : `${folder}/${name}`;
      const real = join(realRoot, path);
      // It may be gone since.
      const stats = await lstat(real, { bigint: true }).catch(() => undefined);
      if (stats === undefined) continue;
      const isFolder = stats.isDirectory();
      if (isFolder && (isGitData(path) || isInstalledFolder(name) || isClosed(real)))
        look.closed.set(`${path}/`, await markOf(real));
      else look.entries.set(path, { stats });
      if (isFolder && !look.closed.has(`${path}/`)) folders.push(path);
    }
  }
  return look;
}

/** Another one when something at the top of the folder has changed. */
async function markOf(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).slice(0, maxEntries);
  const marks = names.map(async (name) => {
    const stats = await lstat(join(folder, name), { bigint: true }).catch(() => undefined);
    return `${name}/${stats?.mtimeNs}/${stats?.size}`;
  });
  return (await Promise.all(marks)).toSorted(comparePaths).join("\n");
}

/** Compares with a look from before, and has undo know what is different. */
export async function recordForeign(
  root: Watched,
  before: Look,
  records: Records,
): Promise<ForeignChanges> {
  const now = await walk(root);
  const paths = [...new Set([...before.entries.keys(), ...now.entries.keys()])].toSorted(
    comparePaths,
  );
  const [files, changes, beyond]: [string[], FileChange[], string[]] = [[], [], []];
  for (const path of paths) {
    const [old, entry] = [before.entries.get(path), now.entries.get(path)];
    const isFolder = (one: SeenEntry | undefined): boolean =>
      one === undefined || one.stats.isDirectory();
    // Of what comes behind the last one that was looked at nothing is known.
    const isUnseen = (old === undefined && before.isCut) || (entry === undefined && now.isCut);
    if (isSame(old, entry) || (isFolder(old) && isFolder(entry)) || isUnseen) continue;
    const both = { old, entry, before };
    // What cannot be kept must not hide what can.
    const made =
      files.length < maxRecorded && (await recordOne(root, path, both, records).catch(() => false));
    if (made === "same") continue;
    files.push(path);
    if (typeof made === "object") changes.push(made);
    else if (made !== "bytes") beyond.push(path);
  }
  const closed = new Set([...before.closed.keys(), ...now.closed.keys()]);
  for (const folder of closed)
    if (before.closed.get(folder) !== now.closed.get(folder)) {
      files.push(folder);
      beyond.push(folder);
    }
  return { files, changes, beyond, isCut: before.isCut || now.isCut };
}

interface Both {
  old: SeenEntry | undefined;
  entry: SeenEntry | undefined;
  before: Look;
}

/** @returns false where undo cannot take it back; `bytes` where it can, and there is no text to show */
async function recordOne(
  root: Watched,
  path: string,
  { old, entry, before }: Both,
  { journal, resolve, startTurn }: Records,
): Promise<FileChange | "bytes" | "same" | false> {
  const read = entry?.stats.isFile() === true ? await readFile(root, path) : undefined;
  if ((old !== undefined && old.bytes === undefined) || (entry !== undefined && read === undefined))
    return false;
  const [oldBytes, bytes] = [old?.bytes, read?.bytes];
  const hash = oldBytes === undefined ? null : await hashBytes(oldBytes);
  const after = bytes === undefined ? null : await hashBytes(bytes);
  // Touched; of another mode alone undo knows nothing.
  if (hash === after) return old?.stats.mode === read?.stats.mode ? "same" : false;
  const place = await resolve(path);
  if (!place.ok || place.value.path !== path || isProtected(path)) return false;
  const parts = path.split("/").slice(0, -1);
  const folders = parts
    .map((_, nth) => parts.slice(0, nth + 1).join("/"))
    .filter((folder) => !before.entries.has(folder));
  const isRecorded = await journal.record(await startTurn(), {
    path,
    before: old === undefined || hash === null ? null : { hash, mode: modeOf(old) },
    after,
    draft: createDraftName(),
    folders,
    bytes: oldBytes ?? new Uint8Array(),
  });
  if (!isRecorded) return false;
  const [oldText, text] = [oldBytes, bytes].map((each) => each && decodeText(each)?.text);
  const isText = (oldBytes === undefined) === (oldText === undefined);
  if (!isText || (bytes === undefined) !== (text === undefined)) return "bytes";
  return {
    path,
    before: oldText === undefined || hash === null ? undefined : { text: oldText, hash },
    after: text,
  };
}

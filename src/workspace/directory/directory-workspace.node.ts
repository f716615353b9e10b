import { lstat, opendir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import type { Approvals } from "../approvals.ts";
import { createLocks } from "../locks.ts";
import { isGitData, isSecretPath } from "../paths/guarded-names.ts";
import { resolveWritten } from "../paths/resolve-written.ts";
import { refusePath, refuseSystem, succeed } from "../problems.ts";
import type {
  FileChange,
  ListOptions,
  Workspace,
  WorkspaceEntry,
  WorkspaceListing,
  WorkspaceResult,
} from "../workspace.ts";
import { checkChange, writeRecorded } from "./write-change.node.ts";
import {
  type GitPlaces,
  type IgnoreRules,
  type RuledRoot,
  type SearchedFolder,
  findDataFolders,
  isHidden,
  isSecretOrIgnored,
  readOuterRules,
  rulesInside,
  rulesOfFolder,
} from "./folder-rules.node.ts";
import { type Place, createLinkNames, isUnder } from "./resolve-path.node.ts";
import type { EditorFiles } from "./editor-files.node.ts";
import {
  type ForeignChanges,
  listGitFolders,
  listPaths,
  lookAtFiles,
  recordForeign,
} from "./journal/foreign-changes.node.ts";
import { readFileAt } from "./read-file.node.ts";
import { type RootStateParts, openRootState } from "./journal/root-state.node.ts";
import type { Dirent } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { withFolder } from "./open-file.node.ts";

export interface DirectoryWorkspaceParts extends RootStateParts {
  /** What the person asked for, shown in the list of what can be undone. */
  request: string;
  approvals: Approvals;
  /** Looks through the files. */
  search: SearchFolder;
  /** Where the person's own settings of git are; without them their own ignore file does not count. */
  gitPlaces?: GitPlaces;
  /** Where files are open; what it shows counts, and what is written goes through it. Searches see the disk. */
  editor?: EditorFiles | undefined;
}

/** Searches below a real root. */
export type SearchFolder = (
  folder: SearchedFolder,
  ...query: Parameters<Workspace["search"]>
) => ReturnType<Workspace["search"]>;

interface Watch {
  /** All that is in the root; folders end with "/". */
  paths: readonly string[];
  /** Those of them that hold the data of git. */
  gitFolders: readonly string[];
  /** Finds out what was changed since, and has undo know it. */
  findChanges: () => Promise<ForeignChanges>;
}

/** A workspace of one folder. It lasts for one turn, whose changes are undone together. */
export interface DirectoryWorkspace extends Workspace {
  /** All names of a path as `locate` gives it, its own first: links below the root lead to it by the others. */
  namesOf(path: string): Promise<readonly string[]>;
  /** Looks at all files before another program runs here. */
  watch(): Promise<WorkspaceResult<Watch>>;
  /** The number of the turn, for undo; undefined while nothing was written. */
  readonly turn: number | undefined;
  /** The process that worked in the folder when it was opened. */
  readonly lockedBy: number | undefined;
  /** Gives the lock back. */
  close(): Promise<void>;
}

/**
 * Opens a folder of the disk. Only the terminal does: no request of a door ever gets the server's disk.
 *
 * @throws Error if the root is not a folder
 */
export async function createDirectoryWorkspace({
  request,
  approvals,
  search,
  gitPlaces,
  editor,
  ...parts
}: DirectoryWorkspaceParts): Promise<DirectoryWorkspace> {
  if (!(await stat(parts.root)).isDirectory()) throw new Error(`${parts.root} is not a folder.`);
  const state = await openRootState(parts);
  const { shownRoot, realRoot, resolve, lockedBy } = state;
  // That nothing can be recorded is better known now than at the first write.
  if (lockedBy === undefined && (await state.takeLock()) === undefined) await state.release();
  const closed = await findClosedFolders(realRoot, parts.stateFolder);
  const outer = await readOuterRules(realRoot, gitPlaces);
  const locks = createLocks();
  const findLinks = createLinkNames(realRoot);
  let started: Promise<number> | undefined;
  let lastLook: Awaited<ReturnType<typeof lookAtFiles>> | undefined;
  let turn: number | undefined;

  const isClosed = (real: string): boolean => closed.some((folder) => isUnder(folder, real));
  const folder: SearchedFolder = { realRoot, outer, isClosed };
  const rootNames = [basename(shownRoot), basename(realRoot)];
  /** A path as a model writes it; all others are as this has given them. */
  const find = (written: string): Promise<WorkspaceResult<Place>> =>
    resolveWritten(written, rootNames, resolve);
  /** Whatever leads to a place: who may not have it by one name does not get it by another. */
  const namesOf = async ({ path, written }: Place): Promise<readonly string[]> => [
    written,
    ...(await findLinks())(path),
  ];
  /** A path that may be looked at, with its names; the data of git and our own journal never are. */
  const locate = async (
    written: string,
  ): Promise<WorkspaceResult<{ place: Place; names: readonly string[] }>> => {
    const located = await find(written);
    if (!located.ok) return located;
    const place = located.value;
    const names = await namesOf(place);
    return names.some(isGitData) || isClosed(place.real)
      ? refusePath("protected", place.path)
      : succeed({ place, names });
  };
  const check = async (change: FileChange): ReturnType<typeof checkChange> => {
    const checked = await checkChange(change, resolve, namesOf, editor);
    if (!checked.ok || !isClosed(checked.value.real)) return checked;
    return refusePath("protected", checked.value.path);
  };
  const begin = async (): Promise<number> => {
    started ??= state.journal.start(request);
    turn = await started;
    return turn;
  };
  const startTurn = async (path: string): Promise<WorkspaceResult<number>> => {
    try {
      return succeed(await begin());
    } catch (thrown) {
      started = undefined;
      return refuseSystem(thrown, path);
    }
  };

  return {
    root: shownRoot,
    effect: "files",
    lockedBy,
    get turn() {
      return turn;
    },
    async locate(written) {
      const located = await find(written);
      return located.ok ? succeed(located.value.path) : located;
    },
    namesOf: async (path) => (await findLinks())(path),
    async read(written, options) {
      options.signal.throwIfAborted();
      const located = await locate(written);
      if (!located.ok) return located;
      const { place, names } = located.value;
      const isSecret = async (): Promise<boolean> =>
        names.some((name) => isSecretPath(name)) || isSecretOrIgnored(folder, place.path);
      return options.mayBeSecret === true || !(await isSecret())
        ? readFileAt(place, options, editor)
        : refusePath("secret", place.path);
    },
    async list(written, options) {
      options.signal.throwIfAborted();
      const located = await locate(written);
      if (!located.ok) return located;
      const { place, names } = located.value;
      return names.some((name) => isSecretPath(name, true))
        ? refusePath("secret", place.path)
        : listFolder(folder, place, options);
    },
    async search(query, options) {
      options.signal.throwIfAborted();
      const namesAt = await findLinks();
      const isHiddenName = (name: string): boolean => isSecretPath(name) || isGitData(name);
      const isUnsearched = (real: string): boolean =>
        isClosed(real) ||
        namesAt(relative(realRoot, real).replaceAll(sep, "/")).slice(1).some(isHiddenName);
      return search({ ...folder, isClosed: isUnsearched }, query, options);
    },
    async check(change, { signal }) {
      signal.throwIfAborted();
      const checked = await check(change);
      return checked.ok ? succeed(checked.value.change) : checked;
    },
    async apply(change, approval, { signal }) {
      signal.throwIfAborted();
      const located = await resolve(change.path);
      if (!located.ok) return located;
      return locks.run(located.value.real, async () => {
        signal.throwIfAborted();
        const locked = await state.takeLock();
        if (locked !== undefined) return locked;
        const checked = await check(change);
        if (!checked.ok) return checked;
        const { change: ready, path } = checked.value;
        if (!(await approvals.spend(ready, approval))) return refusePath("not-approved", path);
        const begun = await startTurn(path);
        if (!begun.ok) return begun;
        const written = await writeRecorded(checked.value, state, begun.value, editor);
        return written.ok ? succeed(ready) : written;
      });
    },
    async watch() {
      const locked = await state.takeLock();
      if (locked !== undefined) return locked;
      const before = await lookAtFiles(folder, lastLook);
      lastLook = before;
      const findChanges = () => recordForeign(folder, before, { ...state, startTurn: begin });
      return succeed({ paths: listPaths(before), gitFolders: listGitFolders(before), findChanges });
    },
    close: () => state.release(),
  };
}

/** Our own journal, and the data of git where they are in the root under another name than `.git`. */
async function findClosedFolders(realRoot: string, stateFolder: string): Promise<string[]> {
  const closed = [await realpath(stateFolder)];
  for (const folder of await findDataFolders(realRoot)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined && real !== realRoot && isUnder(realRoot, real)) closed.push(real);
  }
  return [...new Set(closed)];
}

/** Entries of one listing, over all its folders. */
const maxListed = 5_000;
/** Entries of one folder that are looked at; of a larger one the rest is counted as `more`, unseen. */
const maxLookedAt = 250_000;
/** Entries that are taken from the system at once. */
const namesAtOnce = 1_024;
/** Entries that are kept beyond those that are wanted, until all are sorted. */
const maxUnsorted = 1_024;
/** Names that are looked at before others get their turn. */
const namesInOneGo = 64;

interface Listing {
  realRoot: string;
  maxEntries: number;
  signal: AbortSignal;
  /** Entries that may still be listed. */
  left: number;
}

/** Lists a folder, by name. Links are named for what they lead to, and not followed further. */
async function listFolder(
  root: RuledRoot,
  { path, real, isThere }: Place,
  { maxEntries, depth, signal }: ListOptions,
): Promise<WorkspaceResult<WorkspaceListing>> {
  if (!isThere) return refusePath("not-found", path);
  try {
    if (!(await lstat(real)).isDirectory()) return refusePath("wrong-kind", path);
    const rules = await rulesInside(root, path);
    if (rules === undefined) return refusePath("secret", path);
    const { realRoot } = root;
    const listing: Listing = { realRoot, maxEntries, signal, left: maxListed };
    const inside = await listInside(listing, path, rules, depth);
    return succeed({ path, ...inside });
  } catch (thrown) {
    signal.throwIfAborted();
    return refuseSystem(thrown, path);
  }
}

type Inside = Pick<WorkspaceListing, "entries" | "more">;

async function listInside(
  listing: Listing,
  folder: string,
  rules: IgnoreRules,
  depth: number,
): Promise<Inside> {
  const { first, more } = await firstNames(listing, folder, rules);
  const entries: WorkspaceEntry[] = [];
  for (const entry of first) {
    listing.signal.throwIfAborted();
    listing.left -= 1;
    entries.push(await describeEntry(listing, folder, entry));
  }
  for (const [nth, entry] of entries.entries()) {
    const path = pathIn(folder, entry.name);
    if (depth <= 0 || listing.left <= 0) break;
    // Links are not followed.
    if (entry.kind !== "folder" || first[nth]?.isDirectory() !== true) continue;
    const inner = await rulesOfFolder(listing.realRoot, path, rules);
    try {
      entry.inside = await listInside(listing, path, inner, depth - 1);
    } catch (thrown) {
      // One folder that cannot be read does not spoil the rest.
      listing.signal.throwIfAborted();
      refuseSystem(thrown, path);
    }
  }
  return { entries, more };
}

/** The first entries by name, kept while all are seen once: a folder may have hundreds of thousands. */
function firstNames(
  { realRoot, maxEntries, signal, left }: Listing,
  folder: string,
  rules: IgnoreRules,
): Promise<{ first: Dirent[]; more: number }> {
  return withFolder(join(realRoot, folder), async (held) => {
    const most = Math.max(0, Math.min(maxEntries, left));
    const first: Dirent[] = [];
    let [shown, seen] = [0, 0];
    for await (const entry of await opendir(held.at("."), { bufferSize: namesAtOnce })) {
      seen += 1;
      if (seen % namesInOneGo === 0) {
        await setImmediate();
        signal.throwIfAborted();
      }
      const isUnseen = seen > maxLookedAt;
      if (!isUnseen && isHidden(pathIn(folder, entry.name), entry.isDirectory(), rules)) continue;
      shown += 1;
      if (!isUnseen) first.push(entry);
      if (first.length > most + maxUnsorted) keepFirst(first, most);
    }
    keepFirst(first, most);
    return { first, more: shown - first.length };
  });
}

function keepFirst(entries: Dirent[], most: number): void {
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  entries.length = Math.min(entries.length, most);
}

async function describeEntry(
  { realRoot }: Listing,
  folder: string,
  entry: Dirent,
): Promise<WorkspaceEntry> {
  const { name } = entry;
  try {
    const here = join(realRoot, folder, name);
    const real = entry.isSymbolicLink() ? await realpath(here) : here;
    if (!isUnder(realRoot, real)) return { name, kind: "other" };
    const stats = await stat(real);
    if (stats.isDirectory()) return { name, kind: "folder" };
    return stats.isFile() ? { name, kind: "file", size: stats.size } : { name, kind: "other" };
  } catch {
    // It is gone since it was seen, or a link to nothing.
    return { name, kind: "other" };
  }
}

function pathIn(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

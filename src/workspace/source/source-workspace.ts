import { breathe } from "../../base/wire/patient-timer.ts";
import type { Approvals } from "../approvals.ts";
import { createLocks } from "../locks.ts";
import { isGitData, isProtected, isSecretPath } from "../paths/guarded-names.ts";
import { resolveWritten } from "../paths/resolve-written.ts";
import { type Refusal, refusePath, succeed } from "../problems.ts";
import {
  type CompilePattern,
  type PreparedSearch,
  prepareSearch,
  searchPaths,
} from "../search/prepare-search.ts";
import type {
  FileChange,
  ListOptions,
  SearchResult,
  Workspace,
  WorkspaceEntry,
  WorkspaceListing,
  WorkspaceResult,
} from "../workspace.ts";
import { type ChangeableSource, type HeldFile, type ListedFile, toFile } from "./held-file.ts";

export interface SourceWorkspaceParts extends Pick<Workspace, "root" | "effect"> {
  source: ChangeableSource;
  /** The path that is meant, as the source knows it; "" is the root. */
  locate: (written: string) => WorkspaceResult<string>;
  approvals: Approvals;
  /** Undefined without an engine for expressions, as on Workers: then searches look for plain text. */
  compile?: CompilePattern | undefined;
  /** Milliseconds; searches end in time by it. */
  now: () => number;
}

/** New texts of a change, in UTF-16 code units. */
const maxNewText = 2 * 1024 * 1024;

/** A workspace over whole texts: it keeps secrets, protected names and approvals, wherever the texts lie. */
export function createSourceWorkspace(parts: SourceWorkspaceParts): Workspace {
  const { root, effect, source, locate, approvals, compile } = parts;
  const locks = createLocks();

  const names = root
    .split(/[\\/]/)
    .filter((name) => name !== "")
    .slice(-1);
  /** A path as a model writes it. */
  const find = async (written: string, signal: AbortSignal): Promise<WorkspaceResult<string>> => {
    const found = await resolveWritten(written, names, async (each, isLocatedOnly = false) => {
      const located = locate(each);
      if (!located.ok) return located;
      const path = located.value;
      const isThere =
        !isLocatedOnly && (path === "" || (await isSeen(path, each === written, source, signal)));
      return succeed({ path, isThere });
    });
    return found.ok ? succeed(found.value.path) : found;
  };
  const check = async (
    change: FileChange,
    signal: AbortSignal,
  ): Promise<WorkspaceResult<CheckedChange>> => {
    const located = locate(change.path);
    if (!located.ok) return located;
    const path = located.value;
    const refusal = refuseChange({ ...change, path });
    if (refusal !== undefined) return refusal;
    const found = await source.find(path, signal);
    return found.ok ? compare({ ...change, path }, found.value) : found;
  };

  return {
    root,
    effect,
    ...(compile === undefined ? { searchesPlainText: true } : {}),
    locate: (written) => find(written, new AbortController().signal),
    async read(written, { signal, lines, mayBeSecret = false }) {
      signal.throwIfAborted();
      const located = await find(written, signal);
      if (!located.ok) return located;
      const path = located.value;
      if (isGitData(path)) return refusePath("protected", path);
      if (isSecretPath(path) && !mayBeSecret) return refusePath("secret", path);
      if (path === "") return refusePath("wrong-kind", written);
      const found = await source.find(path, signal);
      if (!found.ok) return found;
      if (found.value !== undefined) return succeed(toFile(found.value, lines));
      const { files } = await source.list(path, signal);
      return refusePath(files.length > 0 ? "wrong-kind" : "not-found", path);
    },
    async list(written, options) {
      const { signal } = options;
      signal.throwIfAborted();
      const located = await find(written, signal);
      if (!located.ok) return located;
      const path = located.value;
      const { files } = await source.list(path, signal);
      const shown = files.filter((file) => isShown(file.path));
      const prefix = path === "" ? "" : `${path}/`;
      if (shown.length > 0 || path === "")
        return succeed({ path, ...listFolder(prefix, shown, options) });
      const found = await source.find(path, signal);
      const isFile = found.ok && found.value !== undefined;
      return refusePath(isFile && isShown(path) ? "wrong-kind" : "not-found", path);
    },
    async search(query, { signal }) {
      signal.throwIfAborted();
      const prepared = prepareSearch(query, compile);
      return prepared.ok ? succeed(await searchSource(prepared.value, parts, signal)) : prepared;
    },
    async check(change, { signal }) {
      signal.throwIfAborted();
      const checked = await check(change, signal);
      return checked.ok ? succeed(checked.value.change) : checked;
    },
    async apply(change, approval, { signal }) {
      signal.throwIfAborted();
      const located = locate(change.path);
      if (!located.ok) return located;
      return locks.run(located.value, async () => {
        signal.throwIfAborted();
        const checked = await check(change, signal);
        if (!checked.ok) return checked;
        const { change: made, before } = checked.value;
        if (!(await approvals.spend(made, approval))) return refusePath("not-approved", made.path);
        const put = await source.put(made, before, signal);
        return put.ok ? succeed(made) : put;
      });
    },
  };
}

/** Whether there is a file, or a folder with files. What was not written so is only looked for in the list. */
async function isSeen(
  path: string,
  isWritten: boolean,
  source: ChangeableSource,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isShown(path)) return false;
  if (isWritten) {
    const found = await source.find(path, signal);
    if (!found.ok || found.value !== undefined) return true;
  }
  const { files } = await source.list("", signal);
  return files.some((file) => file.path === path || file.path.startsWith(`${path}/`));
}

interface CheckedChange {
  change: FileChange;
  before: HeldFile | undefined;
}

/** What may never be written, whatever is there. */
function refuseChange({ path, after }: FileChange): Refusal | undefined {
  if (path === "") return refusePath("outside", path);
  if (isProtected(path)) return refusePath("protected", path);
  const isText = after === undefined || (after.isWellFormed() && after.length <= maxNewText);
  return isText ? undefined : refusePath("failed", path);
}

/** Whether a change was made for the file as it is. */
function compare(change: FileChange, held: HeldFile | undefined): WorkspaceResult<CheckedChange> {
  const { path, before } = change;
  if (before === undefined)
    return held === undefined ? succeed({ change, before: undefined }) : refusePath("exists", path);
  if (held === undefined) return refusePath("not-found", path);
  if (held.isPart) return refusePath("read-only", path);
  const isSame = held.hash === before.hash && held.text === before.text;
  return isSame ? succeed({ change, before: held }) : refusePath("stale", path);
}

/**
 * What a folder has in it; folders are where files are.
 *
 * @param prefix the path of the folder, with "/" at its end
 * @param files all below the folder
 */
function listFolder(
  prefix: string,
  files: readonly ListedFile[],
  { maxEntries, depth }: Pick<ListOptions, "maxEntries" | "depth">,
): Pick<WorkspaceListing, "entries" | "more"> {
  const byName = Map.groupBy(files, ({ path }) => path.slice(prefix.length).split("/", 1)[0] ?? "");
  const names = [...byName.keys()].sort();
  const entries = names.slice(0, maxEntries).map((name): WorkspaceEntry => {
    const below = byName.get(name) ?? [];
    const file = below.find(({ path }) => path === `${prefix}${name}`);
    if (file !== undefined)
      return { name, kind: "file", ...(file.size === undefined ? {} : { size: file.size() }) };
    if (depth <= 0) return { name, kind: "folder" };
    const inside = listFolder(`${prefix}${name}/`, below, { maxEntries, depth: depth - 1 });
    return { name, kind: "folder", inside };
  });
  return { entries, more: Math.max(0, names.length - maxEntries) };
}

/** Files that are searched before others get their turn. */
const filesInOneGo = 16;
/** Files, characters and milliseconds of one search. */
const maxFiles = 2_000;
const maxCharacters = 16 * 1024 * 1024;
const maxTime = 10_000;

/** Looks through the files of a source in their order, until there are enough hits or a limit is reached. */
async function searchSource(
  search: PreparedSearch,
  { source, now }: SourceWorkspaceParts,
  signal: AbortSignal,
): Promise<SearchResult> {
  const until = now() + maxTime;
  const listed = await source.list("", signal);
  const paths = choosePaths(listed.files, search);
  let [next, left] = [0, maxCharacters];
  const result = await searchPaths(search, eachPath(), {
    signal,
    isOver: () => next < paths.length && (next >= maxFiles || left <= 0 || now() > until),
    async read(path) {
      const found = await source.find(path, signal);
      if (!found.ok) return found.problem.code === "too-large" ? "too-large" : undefined;
      left -= found.value?.text.length ?? 0;
      return found.value;
    },
  });
  return { ...result, isCut: result.isCut || (listed.isCut && !result.hasMore) };

  async function* eachPath(): AsyncGenerator<string, void, void> {
    for (const path of paths) {
      if (next % filesInOneGo === 0) await breathe();
      next += 1;
      yield path;
    }
  }
}

function choosePaths(files: readonly ListedFile[], { wants }: PreparedSearch): string[] {
  return files
    .map(({ path }) => path)
    .filter((path) => isShown(path) && wants(path))
    .sort();
}

/** Whether a file is listed and searched unasked. */
function isShown(path: string): boolean {
  return !isSecretPath(path) && !isGitData(path);
}

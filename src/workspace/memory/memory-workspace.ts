import { hashText } from "../../state/sealed-state.ts";
import { timerSlices, type Slices } from "../../turn/slices.ts";
import type { Approvals } from "../approvals.ts";
import { cutLines } from "../line-range.ts";
import { countLines } from "../line-operations.ts";
import { isGitData, isProtected, isSecretPath } from "../paths/guarded-names.ts";
import { refusePath, succeed } from "../problems.ts";
import { findHits } from "../search/find-hits.ts";
import { type CompilePattern, prepareSearch } from "../search/prepare-search.ts";
import type {
  FileChange,
  SearchHit,
  Workspace,
  WorkspaceFile,
  WorkspaceResult,
} from "../workspace.ts";
import type { MemoryFile } from "./files-of-context.ts";
import { listHeld } from "./list-held.ts";
import { createPathBook, type HeldFile, holdFiles } from "./memory-files.ts";

export interface MemoryWorkspaceParts {
  files: readonly MemoryFile[];
  approvals: Approvals;
  /** Undefined where there is no engine for expressions, as on Workers: then searches look for plain text. */
  compile?: CompilePattern;
  slices?: Slices;
}

/** A workspace of files in memory. */
export interface MemoryWorkspace extends Workspace {
  /** What became of the files, by path: one change for each that is not as it came. */
  listChanges(): FileChange[];
}

/** New texts of a change, in UTF-16 code units. */
const maxNewText = 2 * 1024 * 1024;

/**
 * The files that came with a request, and proposals of what should become of them. Its root is "/"; the names
 * that the client gave to its files lead to them, as does the end of such a name where only one has it.
 */
export async function createMemoryWorkspace({
  files,
  approvals,
  compile,
  slices = timerSlices(),
}: MemoryWorkspaceParts): Promise<MemoryWorkspace> {
  const given = new Map((await holdFiles(files)).map((file) => [file.path, file]));
  const now = new Map(given);
  const book = createPathBook(
    files,
    () => now.keys(),
    (path) => now.has(path),
  );

  const check = async (change: FileChange): Promise<WorkspaceResult<FileChange>> => {
    const located = book.locate(change.path);
    if (!located.ok) return located;
    const path = located.value;
    if (path === "") return refusePath("outside", change.path);
    if (isProtected(path)) return refusePath("protected", path);
    const { before, after } = change;
    if (after !== undefined && (!after.isWellFormed() || after.length > maxNewText))
      return refusePath("failed", path);
    const held = now.get(path);
    if (before === undefined)
      return held === undefined ? succeed({ ...change, path }) : refusePath("exists", path);
    if (held === undefined) return refusePath("not-found", path);
    if (held.isPart) return refusePath("read-only", path);
    const isSame = held.hash === before.hash && held.text === before.text;
    return isSame ? succeed({ ...change, path }) : refusePath("stale", path);
  };

  return {
    root: "/",
    effect: "proposals",
    async locate(path) {
      return book.locate(path);
    },
    async read(written, { signal, lines, mayBeSecret = false }) {
      signal.throwIfAborted();
      const located = book.locate(written);
      if (!located.ok) return located;
      const path = located.value;
      if (isGitData(path)) return refusePath("protected", path);
      if (isSecretPath(path) && !mayBeSecret) return refusePath("secret", path);
      const held = now.get(path);
      if (held !== undefined) return succeed(toFile(held, lines));
      return refusePath(isFolderOf(path, now.keys()) ? "wrong-kind" : "not-found", path);
    },
    async list(written, options) {
      options.signal.throwIfAborted();
      const located = book.locate(written);
      if (!located.ok) return located;
      return listHeld(located.value, [...now.values()].filter(isShown), options);
    },
    async search(query, { signal }) {
      signal.throwIfAborted();
      const prepared = prepareSearch(query, compile);
      if (!prepared.ok) return prepared;
      const { value: search } = prepared;
      const hits: SearchHit[] = [];
      const shown = [...now.values()].filter((file) => isShown(file) && search.wants(file.path));
      for (const { path, text, startLine } of shown.sort(comparePaths)) {
        const left = search.maxHits + 1 - hits.length;
        if (left <= 0) break;
        const found = await slices.run("search", findHits(path, text, search, left), signal);
        hits.push(...found.map((hit) => ({ ...hit, line: hit.line + startLine - 1 })));
      }
      const hasMore = hits.length > search.maxHits;
      return succeed({
        hits: hits.slice(0, search.maxHits),
        hasMore,
        isCut: false,
        isPlain: search.isPlain,
      });
    },
    async check(change, { signal }) {
      signal.throwIfAborted();
      return check(change);
    },
    async apply(change, approval, { signal }) {
      signal.throwIfAborted();
      const checked = await check(change);
      if (!checked.ok) return checked;
      const { path, after } = checked.value;
      const bom = now.get(path)?.bom ?? false;
      const hash = await hashText((bom ? "\ufeff" : "") + (after ?? ""));
      if (!(await approvals.spend(checked.value, approval)))
        return refusePath("not-approved", path);
      // Others may have had their turn since the check; from here to the end nobody has.
      const held = now.get(path);
      if (held?.hash !== change.before?.hash) return refusePath("stale", path);
      if (after === undefined) now.delete(path);
      else now.set(path, { path, text: after, bom, startLine: 1, isPart: false, hash });
      return checked;
    },
    listChanges() {
      const paths = [...new Set([...given.keys(), ...now.keys()])].sort();
      return paths.flatMap((path) => {
        const [before, after] = [given.get(path), now.get(path)];
        if (before?.hash === after?.hash) return [];
        return [
          { path, before: before && { text: before.text, hash: before.hash }, after: after?.text },
        ];
      });
    },
  };
}

function isShown({ path }: HeldFile): boolean {
  return !isSecretPath(path) && !isGitData(path);
}

function comparePaths(left: HeldFile, right: HeldFile): number {
  return left.path < right.path ? -1 : 1;
}

function isFolderOf(path: string, known: Iterable<string>): boolean {
  for (const other of known) if (path === "" || other.startsWith(`${path}/`)) return true;
  return false;
}

function toFile(
  { path, text, bom, startLine, isPart, hash }: HeldFile,
  lines: { startLine: number; endLine: number } | undefined,
): WorkspaceFile {
  const above = startLine - 1;
  const cut = cutLines(
    text,
    lines && { startLine: lines.startLine - above, endLine: lines.endLine - above },
  );
  return {
    path,
    text: cut.text,
    startLine: cut.startLine + above,
    totalLines: countLines(text) + above,
    hash,
    encoding: "utf-8",
    bom,
    size: new TextEncoder().encode(text).length + (bom ? 3 : 0),
    isPart: isPart || cut.isPart,
  };
}

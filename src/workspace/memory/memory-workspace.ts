import { timerSlices, type Slices } from "../../turn/slices.ts";
import type { Approvals } from "../approvals.ts";
import { succeed } from "../problems.ts";
import type { CompilePattern } from "../search/prepare-search.ts";
import { type ChangedFile, toChange } from "../source/changed-files.ts";
import type { FileSource } from "../source/file-source.ts";
import { type HeldFile, sizeOf } from "../source/held-file.ts";
import { Proposals } from "../source/proposals.ts";
import { createSourceWorkspace } from "../source/source-workspace.ts";
import type { FileChange, Workspace } from "../workspace.ts";
import type { MemoryFile } from "./files-of-context.ts";
import { createNaming, createPathBook, holdFiles } from "./memory-files.ts";

export interface MemoryWorkspaceParts {
  files: readonly MemoryFile[];
  approvals: Approvals;
  /** Undefined without an engine for expressions, as on Workers: then searches look for plain text. */
  compile?: CompilePattern | undefined;
  slices?: Slices;
}

/** A workspace of files in memory. */
export interface MemoryWorkspace extends Workspace {
  /** How the client names the file of a path: with its own root, drive and slashes. */
  nameOf(path: string): string;
  /** What became of the files, by path: one change for each that is not as it came. */
  listChanges(): FileChange[];
  /** The same with what belongs to the files beside their texts. */
  listChanged(): ChangedFile[];
}

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
  const source = new Proposals(sourceOf(given));
  const { changed } = source;
  const has = (path: string): boolean => {
    const made = changed.find(path);
    return made === undefined ? given.has(path) : made.now !== undefined;
  };
  const paths = (): string[] =>
    [...given.keys(), ...[...changed.all()].map(({ path }) => path)].filter(has);
  const book = createPathBook(files, () => new Set(paths()), has);
  const workspace = createSourceWorkspace({
    root: "/",
    effect: "proposals",
    source,
    locate: (written) => book.locate(written),
    approvals,
    compile,
    slices,
    // Nothing is waited for that would have to end in time.
    now: () => 0,
  });
  const listChanged = (): ChangedFile[] => changed.list();
  return {
    ...workspace,
    listChanged,
    listChanges: () => listChanged().map(toChange),
    nameOf: createNaming(files.map(({ name }) => name)),
  };
}

function sourceOf(given: ReadonlyMap<string, HeldFile>): FileSource {
  return {
    async find(path) {
      return succeed(given.get(path));
    },
    async list(folder) {
      const prefix = folder === "" ? "" : `${folder}/`;
      const inside = [...given.values()].filter(({ path }) => path.startsWith(prefix));
      const files = inside.map((file) => ({ path: file.path, size: () => sizeOf(file) }));
      return { files, isCut: false };
    },
  };
}

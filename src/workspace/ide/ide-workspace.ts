import { type Slices, timerSlices } from "../../turn/slices.ts";
import type { Approvals } from "../approvals.ts";
import type { CompilePattern } from "../search/prepare-search.ts";
import type { ChangedFile } from "../source/changed-files.ts";
import { Proposals } from "../source/proposals.ts";
import { createSourceWorkspace } from "../source/source-workspace.ts";
import type { Workspace } from "../workspace.ts";
import type { IdeFiles } from "./ide-files.ts";
import { createIdeRoot } from "./ide-root.ts";
import { createIdeSource } from "./ide-source.ts";
import { IdeWrites } from "./ide-writes.ts";

export interface IdeWorkspaceParts {
  files: IdeFiles;
  /** The absolute path of the project, as the IDE's system writes it. */
  root: string;
  /** Names of files that are known already: listed and searched also where the IDE lists nothing. */
  known?: readonly string[];
  approvals: Approvals;
  compile?: CompilePattern | undefined;
  slices?: Slices;
  /** Milliseconds; need not be the time of day. */
  now: () => number;
}

/** A workspace of an IDE's project. */
export interface IdeWorkspace extends Workspace {
  /** The files that were written, or are proposed, each from what it was to what it is. */
  listChanged(): ChangedFile[];
}

/**
 * The files of an IDE's project. Paths are resolved as texts alone; where links lead is for the IDE to judge. An
 * IDE that can write asks its person, and that is the approval; without one, changes are proposals.
 *
 * @returns undefined if the root is not an absolute path
 */
export function createIdeWorkspace({
  files,
  root,
  known = [],
  approvals,
  compile,
  slices = timerSlices(),
  now,
}: IdeWorkspaceParts): IdeWorkspace | undefined {
  const place = createIdeRoot(root);
  if (place === undefined) return undefined;
  const paths = known.flatMap((name) => {
    const located = place.locate(name);
    return located.ok && located.value !== "" ? [located.value] : [];
  });
  const base = createIdeSource({ files, root: place, known: paths, slices, now });
  const { write } = files;
  const source = write === undefined ? new Proposals(base) : new IdeWrites(base, place, write);
  const workspace = createSourceWorkspace({
    root,
    effect: write === undefined ? "proposals" : "files",
    source,
    locate: (written) => place.locate(written),
    approvals,
    compile,
    slices,
    now,
  });
  return { ...workspace, listChanged: () => source.changed.list() };
}

import type { Approvals } from "../approvals.ts";
import type { CompilePattern } from "../search/prepare-search.ts";
import {
  type ChangeableSource,
  type ChangedFile,
  ChangedFiles,
  Proposals,
  holdChange,
  wholeText,
} from "../source/held-file.ts";
import { createSourceWorkspace } from "../source/source-workspace.ts";
import type { Workspace, WorkspaceResult } from "../workspace.ts";
import {
  type IdeFiles,
  type IdeRoot,
  type IdeSource,
  createIdeRoot,
  createIdeSource,
} from "./ide-source.ts";
import { oneLine } from "../../turn/context/one-line.ts";
import { quotePath, refuse, refusePath, succeed } from "../problems.ts";

export interface IdeWorkspaceParts {
  files: IdeFiles;
  /** The absolute path of the project, as the IDE's system writes it. */
  root: string;
  /** Names of files that are known already: listed and searched also where the IDE lists nothing. */
  known?: readonly string[];
  approvals: Approvals;
  compile?: CompilePattern | undefined;
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
  now,
}: IdeWorkspaceParts): IdeWorkspace | undefined {
  const place = createIdeRoot(root);
  if (place === undefined) return undefined;
  const paths = known.flatMap((name) => {
    const located = place.locate(name);
    return located.ok && located.value !== "" ? [located.value] : [];
  });
  const base = createIdeSource({ files, root: place, known: paths, now });
  const { write } = files;
  const source = write === undefined ? new Proposals(base) : writeThrough(base, place, write);
  const workspace = createSourceWorkspace({
    root,
    effect: write === undefined ? "proposals" : "files",
    source,
    locate: (written) => place.locate(written),
    approvals,
    compile,
    now,
  });
  return { ...workspace, listChanged: () => source.changed.list() };
}

/** Of a reason, in characters. */
const maxReason = 300;

/** Has an IDE write changes, and believes only what it reads afterwards. */
function writeThrough(
  base: IdeSource,
  root: IdeRoot,
  write: NonNullable<IdeFiles["write"]>,
): ChangeableSource & { changed: ChangedFiles } {
  const changed = new ChangedFiles();
  return {
    ...base,
    changed,
    async put(change, before, signal) {
      const { path } = change;
      const wanted = await holdChange(change, before);
      const abspath = root.toAbsolute(path);
      const text = wanted === undefined ? null : wholeText(wanted);
      const written = await write({ abspath, hashBefore: before?.hash ?? null, text }, signal);
      base.forget(path);
      const found = await base.find(path, signal);
      // Whatever the IDE says: this is what counts.
      if (found.ok && found.value?.hash === wanted?.hash) {
        changed.note(path, before, wanted);
        return succeed(undefined);
      }
      if (written.ok) return unverified(path);
      const isSame = found.ok && found.value?.hash === before?.hash;
      return isSame ? refused(path, written.reason) : refusePath("stale", path);
    },
  };
}

function refused(path: string, reason: string): WorkspaceResult<undefined> {
  const shown = oneLine(reason.slice(0, maxReason)).trim();
  const quoted = shown === "" ? "" : JSON.stringify(shown);
  return refuse(
    "not-approved",
    `The IDE did not write ${quotePath(path)}${quoted && `; it says: ${quoted}`}. Do not send the same change again: do what the person asks for, or finish and say what is left to do.`,
    `IDE 没有写入 ${quotePath(path)}${quoted && `，原因是：${quoted}`}。请不要再次提交同样的修改：按用户的要求处理，或结束并说明还需要做什么。`,
  );
}

function unverified(path: string): WorkspaceResult<undefined> {
  return refuse(
    "failed",
    `The IDE says that ${quotePath(path)} was written, but the file does not have the new text. Read it again to see what is there.`,
    `IDE 表示已写入 ${quotePath(path)}，但文件内容不是新的文本。请重新读取，查看实际内容。`,
  );
}

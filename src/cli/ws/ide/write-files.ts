import { homedir } from "node:os";
import * as z from "zod";
import { hashText } from "../../../turn/state/sealed-state.ts";
import { createApprovals } from "../../../workspace/approvals.ts";
import {
  createDirectoryWorkspace,
  type DirectoryWorkspace,
} from "../../../workspace/directory/directory-workspace.node.ts";
import { findStateFolder } from "../../../workspace/directory/journal/state-folder.node.ts";
import { createPathLocks } from "../../../workspace/path-locks.ts";
import { printChanges } from "../../../workspace/print-changes.ts";
import type { FileChange } from "../../../workspace/workspace.ts";
import type { IdeAnswer } from "./answer-ide.ts";
import { isHidden } from "./list-project-files.ts";

const Params = z.looseObject({
  abspath: z.string().min(1).max(4_096),
  before_hash: z.string().max(64).nullable(),
  text: z
    .string()
    .max(2 * 1_024 * 1_024)
    .nullable(),
});

/** Whether the person agrees to a change of a file, its path and all its names from the root; a text is why not. */
export type AskWrite = (
  diff: string,
  path: string,
  names: readonly string[],
) => Promise<true | string>;

export interface FileWriter {
  /** Answers `/write_file`; one question after the other. */
  write: (params: unknown) => Promise<IdeAnswer>;
  /** Lets go of the folder. */
  close: () => Promise<void>;
}

interface WriterParts {
  /** Absolute, without links. */
  root: string;
  /** What the person has asked for; `rightseat undo --list` shows it. */
  request: string;
  ask: AskWrite;
  signal: AbortSignal;
  /** Where the journal is kept; the person's own place for it where absent. */
  stateFolder?: string;
}

/** Writes files of a folder as an agent asks, once the person has seen the change; `rightseat undo` takes it back. */
export function createFileWriter({
  root,
  request,
  ask,
  signal,
  stateFolder = findStateFolder(process.env, homedir(), process.platform),
}: WriterParts): FileWriter {
  const approvals = createApprovals({ now: Date.now });
  const locks = createPathLocks();
  const options = { signal };
  let opened: Promise<DirectoryWorkspace> | undefined;
  const open = (): Promise<DirectoryWorkspace> =>
    (opened ??= createDirectoryWorkspace({
      root,
      stateFolder,
      request,
      approvals,
      now: Date.now,
      search: () => Promise.reject(new Error("The files are not searched.")),
    }));

  const write = async (params: unknown): Promise<IdeAnswer> => {
    const { data } = Params.safeParse(params);
    if (data === undefined) return { error: "abspath, before_hash and text are needed." };
    const workspace = await open();
    const located = await workspace.locate(data.abspath);
    if (!located.ok) return { error: located.problem.message.en };
    const path = located.value;
    const names = await workspace.namesOf(path);
    if (names.some((name) => isHidden(name))) return { error: "Hidden files are not written." };
    const read = await workspace.read(path, options);
    if (!read.ok && read.problem.code !== "not-found") return { error: read.problem.message.en };
    const before = read.ok ? read.value : undefined;
    // As the other side knows the text: without a byte order mark, whatever the encoding.
    const hash = before === undefined ? null : await hashText(before.text);
    if (hash !== data.before_hash) return { error: "The file has changed since it was read." };
    const checked = await workspace.check(
      {
        path,
        before: before && { text: before.text, hash: before.hash },
        after: data.text ?? undefined,
      },
      options,
    );
    if (!checked.ok) return { error: checked.problem.message.en };
    return apply(workspace, checked.value, names);
  };
  const apply = async (
    workspace: DirectoryWorkspace,
    change: FileChange,
    names: readonly string[],
  ): Promise<IdeAnswer> => {
    const diff = printChanges([change]);
    const answer = await ask(diff, change.path, names);
    if (answer !== true) return { error: answer };
    const approval = await approvals.approve([change], diff);
    const applied = await workspace.apply(change, approval, options);
    return applied.ok ? { result: true } : { error: applied.problem.message.en };
  };

  return {
    write: (params) => locks.run("", () => write(params)),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

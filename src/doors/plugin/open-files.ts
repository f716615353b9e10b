import { createApprovals } from "../../workspace/approvals.ts";
import { type Coding, askLater } from "../../flows/loop/coding.ts";
import type { Turn } from "../../turn/turn.ts";
import type { IdePath, IdeServices } from "./ide-services.ts";
import type { DoorHost } from "../http/door.ts";
import {
  createMemoryWorkspace,
  filesOfContext,
  unsaved,
} from "../../workspace/memory/memory-workspace.ts";
import {
  type IdeChange,
  type IdeFiles,
  type IdeWritten,
  createIdeWorkspace,
} from "../../workspace/ide/ide-workspace.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { AppError } from "../../base/errors/app-error.ts";
import { type ExtraFields, printChanges } from "./frame-writer.ts";

/** What a turn works on, and what its last frame says about it. */
export interface OpenedFiles {
  coding: Coding;
  /** `changes` that the plugin is to make, or `written`: the paths of those that it has made. */
  report(): ExtraFields;
  /** What of `report` counts though the turn has failed. */
  reportFailed(): ExtraFields;
}

/** The plugin's project where it hands out files and tells its root; else the texts of the request. */
export async function openFiles(
  turn: Pick<Turn, "context">,
  ide: IdeServices,
  host: Pick<DoorHost, "now" | "timers" | "compilePattern">,
): Promise<OpenedFiles> {
  const { timers, compilePattern: compile } = host;
  const approvals = createApprovals({ now: () => host.now() });
  const given = filesOfContext(turn.context);
  const files = toIdeFiles(ide);
  const known = given.map(({ name }) => name).filter((name) => name !== unsaved);
  const ofIde =
    files &&
    createIdeWorkspace({
      files,
      root: ide.root,
      known,
      approvals,
      compile,
      now: () => timers.now(),
    });
  const workspace = ofIde ?? (await createMemoryWorkspace({ files: given, approvals, compile }));
  const names = ofIde === undefined ? known : [];
  const written = (): string[] => workspace.listChanged().map(({ path }) => path);
  return {
    coding: { workspace, ask: askLater(approvals) },
    report: () =>
      isWritten(workspace)
        ? { written: written() }
        : { ...printChanges(workspace.listChanged(), names) },
    reportFailed: () =>
      isWritten(workspace) && written().length > 0 ? { written: written() } : {},
  };
}

function isWritten({ effect }: Workspace): boolean {
  return effect === "files";
}

/** The files of the plugin's project, as far as it has announced them; undefined where it hands out none. */
function toIdeFiles(ide: IdeServices): IdeFiles | undefined {
  if (!ide.has("/read_file")) return undefined;
  const withService = <Port>(path: IdePath, port: Port): Port | undefined =>
    ide.has(path) ? port : undefined;
  return {
    read: (abspath, signal) => ide.call("/read_file", { abspath }, signal),
    list: withService("/list_files", (abspath: string, signal: AbortSignal) =>
      ide.call("/list_files", { abspath }, signal),
    ),
    write: withService("/write_file", (change: IdeChange, signal: AbortSignal) =>
      write(ide, change, signal),
    ),
  };
}

async function write(
  ide: IdeServices,
  { abspath, hashBefore, text }: IdeChange,
  signal: AbortSignal,
): Promise<IdeWritten> {
  try {
    const params = { abspath, before_hash: hashBefore, text };
    const reply = await ide.ask("/write_file", params, signal);
    if (!reply.ok) return { ok: false, reason: reply.error };
    return reply.result === true ? reply : { ok: false, reason: "" };
  } catch (thrown) {
    // The work goes on without: it may have been written, which the workspace finds out.
    if (thrown instanceof AppError && thrown.code === "ide_timeout")
      return { ok: false, reason: thrown.message };
    throw thrown;
  }
}

import type { Coding } from "../../../flows/loop/coding.ts";
import { askLater } from "../../../flows/loop/proposals.ts";
import type { Turn } from "../../../turn/turn.ts";
import { createApprovals } from "../../../workspace/approvals.ts";
import { createIdeWorkspace } from "../../../workspace/ide/ide-workspace.ts";
import {
  createMemoryWorkspace,
  filesOfContext,
  unsaved,
} from "../../../workspace/memory/memory-workspace.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import type { DoorHost } from "../../http/door.ts";
import type { ExtraFields } from "../connection/frame-writer.ts";
import type { IdeServices } from "../ide/ide-services.ts";
import { printChanges } from "./print-changes.ts";
import { toIdeFiles } from "./ide-files.ts";

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
  host: Pick<DoorHost, "slices" | "now" | "timers" | "compilePattern">,
): Promise<OpenedFiles> {
  const { slices, timers, compilePattern: compile } = host;
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
      slices,
      now: () => timers.now(),
    });
  const workspace =
    ofIde ?? (await createMemoryWorkspace({ files: given, approvals, compile, slices }));
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

import { countLines, printChanges } from "../../workspace/approvals.ts";
import type { FileChange } from "../../workspace/workspace.ts";

/** A change with its diff, under the name that the person's client has for the file. */
export interface ShownChange extends FileChange {
  diff: string;
  added: number;
  removed: number;
}

function showChange(change: FileChange): ShownChange {
  const diff = printChanges([change]);
  return { ...change, diff, ...countLines(diff) };
}

export function showAll(
  changes: readonly FileChange[],
  nameOf: (path: string) => string = (path) => path,
): ShownChange[] {
  const shown: ShownChange[] = [];
  for (const change of changes) {
    const { path, ...rest } = showChange(change);
    shown.push({ ...rest, path: nameOf(path) });
  }
  return shown;
}

import type { Steps } from "../../edit/steps.ts";
import { countLines, printChangesInSteps } from "../../workspace/print-changes.ts";
import type { FileChange } from "../../workspace/workspace.ts";

/** A change with its diff. */
export interface ShownChange extends FileChange {
  diff: string;
  added: number;
  removed: number;
}

function* showChange(change: FileChange): Steps<ShownChange> {
  const diff = yield* printChangesInSteps([change]);
  return { ...change, diff, ...countLines(diff) };
}

export function* showAll(changes: readonly FileChange[]): Steps<ShownChange[]> {
  const shown: ShownChange[] = [];
  for (const change of changes) {
    shown.push(yield* showChange(change));
    yield;
  }
  return shown;
}

import type { Steps } from "../../edit/steps.ts";
import { printChangesInSteps } from "../../workspace/print-changes.ts";
import type { FileChange } from "../../workspace/workspace.ts";

/** A change with its diff. */
export interface ShownChange extends FileChange {
  diff: string;
  added: number;
  removed: number;
}

export function* showChange(change: FileChange): Steps<ShownChange> {
  const diff = yield* printChangesInSteps([change]);
  const lines = diff.split("\n").slice(2);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { ...change, diff, added: count("+"), removed: count("-") };
}

export function* showAll(changes: readonly FileChange[]): Steps<ShownChange[]> {
  const shown: ShownChange[] = [];
  for (const change of changes) {
    shown.push(yield* showChange(change));
    yield;
  }
  return shown;
}

import type { ChangeMade } from "../../tools/tool.ts";
import type { FileChange } from "../../workspace/workspace.ts";

/** What all changes together make of each file, by path; files that are as they were before are left out. */
export function netChanges(made: readonly Pick<ChangeMade, "change">[]): FileChange[] {
  const net = new Map<string, FileChange>();
  for (const { change } of made) {
    const first = net.get(change.path);
    net.set(change.path, { ...change, before: first === undefined ? change.before : first.before });
  }
  return [...net.values()]
    .filter(({ before, after }) => before?.text !== after)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

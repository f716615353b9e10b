import { formatUnifiedDiff } from "../edit/unified-diff.ts";
import type { FileChange } from "./workspace.ts";

/** The changes as one unified diff, for people: what is approved is what this shows. */
export function printChanges(changes: readonly FileChange[]): string {
  let text = "";
  let bare = "";
  for (const { path, before, after } of changes) {
    const diff = formatUnifiedDiff(path, before?.text, after);
    if (diff.includes("\n@@ ")) text += diff;
    else bare += diff;
  }
  // `git apply` takes the heads below those of a file without lines for more of these.
  return text + bare;
}

/** How many lines the diff of one change puts in and takes out. */
export function countLines(diff: string): { added: number; removed: number } {
  const lines = diff.slice(diff.indexOf("\n@@ ") + 1 || diff.length).split("\n");
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}

import { formatUnifiedDiff } from "../edit/describe/unified-diff.ts";
import type { FileChange } from "./workspace.ts";

/** The changes as one unified diff, for people: what is approved is what this shows. */
export function printChanges(changes: readonly FileChange[]): string {
  return changes.map(printChange).join("");
}

function printChange({ path, before, after }: FileChange): string {
  // A name with a line break could forge a line of the diff.
  const name = /[\p{Cc}\u2028\u2029"\\]/u.test(path) ? JSON.stringify(path) : path;
  const diff = formatUnifiedDiff(name, before?.text, after ?? "");
  const gone = `+++ b/${name}\n`;
  if (after === undefined && diff !== "") return diff.replace(gone, () => "+++ /dev/null\n");
  if (diff !== "" || before?.text === after) return diff;
  return before === undefined ? `--- /dev/null\n+++ b/${name}\n` : `--- a/${name}\n+++ /dev/null\n`;
}

import { unifiedDiffInSteps } from "../edit/describe/unified-diff.ts";
import { finish, type Steps } from "../edit/steps.ts";
import type { FileChange } from "./workspace.ts";

/** The changes as one unified diff, for people: what is approved is what this shows. */
export function printChanges(changes: readonly FileChange[]): string {
  return finish(printChangesInSteps(changes));
}

/** As {@link printChanges}, with pauses: files may be large. */
export function* printChangesInSteps(changes: readonly FileChange[]): Steps<string> {
  let text = "";
  for (const change of changes) text += yield* printChange(change);
  return text;
}

/** How many lines the diff of one change puts in and takes out. */
export function countLines(diff: string): { added: number; removed: number } {
  const lines = diff.split("\n").slice(2);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}

function* printChange({ path, before, after }: FileChange): Steps<string> {
  const diff = yield* unifiedDiffInSteps(path, before?.text, after ?? "");
  if (after === undefined && diff !== "") return withoutNewName(diff);
  if (diff !== "" || before?.text === after) return diff;
  // An empty file comes or goes. A name with a line break could forge a line of the diff.
  const isOdd = /[\p{Cc}"\\]/u.test(path);
  const [a, b] = [`a/${path}`, `b/${path}`].map((name) => (isOdd ? JSON.stringify(name) : name));
  return before === undefined ? `--- /dev/null\n+++ ${b}\n` : `--- ${a}\n+++ /dev/null\n`;
}

/** The second line names the new file, which does not exist. */
function withoutNewName(diff: string): string {
  const start = diff.indexOf("\n") + 1;
  return `${diff.slice(0, start)}+++ /dev/null${diff.slice(diff.indexOf("\n", start))}`;
}

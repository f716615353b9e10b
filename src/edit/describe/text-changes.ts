// A change of a text as whole lines that another program can apply without the engine.
import type { LineRange } from "../edit-unit.ts";
import { diffHunks } from "./unified-diff.ts";

/**
 * Lines of a text (1-based and inclusive, each ended by "\n" but perhaps the last) that become `text`, which
 * brings its own line ends. An empty range puts the text before `startLine`.
 */
export interface TextChange extends LineRange {
  text: string;
}

/** What has to be done to `before` so that it becomes `after`, in the order of the text, without overlaps. */
export function findTextChanges(before: string, after: string): TextChange[] {
  const changes: TextChange[] = [];
  for (const { oldStart, lines } of diffHunks(before, after)) {
    let line = oldStart;
    let open: TextChange | undefined;
    for (const [nth, printed] of lines.entries()) {
      const sign = printed[0];
      if (sign === "\\") continue;
      if (sign === " ") open = undefined;
      else if (open === undefined) {
        open = { startLine: line, endLine: line - 1, text: "" };
        changes.push(open);
      }
      if (open !== undefined && sign === "-") open.endLine = line;
      if (open !== undefined && sign === "+") {
        open.text += printed.slice(1) + (lines[nth + 1]?.[0] === "\\" ? "" : "\n");
      }
      if (sign !== "+") line += 1;
    }
  }
  return changes;
}

/**
 * Applies changes to the text that they were found for. They are not looked for: whoever calls this has made
 * sure that it is that text.
 */
export function applyTextChanges(before: string, changes: readonly TextChange[]): string {
  const lines = before.split(/(?<=\n)/);
  let after = "";
  let next = 0;
  for (const { startLine, endLine, text } of changes) {
    after += lines.slice(next, startLine - 1).join("") + text;
    next = Math.max(next, endLine);
  }
  return after + lines.slice(next).join("");
}

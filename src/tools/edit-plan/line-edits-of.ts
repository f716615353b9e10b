import { diffHunks } from "../../edit/describe/unified-diff.ts";
import type { LineEdit } from "../../edit/edit-unit.ts";
import type { Steps } from "../../edit/steps.ts";

/**
 * A change of a text as edits of lines, numbered as they were before; `end_line` is `start_line - 1` where lines
 * only come in.
 */
export function* toLineEdits(before: string, after: string): Steps<LineEdit[]> {
  const edits: LineEdit[] = [];
  for (const { oldStart, lines } of yield* diffHunks(before, after)) {
    let at = oldStart;
    let open: LineEdit | undefined;
    for (const line of lines) {
      const sign = line[0];
      if (sign === " ") {
        open = undefined;
        at += 1;
      } else if (sign === "-" || sign === "+") {
        if (open === undefined) {
          open = { start_line: at, end_line: at - 1, replacement: "" };
          edits.push(open);
        }
        if (sign === "-") {
          open.end_line = at;
          at += 1;
        } else open.replacement += `${line.slice(1)}\n`;
      }
    }
  }
  return edits;
}

import type { LineRange } from "../../edit.ts";

/** The lines of a range for a person: `line 3`, `lines 3 to 5`, or `before line 3` if it is empty. */
export function nameLines({ startLine, endLine }: LineRange): string {
  if (endLine < startLine) return `before line ${startLine}`;
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
}

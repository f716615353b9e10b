// Lines of a text by their numbers.
import { countLineFeeds } from "../base/text/lines.ts";
import type { LineRange } from "../edit/edit-unit.ts";
import type { WorkspaceFile } from "./workspace.ts";

/** Lines of a text; what follows the last line end is a line if it is not empty. */
export function countTextLines(text: string): number {
  return countLineFeeds(text) + (text === "" || text.endsWith("\n") ? 0 : 1);
}

/** The lines of a text that were asked for, with their ends; those that do not exist are left out. */
export function cutLines(
  text: string,
  asked: LineRange | undefined,
): Pick<WorkspaceFile, "text" | "startLine" | "totalLines" | "isPart"> {
  const totalLines = countTextLines(text);
  if (asked === undefined) return { text, startLine: 1, totalLines, isPart: false };
  const startLine = Math.max(asked.startLine, 1);
  const start = offsetOfLine(text, startLine);
  const end = offsetOfLine(text, Math.max(asked.endLine, 0) + 1, start, startLine);
  const isPart = start > 0 || end < text.length;
  return { text: text.slice(start, Math.max(start, end)), startLine, totalLines, isPart };
}

/** Where a line begins, counted from the start of another one; the end of the text for one that does not exist. */
function offsetOfLine(text: string, line: number, from = 0, fromLine = 1): number {
  let offset = from;
  for (let nth = fromLine; nth < line; nth += 1) {
    const end = text.indexOf("\n", offset);
    if (end === -1) return text.length;
    offset = end + 1;
  }
  return offset;
}

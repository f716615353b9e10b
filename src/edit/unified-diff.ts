import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { commonEdges } from "./common-edges.ts";

/** Texts that differ in more lines than this are shown as one replaced block: comparing would take long. */
const mostEdits = 2_000;

/** A stretch of a change with the lines around it; starts are 1-based. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Each begins with `-`, `+` or a blank; `\\` stands for the missing line end of the one before. */
  lines: string[];
}

/**
 * The change of one file as a unified diff with three lines of context, for people; "" if nothing changed.
 *
 * @param before undefined if the file is new
 * @param startLine the line of the file on which the texts start, 1-based
 */
export function formatUnifiedDiff(
  path: string,
  before: string | undefined,
  after: string,
  startLine = 1,
): string {
  if (before === after) return "";
  const oldName = before === undefined ? "/dev/null" : `a/${path}`;
  const patch = structuredPatch(oldName, `b/${path}`, "", "", undefined, undefined);
  patch.hunks = diffHunks(before ?? "", after).map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + startLine - 1,
    newStart: hunk.newStart + startLine - 1,
  }));
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

/** The hunks of a change, with three lines of context, in the order of the text. */
export function diffHunks(before: string, after: string): Hunk[] {
  if (before === after) return [];
  const options = { context: 3, maxEditLength: mostEdits };
  const hunks = structuredPatch("", "", before, after, undefined, undefined, options)?.hunks ?? [];
  return hunks.length === 0 ? [oneHunk(before, after)] : hunks;
}

/** All lines between the first and the last difference, replaced. */
function oneHunk(before: string, after: string): Hunk {
  const [old, now] = [splitLines(before), splitLines(after)];
  const { head, tail } = commonEdges(old, now);
  const gone = old.slice(head, old.length - tail);
  const come = now.slice(head, now.length - tail);
  return {
    oldStart: head + 1,
    oldLines: gone.length,
    newStart: head + 1,
    newLines: come.length,
    lines: [...toHunkLines("-", gone), ...toHunkLines("+", come)],
  };
}

/** Lines with their line ends. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function toHunkLines(sign: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n")
      ? [sign + line.slice(0, -1)]
      : [sign + line, "\\ No newline at end of file"],
  );
}

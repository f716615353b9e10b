import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { commonEdges } from "./common-edges.ts";

/** Texts that differ in more lines than this are shown as one replaced block: comparing would take long. */
const mostEdits = 2_000;

/**
 * The change of one file as a unified diff with three lines of context, for people; "" if nothing changed.
 *
 * @param before undefined if the file is new
 */
export function formatUnifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return "";
  const oldName = before === undefined ? "/dev/null" : `a/${path}`;
  const newName = `b/${path}`;
  const options = { context: 3, maxEditLength: mostEdits };
  const patch =
    structuredPatch(oldName, newName, before ?? "", after, undefined, undefined, options) ??
    structuredPatch(oldName, newName, "", "", undefined, undefined);
  if (patch.hunks.length === 0) patch.hunks.push(oneHunk(before ?? "", after));
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

/** All lines between the first and the last difference, replaced. */
function oneHunk(before: string, after: string) {
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

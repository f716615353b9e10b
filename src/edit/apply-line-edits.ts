import {
  describeDiff,
  describeElision,
  describeLineRange,
  describeNoChange,
  describeOverlap,
} from "./describe-error.ts";
import type { AppliedUnit, EditError, EditResult, LineEdit } from "./edit-unit.ts";
import { FileIndex } from "./find/file-index.ts";
import { linesOf } from "../base/text/lines.ts";
import { leavesOut } from "./placeholder.ts";
import { splice } from "./find/merge-replace.ts";

/**
 * Applies edits that name lines by number (seed: coding-agent, edit agent): all of them, or none. Numbers
 * are 1-based, inclusive, and mean the text as it was before; so the order of the edits does not matter.
 * An edit of `last + 1` appends; an empty replacement deletes. A final line end of the replacement is not
 * needed. Line ends, byte-order mark and final newline of the file are kept.
 *
 * @param before the text of the file; undefined if there is no such file: then line 1 is `last + 1`
 * @param options `mayInsert`: an edit that ends before it starts (`end_line` is `start_line - 1`) comes in before its
 * line, and before what replaces that line; several at one line keep their order
 */
export function applyLineEdits(
  before: string | undefined,
  edits: readonly LineEdit[],
  { mayInsert = false }: { mayInsert?: boolean } = {},
): EditResult {
  if (edits.length === 0) {
    return { ok: false, error: describeDiff("malformed", "The edit holds no line edit.") };
  }
  const index = new FileIndex(before ?? "");
  for (const [nth, edit] of edits.entries()) {
    const error = checkRange(edit, nth + 1, index.lineCount, mayInsert);
    if (error !== undefined) return { ok: false, error };
  }
  const left = edits.findIndex(({ replacement }) =>
    leavesOut(replacement, (line) => index.formOf(line) !== -1),
  );
  if (left !== -1) return { ok: false, error: describeElision(left + 1) };
  const ordered = [...edits.entries()].sort(
    ([, a], [, b]) => a.start_line - b.start_line || a.end_line - b.end_line,
  );
  for (const [at, [nth, edit]] of ordered.entries()) {
    const [otherNth = 0, other = edit] = ordered[at - 1] ?? [];
    if (other === edit || edit.start_line > other.end_line) continue;
    const endLine = Math.min(edit.end_line, other.end_line);
    const range = { startLine: edit.start_line, endLine };
    return { ok: false, error: describeOverlap([otherNth + 1, nth + 1], range) };
  }
  const changes = ordered.map(([, { start_line, end_line, replacement }]) => ({
    start: start_line - 1,
    end: Math.min(end_line, index.lineCount),
    lines: linesOf(replacement),
  }));
  const text = splice(index, changes);
  if (text === before) return { ok: false, error: describeNoChange() };
  return { ok: true, text, units: edits.map(toApplied) };
}

function checkRange(
  edit: LineEdit,
  number: number,
  lineCount: number,
  mayInsert: boolean,
): EditError | undefined {
  const { start_line: start, end_line: end } = edit;
  const fail = (what: string) => describeLineRange(number, what, lineCount);
  if (!Number.isInteger(start) || !Number.isInteger(end))
    return fail("its lines are not whole numbers");
  const isInsertion = mayInsert && end === start - 1;
  if (start < 1 || (isInsertion && end > lineCount)) return fail(`line ${start} does not exist`);
  if (isInsertion) return undefined;
  if (end < start) return fail(`its end, line ${end}, comes before its start, line ${start}`);
  const isAppend = start === lineCount + 1 && end === start;
  return end > lineCount && !isAppend ? fail(`line ${end} does not exist`) : undefined;
}

function toApplied({ start_line, end_line }: LineEdit): AppliedUnit {
  return { level: "line-numbers", startLine: start_line, endLine: end_line };
}

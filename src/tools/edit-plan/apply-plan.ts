import { applyLineEdits } from "../../edit/apply-line-edits.ts";
import { describeDiff, describeLineRange, describeOverlap } from "../../edit/describe-error.ts";
import type { EditError, EditResult, LineEdit } from "../../edit/edit-unit.ts";
import { linesOf } from "../../base/text/lines.ts";

/** Edits of one plan. */
export const maxEdits = 500;

/** Applies a plan over the numbered lines of a text, as {@link applyInsertions} does. */
export function applyPlan(text: string, plan: readonly LineEdit[]): EditResult {
  if (plan.length > maxEdits) {
    const message = `The plan has ${plan.length} edits; ${maxEdits} are allowed.`;
    return { ok: false, error: describeDiff("malformed", message) };
  }
  const lines = linesOf(text);
  const bare = plan.map((edit) => ({ ...edit, replacement: withoutNumbers(edit, lines) }));
  return applyInsertions(text, bare);
}

/**
 * Applies edits of lines: all of them, or nothing. Lines count from 1, both ends included; `end_line = start_line - 1`
 * inserts before `start_line`, and `last + 1` is behind the last line. Insertions at one line keep their order, before
 * what replaces that line.
 *
 * @param before undefined if the file does not exist
 */
export function applyInsertions(
  before: string | undefined,
  edits: readonly LineEdit[],
): EditResult {
  const lines = linesOf(before ?? "");
  const error = checkPlan(edits, lines.length);
  if (error !== undefined) return { ok: false, error };
  return applyLineEdits(before, withoutInsertions(edits, lines));
}

const numbered = /^ {0,8}(\d{1,7})\| ?/;

/** Without the numbers of {@link numberLines}, where whoever plans has copied them with every line. */
function withoutNumbers(
  { start_line: start, replacement }: LineEdit,
  lines: readonly string[],
): string {
  const own = linesOf(replacement);
  const first = Number(numbered.exec(own[0] ?? "")?.[1] ?? Number.NaN);
  const isCopied =
    first === start &&
    own.every((line) => numbered.test(line)) &&
    !numbered.test(lines[start - 1] ?? "");
  return isCopied ? own.map((line) => `${line.replace(numbered, "")}\n`).join("") : replacement;
}

function isInsertion({ start_line, end_line }: LineEdit): boolean {
  return end_line === start_line - 1;
}

function checkPlan(plan: readonly LineEdit[], lineCount: number): EditError | undefined {
  for (const [nth, edit] of plan.entries()) {
    const isWithin = edit.start_line >= 1 && edit.start_line <= lineCount + 1;
    if (isInsertion(edit) && !isWithin)
      return describeLineRange(nth + 1, `line ${edit.start_line} does not exist`, lineCount);
    const inside = plan.findIndex(
      (other) =>
        isInsertion(edit) &&
        !isInsertion(other) &&
        other.start_line < edit.start_line &&
        edit.start_line <= other.end_line,
    );
    if (inside !== -1)
      return describeOverlap([inside + 1, nth + 1], {
        startLine: edit.start_line,
        endLine: edit.start_line,
      });
  }
  return undefined;
}

/** What is inserted before a line joins the edit of that line; a line without an edit gets one that keeps it. */
function withoutInsertions(plan: readonly LineEdit[], lines: readonly string[]): LineEdit[] {
  const before = Map.groupBy(plan.filter(isInsertion), ({ start_line }) => start_line);
  const edits = plan
    .filter((edit) => !isInsertion(edit))
    .map((edit) => {
      const inserted = before.get(edit.start_line) ?? [];
      before.delete(edit.start_line);
      return { ...edit, replacement: join([...inserted, edit]) };
    });
  for (const [line, inserted] of before) {
    const own = lines[line - 1];
    const kept = own === undefined ? [] : [{ replacement: `${own}\n` }];
    const replacement = join([...inserted, ...kept]);
    if (replacement !== "") edits.push({ start_line: line, end_line: line, replacement });
  }
  return edits;
}

/** Whole lines: each text ends its last one. */
function join(parts: readonly { replacement: string }[]): string {
  return parts
    .map(({ replacement: text }) => (text === "" || text.endsWith("\n") ? text : `${text}\n`))
    .join("");
}

/** The text for the planner: each line with its number before it, as `12| text`. */
export function numberLines(text: string): string {
  return linesOf(text)
    .map((line, nth) => `${nth + 1}| ${line}\n`)
    .join("");
}

import * as z from "zod";
import { applyLineEdits } from "../../edit/apply-line-edits.ts";
import { describeDiff } from "../../edit/describe-error.ts";
import type { EditResult, LineEdit } from "../../edit/edit-unit.ts";
import { joinLines, linesOf } from "../../base/text/lines.ts";
import { isRecord } from "../../base/text/json.ts";
import { parseFirst } from "../../base/text/mended-json.ts";
import { fitInput } from "../arguments/fit-input.ts";
import { renames } from "../tool.ts";

/** Edits of one plan. */
const maxEdits = 500;

/** Applies a plan over the numbered lines of a text; it may insert. */
export function applyPlan(text: string, plan: readonly LineEdit[]): EditResult {
  if (plan.length > maxEdits) {
    const message = `The plan has ${plan.length} edits; ${maxEdits} are allowed.`;
    return { ok: false, error: describeDiff("malformed", message) };
  }
  const lines = linesOf(text);
  const bare = plan.map((edit) => ({ ...edit, replacement: withoutNumbers(edit, lines) }));
  return applyLineEdits(text, bare, { mayInsert: true });
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
  return isCopied ? joinLines(own.map((line) => line.replace(numbered, ""))) : replacement;
}

/** The text for the planner: each line with its number before it, as `12| text`. */
export function numberLines(text: string): string {
  return joinLines(linesOf(text).map((line, nth) => `${nth + 1}| ${line}`));
}

/** In characters. */
const maxAnswer = 400_000;
/** Brackets of an answer with which a plan may begin. */
const maxStarts = 4;

/** What the planner answers: lines count from 1, both ends included. */
const input = z.object({ start_line: z.int(), end_line: z.int(), replacement: z.string() });
const EditPlan = z.array(input).min(1).max(maxEdits);

/** What planners write in place of the names. */
const otherFields: Readonly<Record<string, string>> = renames({
  start_line: "start",
  end_line: "end",
  replacement: "new_content new_code new_text new_lines content code text replace_with",
});
const wrappers = ["operations", "edits", "edit_operations", "changes", "plan"];

/**
 * Reads the plan out of a model's answer: JSON, a list or an object that holds one, in a fence or not, with prose around.
 * Undefined without a plan, or if the plan breaks off.
 */
export function readPlan(answer: string): LineEdit[] | undefined {
  if (answer.length > maxAnswer) return undefined;
  // One that is indented may be part of a plan that was cut off.
  for (const { index } of [...answer.matchAll(/^[[{]/gm)].slice(0, maxStarts)) {
    const value = parseFirst(answer.slice(index));
    const wrapper = isRecord(value) ? wrappers.find((name) => name in value) : undefined;
    const edits = isRecord(value) ? (wrapper === undefined ? [value] : value[wrapper]) : value;
    const plan = EditPlan.safeParse(Array.isArray(edits) ? edits.map(toEdit) : undefined);
    if (plan.success) return plan.data;
  }
  return undefined;
}

/** `null` deletes; where nothing is said of the new text, nothing is meant. */
function toEdit(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { replacement, ...lines } = fitInput({ input, otherFields }, given);
  return { ...lines, replacement: replacement === null ? "" : replacement };
}

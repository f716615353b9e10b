// The text of a file and what a model wrote in; the new text out, or why it does not fit.
import * as z from "zod";
import type { Locale } from "../../base/errors/locale.ts";
import { applyCodeAside } from "../../edit/apply-code-edit.ts";
import { applyUnits } from "../../edit/edit-session.ts";
import { describeDiff } from "../../edit/describe-error.ts";
import type { EditError, EditResult as AppliedEdit } from "../../edit/edit-unit.ts";
import { isSameFile } from "../../edit/read/is-same-file.ts";
import { parseAnswer } from "../../edit/read/parse-diff.ts";
import { computeEdit } from "../../tools/workspace/compute-edit.ts";
import type { CallResult } from "./tool-answer.ts";
import type { EditInput } from "./tool-input.ts";

const Lines = z.object({ startLine: z.int(), endLine: z.int() });

/** What a call of the edit engine comes to: `text`, or `error`. */
export const EditResult = z.object({
  ok: z.boolean(),
  /** The whole new text of the file. */
  text: z.string().optional(),
  /** How and where each part of the edit was found in the text before. */
  units: z.array(Lines.extend({ level: z.string() })).optional(),
  error: z
    .looseObject({ code: z.string(), message: z.string(), unit: z.int().optional() })
    .optional(),
});

interface AnswerEdit extends Pick<z.infer<typeof EditInput>, "path" | "code" | "answer"> {
  locale: Locale;
  signal: AbortSignal;
}

const refusedTexts = { en: "The edit was not applied.", zh: "修改未能应用。" };

/** Applies the edits of an answer to its file: all of them, or none. A refusal is a result with the engine's reasons. */
export async function applyAnswer(edit: AnswerEdit): Promise<CallResult> {
  const result = await findAndApply(edit);
  if (result.ok)
    return { content: [{ type: "text", text: result.text }], structuredContent: { ...result } };
  // Whoever reads it writes the next edit.
  const { code, forModel } = result.error;
  const text = `${refusedTexts[edit.locale]} ${code}: ${forModel}`;
  return { content: [{ type: "text", text }], structuredContent: { ...result }, isError: true };
}

async function findAndApply({
  path,
  code: before,
  answer,
  signal,
}: AnswerEdit): Promise<AppliedEdit> {
  const { files, alternatives = [] } = parseAnswer(answer, before);
  if (alternatives.length > 0) {
    const titles = alternatives.map(({ title }) => title).join("; ");
    return refuse(describeDiff("malformed", `The answer leaves a choice: ${titles}.`));
  }
  const meant = files.filter(({ filePath }) => isSameFile(filePath, path));
  if (meant.length === 0 && files.length > 0) {
    const others = files.map(({ filePath }) => filePath).join(", ");
    return refuse(describeDiff("malformed", `The answer edits ${others}, and not ${path}.`));
  }
  const fault = meant.find(({ error }) => error !== undefined)?.error;
  const codeEdit = meant.find((one) => one.codeEdit !== undefined)?.codeEdit;
  if (fault === undefined && codeEdit !== undefined)
    return applyCodeAside(before, codeEdit.code, {}, undefined, signal);
  const units = meant.flatMap((one) => one.units);
  if (fault === undefined && units.length > 0) return applyUnits(before, units);
  // Code alone, or in a tag, is read by the name of its file.
  const { result } = await computeEdit(path, before, answer, undefined, signal);
  return result.ok || fault === undefined ? result : refuse(fault);
}

function refuse(error: EditError): AppliedEdit {
  return { ok: false, error };
}

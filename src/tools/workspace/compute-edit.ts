// What a model wrote as an edit of one file in; the new text out, or why it cannot be merged.
import { applyCodeAside, type RunCodeEdit } from "../../edit/apply-code-edit.ts";
import { describeDiff, describeMissingFile } from "../../edit/describe-error.ts";
import { EditSession } from "../../edit/edit-session.ts";
import type { EditResult } from "../../edit/edit-unit.ts";
import { joinLines, linesOf } from "../../base/text/lines.ts";
import { withoutFence } from "../../edit/read/dress/tags.ts";
import { EditReader } from "../../edit/read/edit-reader.ts";
import { formThatBegins } from "../../edit/read/forms/read-form.ts";
import { isSameFile } from "../../edit/read/is-same-file.ts";
import { parseDiff } from "../../edit/read/parse-diff.ts";
import { readRule, shortestRule } from "../../edit/read/rule-line.ts";
import { isSurePlaceholder, placeholderOf } from "../../edit/placeholder.ts";
import { isCodeFence } from "../../base/text/fence.ts";

export interface ComputedEdit {
  /** Where the lines of `code` belong is found by the merge; a diff says so itself. */
  form: "diff" | "code";
  result: EditResult;
}

/**
 * Reads `code_edit` as units or another diff where it holds one, else as code with marks of text left out, or as the
 * whole of a file that is not there.
 *
 * @param before undefined if the file does not exist
 * @param run applies code to a large file in a thread
 */
export async function computeEdit(
  path: string,
  before: string | undefined,
  codeEdit: string,
  run: RunCodeEdit | undefined,
  signal: AbortSignal,
): Promise<ComputedEdit> {
  const lines = linesOf(codeEdit);
  const tagged = readTagged(codeEdit, path);
  if (tagged !== undefined) return computeEdit(path, before, tagged, run, signal);
  if (isDiff(lines)) return { form: "diff", result: applyParsed(path, before, codeEdit) };
  const bare = withoutFence(lines, path);
  const code = bare === undefined ? codeEdit : joinLines(bare);
  const result =
    before === undefined ? createFile(code) : await applyCodeAside(before, code, {}, run, signal);
  return { form: "code", result };
}

/** Code in a tag of this file. */
function readTagged(codeEdit: string, path: string): string | undefined {
  if (!codeEdit.trimStart().startsWith("<file-edit")) return undefined;
  const reader = new EditReader({ tagged: "code" });
  reader.push(codeEdit);
  reader.end({ isStopped: true });
  const [file, ...others] = reader.files;
  const isOwn = others.length === 0 && isSameFile(file?.filePath, path);
  return isOwn && file?.error === undefined ? file?.codeEdit?.code : undefined;
}

/** JSON and labels are not looked for: the text of a file may begin like them. */
function isDiff(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !isCodeFence(line)) ?? "";
  if (first.trimStart().startsWith("<file-edit")) return true;
  const isTags = formThatBegins(first.trimStart()) === "search-tags";
  if (isTags || isPlainDiff(lines)) return true;
  return lines.some((line) => readRule(line, shortestRule)?.kind === "search");
}

/** Whether a text is a unified diff or a patch; a file of YAML may begin with `---` as well. */
export function isPlainDiff(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !isCodeFence(line))?.trimStart() ?? "";
  const form = formThatBegins(first);
  if (form !== "unified-diff" || !first.startsWith("---"))
    return /^(?:patch|unified-diff)$/.test(form ?? "");
  return lines.some((line) => /^\s*(?:\+\+\+ |@@)/.test(line));
}

function applyParsed(path: string, before: string | undefined, codeEdit: string): EditResult {
  const parsed = parseDiff(codeEdit);
  if (!parsed.ok) return parsed;
  if (!isSameFile(parsed.filePath, path)) {
    const message = `code_edit names the file ${JSON.stringify(parsed.filePath)}, and target_file is ${JSON.stringify(path)}.`;
    return { ok: false, error: describeDiff("malformed", message) };
  }
  const session = new EditSession(before);
  for (const unit of parsed.units) session.add(unit);
  return session.end();
}

/** The text stays as it was written; only the last line gets a line end. */
function createFile(code: string): EditResult {
  if (linesOf(code).some((line) => isSurePlaceholder(placeholderOf(line))))
    return { ok: false, error: describeMissingFile() };
  const text = code === "" || code.endsWith("\n") ? code : `${code}\n`;
  return { ok: true, text, units: [{ level: "new-file", startLine: 1, endLine: 0 }] };
}

// The tools that change lines by their numbers (seed: coding-agent, file operations).
import * as z from "zod";
import type { Message } from "../../base/errors/app-error.ts";
import {
  insertLines,
  type LineChange,
  removeLines,
  replaceLines,
} from "../../workspace/line-operations.ts";
import type { WorkspaceFile } from "../../workspace/workspace.ts";
import type { Tool, ToolOutcome, ToolUse } from "../tool.ts";
import { changeFile, stale } from "./change-file.ts";
import { describeRefusal } from "./describe-refusal.ts";
import { explanation, targetFile, targetNames } from "./fields.ts";
import { newErrors, unread } from "./edit-file.ts";
import { openFile } from "./open-file.ts";
import { fail, failWith } from "./outcome.ts";
import { describeProblem } from "./read-file.ts";
import { findNewProblems } from "./syntax.ts";

/** In characters. */
const maxContent = 1_000_000;
const line = z.int().min(1);
const newLines = z.string().max(maxContent);
const shared = { target_file: targetFile.schema, explanation: explanation.schema };
const sharedFields = { target_file: targetFile.message, explanation: explanation.message };
const sharedNames = { ...targetNames, startLine: "start_line", endLine: "end_line" };
const numbering: Message = {
  en: "Line numbers are from 1 and mean the file as it is now.",
  zh: "行号从 1 开始，以文件当前内容为准。",
};

const InsertInput = z.object({ ...shared, content: newLines, line_number: line });
export const insertFile: Tool<z.infer<typeof InsertInput>> = {
  name: "insert_file",
  otherNames: ["insert_lines", "str_replace_based_edit_tool", "str_replace_editor"],
  commands: ["insert"],
  description: {
    en: `Inserts lines before a line of a file, or creates the file. ${numbering.en}`,
    zh: `在文件的某一行之前插入内容，或新建文件。${numbering.zh}`,
  },
  input: InsertInput,
  paths: ["target_file"],
  fields: {
    ...sharedFields,
    content: { en: "The new lines.", zh: "要插入的内容。" },
    line_number: {
      en: "The new lines come before this line. The number of lines plus 1 appends them; 1 for a new file.",
      zh: "新内容插入到该行之前。行数加 1 表示追加到末尾；新文件为 1。",
    },
  },
  otherFields: {
    ...sharedNames,
    text: "content",
    new_content: "content",
    line: "line_number",
    lineNumber: "line_number",
    insert_text: "content",
    new_str: "content",
  },
  // Editors of other agents count the line behind which the new ones come, from 0.
  fit: ({ insert_line: behind, ...given }) =>
    behind === undefined || !(Number(behind) >= 0)
      ? undefined
      : { ...given, line_number: Number(behind) + 1 },
  effect: "write",
  run: ({ target_file: named, content: text, line_number: at, explanation: why }, use) =>
    changeLines(named, why, text, use, (path, file) => insertLines(path, file, at, text)),
};

const RemoveInput = z.object({
  ...shared,
  start_line: line.optional(),
  end_line: line.optional(),
});
export const removeFile: Tool<z.infer<typeof RemoveInput>> = {
  name: "remove_file",
  otherNames: ["remove_lines", "delete_lines"],
  description: {
    en: `Removes lines of a file; delete_file deletes the file itself. ${numbering.en}`,
    zh: `移除文件中的若干行；删除文件本身请用 delete_file。${numbering.zh}`,
  },
  input: RemoveInput,
  paths: ["target_file"],
  fields: {
    ...sharedFields,
    start_line: { en: "First line to remove, 1 if left out.", zh: "要移除的第一行，省略时为 1。" },
    end_line: {
      en: "Last line to remove, included. Left out: the last line of the file.",
      zh: "要移除的最后一行（包含在内），省略时为文件的最后一行。",
    },
  },
  otherFields: sharedNames,
  effect: "write",
  run: ({ target_file: named, start_line, end_line, explanation: why }, use) =>
    changeLines(named, why, "", use, (path, file) =>
      removeLines(path, file, {
        ...(start_line === undefined ? {} : { startLine: start_line }),
        ...(end_line === undefined ? {} : { endLine: end_line }),
      }),
    ),
};

const ReplaceInput = z.object({
  ...shared,
  start_line: line,
  end_line: line,
  new_content: newLines,
});
export const replaceFile: Tool<z.infer<typeof ReplaceInput>> = {
  name: "replace_file",
  otherNames: ["replace_lines"],
  description: {
    en: `Replaces lines of a file. ${numbering.en}`,
    zh: `替换文件中的若干行。${numbering.zh}`,
  },
  input: ReplaceInput,
  paths: ["target_file"],
  fields: {
    ...sharedFields,
    start_line: { en: "First line to replace.", zh: "要替换的第一行。" },
    end_line: { en: "Last line to replace, included.", zh: "要替换的最后一行（包含在内）。" },
    new_content: { en: "The lines that take their place.", zh: "替换后的内容。" },
  },
  otherFields: { ...sharedNames, content: "new_content", replacement: "new_content" },
  effect: "write",
  run: ({ target_file: named, start_line, end_line, new_content, explanation: why }, use) =>
    changeLines(named, why, new_content, use, (path, file) =>
      replaceLines(path, file, start_line, end_line, new_content),
    ),
};

/** @param content of the new lines */
async function changeLines(
  named: string,
  why = "",
  content: string,
  use: ToolUse,
  change: (path: string, file: WorkspaceFile | undefined) => LineChange,
): Promise<ToolOutcome> {
  const { locale, seen, workspace } = use;
  const located = await workspace.locate(named);
  if (!located.ok) return failWith(locale, located.problem);
  const path = located.value;
  const read = await openFile(path, why, use);
  if (!read.ok && read.problem.code !== "not-found") return failWith(locale, read.problem);
  const file = read.ok ? read.value : undefined;
  if (seen.isStale(path, file?.hash)) {
    if (file === undefined) seen.forget(path);
    return fail(locale, "stale", stale(path));
  }
  const made = change(path, file);
  // A file without lines is only created.
  if (!made.ok && !read.ok) return describeProblem(path, read.problem, use);
  if (!made.ok) {
    const refusal = describeRefusal(made.error, file?.text ?? "", content, locale);
    return refusal;
  }
  const isEmptied = file !== undefined && file.text !== "" && made.change.after === "";
  if (isEmptied && !seen.has(path)) return fail(locale, "unread", unread);
  const problems = await findNewProblems(made.change, use);
  const facts = problems.length === 0 ? {} : { syntax_errors: problems, note: newErrors[locale] };
  return changeFile(made.change, why, use, facts);
}

// The tools that change lines by their numbers (seed: coding-agent, file operations).
import * as z from "zod";
import { applyLineEdits } from "../../edit/apply-line-edits.ts";
import type { LineEdit } from "../../edit/edit-unit.ts";
import { countTextLines } from "../../workspace/line-operations.ts";
import { refusePath } from "../../workspace/problems.ts";
import { type ToolOutcome, type ToolUse, defineTool } from "../tool.ts";
import { changeFile } from "./change-file.ts";
import { describeRefusal } from "./describe-refusal.ts";
import { explanation, targetFile } from "./fields.ts";
import { describeProblem } from "./read-file.ts";

/** In characters. */
const maxContent = 1_000_000;
const line = z.int().min(1);
const newLines = z.string().max(maxContent);
const shared = { target_file: targetFile, explanation };
const numbering = {
  en: "Line numbers are from 1 and mean the file as it is now.",
  zh: "行号从 1 开始，以文件当前内容为准。",
};

export const insertFile = defineTool({
  name: "insert_file",
  otherNames: ["insert_lines", "str_replace_based_edit_tool", "str_replace_editor"],
  commands: ["insert"],
  description: {
    en: `Inserts lines before a line of a file, or creates the file. ${numbering.en}`,
    zh: `在文件的某一行之前插入内容，或新建文件。${numbering.zh}`,
  },
  fields: {
    ...shared,
    content: {
      schema: newLines,
      en: "The new lines.",
      zh: "要插入的内容。",
      otherNames: "text new_content insert_text new_str",
    },
    line_number: {
      schema: line,
      en: "The new lines come before this line. The number of lines plus 1 appends them; 1 for a new file.",
      zh: "新内容插入到该行之前。行数加 1 表示追加到末尾；新文件为 1。",
      otherNames: "line lineNumber",
    },
  },
  // Editors of other agents count the line behind which the new ones come, from 0.
  fit: ({ insert_line: behind, ...given }) =>
    behind === undefined || !(Number(behind) >= 0)
      ? undefined
      : { ...given, line_number: Number(behind) + 1 },
  effect: "write",
  run: (input, use) => {
    const { content: replacement, line_number: at } = input;
    const edit = { start_line: at, end_line: at - 1, replacement };
    return changeLines(input, use, () => edit, true);
  },
});

export const removeFile = defineTool({
  name: "remove_file",
  otherNames: ["remove_lines", "delete_lines"],
  description: {
    en: `Removes lines of a file; delete_file deletes the file itself. ${numbering.en}`,
    zh: `移除文件中的若干行；删除文件本身请用 delete_file。${numbering.zh}`,
  },
  fields: {
    ...shared,
    start_line: {
      schema: line.optional(),
      en: "First line to remove, 1 if left out.",
      zh: "要移除的第一行，省略时为 1。",
    },
    end_line: {
      schema: line.optional(),
      en: "Last line to remove, included. Left out: the last line of the file.",
      zh: "要移除的最后一行（包含在内），省略时为文件的最后一行。",
    },
  },
  effect: "write",
  run: (input, use) =>
    changeLines(input, use, (totalLines) => {
      const { start_line = 1, end_line = totalLines } = input;
      return { start_line, end_line, replacement: "" };
    }),
});

export const replaceFile = defineTool({
  name: "replace_file",
  otherNames: ["replace_lines"],
  description: {
    en: `Replaces lines of a file. ${numbering.en}`,
    zh: `替换文件中的若干行。${numbering.zh}`,
  },
  fields: {
    ...shared,
    start_line: { schema: line, en: "First line to replace.", zh: "要替换的第一行。" },
    end_line: {
      schema: line,
      en: "Last line to replace, included.",
      zh: "要替换的最后一行（包含在内）。",
    },
    new_content: {
      schema: newLines,
      en: "The lines that take their place.",
      zh: "替换后的内容。",
      otherNames: "content replacement",
    },
  },
  effect: "write",
  run: (input, use) => {
    const { start_line, end_line, new_content: replacement } = input;
    return changeLines(input, use, () => ({ start_line, end_line, replacement }));
  },
});

/** @param edits for a file of so many lines */
function changeLines(
  {
    target_file: named,
    explanation: why,
  }: { target_file: string; explanation?: string | undefined },
  use: ToolUse,
  edits: (totalLines: number) => LineEdit,
  mayInsert = false,
): Promise<ToolOutcome> {
  return changeFile({ named, why }, use, async (path, before) => {
    const edit = edits(countTextLines(before?.text ?? ""));
    const made = applyLineEdits(before?.text, [edit], { mayInsert });
    // A file that is not there has no lines to replace or remove.
    if (made.ok && (mayInsert || before !== undefined))
      return { after: made.text, isWhole: before?.text !== "" && made.text === "" };
    if (made.ok || before === undefined)
      return { refusal: await describeProblem(path, refusePath("not-found", path).problem, use) };
    return { refusal: describeRefusal(made.error, before.text, edit.replacement, use.locale) };
  });
}

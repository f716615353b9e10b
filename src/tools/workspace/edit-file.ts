import * as z from "zod";
import type { Fields } from "../../base/text/json.ts";
import type { EditError } from "../../edit/edit-unit.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import { applyPlan, numberLines } from "../edit-plan/apply-plan.ts";
import { type ToolUse, defineTool } from "../tool.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { findDamage } from "../../code/symbols.ts";
import { describeDamage } from "../../edit/describe-error.ts";
import { type Planned, changeFile } from "./change-file.ts";
import { computeEdit } from "./compute-edit.ts";
import { describeRefusal } from "./describe-refusal.ts";
import { maxReason, targetFile } from "./fields.ts";
import { findSimilarPaths } from "./read-file.ts";
import { parseAnswer } from "../../edit/read/parse-diff.ts";
import { readJsonEdits } from "../../edit/read/forms/json-edits.ts";
import { printLoosely } from "../../edit/read/print-units.ts";
import { decodeEscapes } from "../../base/text/cursor.ts";

/** In characters. */
const maxCodeEdit = 1_000_000;
/** In characters; of a longer file no plan is asked for. */
const maxPlanned = 200_000;
/** Refusals that a plan by line numbers may get around: the edit itself is clear. */
const plannable: ReadonlySet<string> = new Set([
  "no-match",
  "ambiguous",
  "whole-file",
  "indentation",
  "elision",
  "unquoted",
]);

export const editFile = defineTool({
  name: "edit_file",
  otherNames: (
    "editTool editFile edit apply_diff applyDiff replace_in_file write_file write_to_file " +
    "writeTool writeFile write replace str_replace search_replace replace_string_in_file " +
    "multi_replace_string_in_file replace_file_content multi_replace_file_content multi_edit " +
    "create_file createTool createFile file-edit apply_patch str_replace_based_edit_tool " +
    "str_replace_editor"
  ).split(" "),
  commands: ["create", "str_replace"],
  description: {
    en: "Changes one file, or creates it. The person may be asked first. Read the file before you edit it.",
    zh: "修改一个文件，或新建文件。可能会先征求用户同意。修改之前请先读取文件。",
  },
  fields: {
    target_file: targetFile,
    instructions: {
      schema: z.string().max(maxReason).optional(),
      otherNames: "reason explanation instruction description",
      en: "One sentence that describes the edit. The person reads it when they are asked.",
      zh: "用一句话描述这次修改。征求用户同意时会显示给用户。",
    },
    code_edit: {
      schema: z.string().max(maxCodeEdit),
      otherNames:
        "diffContent diff_content diff patch codeEdit content contents code text file_text " +
        "file_content",
      en: "Best: SEARCH/REPLACE units, each a line `------- SEARCH`, lines copied exactly from the file, a line `=======`, the new lines, a line `+++++++ REPLACE`. SEARCH must fit only one place. Or: the changed code with a comment `... existing code ...` wherever lines stay, with unchanged lines around each change. For a file that does not exist: its whole text.",
      zh: "最好使用 SEARCH/REPLACE 单元：一行 `------- SEARCH`，从文件中逐字复制的行，一行 `=======`，新的行，一行 `+++++++ REPLACE`。SEARCH 只能符合一处。也可以写修改后的代码，用注释 `... existing code ...` 代替保持不变的行，并在每处修改前后保留未改动的行。对于不存在的文件：写出完整内容。",
    },
  },
  fit: fitEdit,
  placed: ["target_file", "code_edit"],
  effect: "write",
  run: ({ target_file: named, instructions = "", code_edit: codeEdit }, use) =>
    changeFile({ named, why: instructions }, use, (path, before) =>
      merge({ path, before, codeEdit, instructions }, use),
    ),
});

interface Wanted {
  path: string;
  before: FileChange["before"];
  codeEdit: string;
  instructions: string;
}

async function merge(wanted: Wanted, use: ToolUse): Promise<Planned> {
  const { path, before, codeEdit } = wanted;
  const { form, result } = await computeEdit(
    path,
    before?.text,
    codeEdit,
    use.code?.applyCode,
    use.signal,
  );
  if (result.ok) {
    const isWhole = result.units.some(({ level }) => level === "whole-file");
    if (form === "diff") return { after: result.text, isWhole };
    // What the grammar says against code whose place the engine found.
    const analyze = (text: string): Promise<CodeAnalysis> | undefined =>
      use.code?.analyze(text, undefined, path, { signal: use.signal });
    const was = before && (await analyze(before.text));
    const is = was && (await analyze(result.text));
    const damage = was && is && findDamage(was, is, isWhole);
    if (before === undefined || damage === undefined) return { after: result.text };
    return { refusal: describeRefusal(describeDamage(damage), before.text, codeEdit, use.locale) };
  }
  const { error } = result;
  const planned = form === "code" ? await plan(wanted, error, use) : undefined;
  if (planned !== undefined && "after" in planned) return planned;
  const refusal = describeRefusal(error, before?.text ?? "", codeEdit, use.locale);
  if (planned !== undefined) return { refusal: { ...refusal, plan_error: planned.problem } };
  const similar = error.code === "missing-file" ? await findSimilarPaths(path, use) : [];
  return { refusal: similar.length === 0 ? refusal : { ...refusal, similar_files: similar } };
}

/** Lets a model say where the lines of an edit belong. */
async function plan(
  { path, before, codeEdit, instructions }: Wanted,
  error: EditError,
  { planEdit, signal }: ToolUse,
): Promise<{ after: string; facts: { planned_edits: number } } | { problem: string } | undefined> {
  const text = before?.text ?? "";
  if (planEdit === undefined || before === undefined || !plannable.has(error.code))
    return undefined;
  if (text.length > maxPlanned) return undefined;
  const numbered = numberLines(text);
  const totalLines = numbered.split("\n").length - 1;
  const task = { path, numbered, totalLines, instructions, codeEdit, problem: error.message };
  const edits = await planEdit(task, signal);
  if (edits === undefined) return undefined;
  const result = applyPlan(text, edits);
  if (!result.ok) return { problem: result.error.message };
  return { after: result.text, facts: { planned_edits: edits.length } };
}

// Edits in other fields than `code_edit`, as tools of other agents have them.

/**
 * `old_string` and `new_string`, or a list of such pairs, as units; units whose line ends are written as `\\n`; and the
 * file that an edit names itself, as a patch does. Undefined if there is nothing of the kind.
 */
function fitEdit(given: Fields): Fields | undefined {
  const { code_edit: code = given["input"], target_file: file, instructions, ...rest } = given;
  if (typeof code === "string") {
    const isEscaped = !code.includes("\n") && /SEARCH\\n/.test(code) && code.includes("\\n=======");
    const code_edit = isEscaped ? decodeEscapes(code) : code;
    return { ...given, code_edit, ...(file === undefined ? { target_file: fileOf(code) } : {}) };
  }
  // Where that tool is told nothing new, it deletes.
  const pair = rest["command"] === "str_replace" ? { new_str: "", ...rest } : rest;
  const [edit, ...more] = readJsonEdits(JSON.stringify(code ?? pair), 1, () => undefined) ?? [];
  const isEdit = edit !== undefined && more.length === 0 && edit.units.length > 0;
  if (!isEdit || edit.error !== undefined) return undefined;
  return { target_file: file ?? edit.filePath, instructions, code_edit: printLoosely(edit.units) };
}

/** The one file that an edit is for, as it says itself. */
function fileOf(code: string): string | undefined {
  const [file, ...others] = parseAnswer(code).files;
  return others.length === 0 && file?.isDeletion !== true ? file?.filePath : undefined;
}

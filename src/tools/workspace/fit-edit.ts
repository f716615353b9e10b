// Edits in other fields than `code_edit`, as tools of other agents have them.
import { parseAnswer } from "../../edit/read/parse-answer.ts";
import { readJsonEdits } from "../../edit/read/forms/json-edits.ts";
import { printLoosely } from "../../edit/read/print-units.ts";
import { decodeEscapes } from "../text-calls/decode-escapes.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * `old_string` and `new_string`, or a list of such pairs, as units; units whose line ends are written as `\\n`; and the
 * file that an edit names itself, as a patch does. Undefined if there is nothing of the kind.
 */
export function fitEdit(given: Fields): Fields | undefined {
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

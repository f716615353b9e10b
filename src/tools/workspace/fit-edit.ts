// Edits in other fields than `code_edit`, as tools of other agents have them.
import { readJsonEdits } from "../../edit/read/forms/json-edits.ts";
import { printLoosely } from "../../edit/read/print-units.ts";
import { decodeEscapes } from "../text-calls/decode-escapes.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * `old_string` and `new_string`, or a list of such pairs, as units; and units whose line ends are written as `\\n`.
 * Undefined if there is nothing of the kind.
 */
export function fitEdit(given: Fields): Fields | undefined {
  const { code_edit: code, ...others } = given;
  if (typeof code === "string") {
    const isEscaped = !code.includes("\n") && /SEARCH\\n/.test(code) && code.includes("\\n=======");
    return isEscaped ? { ...given, code_edit: decodeEscapes(code) } : undefined;
  }
  const { target_file, instructions, ...rest } = others;
  const [file, ...more] = readJsonEdits(JSON.stringify(code ?? rest), 1, () => undefined) ?? [];
  const isEdit = file !== undefined && more.length === 0 && file.units.length > 0;
  if (!isEdit || file.error !== undefined) return undefined;
  return { target_file, instructions, code_edit: printLoosely(file.units) };
}

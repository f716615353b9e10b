import { describeDiff } from "../../describe/describe-error.ts";
import type { FileEdit } from "../file-edit.ts";
import { addHunks, type Hunk } from "./hunk.ts";

const fileHeader = /^\*\*\* (?<what>Update|Add|Delete|Create|Modify) File: ?(?<path>.+)$/;

export function beginsPatch(line: string): boolean {
  return /^(?:\*\*\* Begin Patch\b|apply_patch\b.*<<)/.test(line) || fileHeader.test(line);
}

export function endsPatch(line: string): boolean {
  return /^\*\*\* End Patch\b/.test(line);
}

/**
 * Reads a patch between `*** Begin Patch` and `*** End Patch`, with `*** Update File: PATH`, `@@`, and lines
 * with `-`, `+` or a blank before them.
 *
 * @param firstLine of the lines in the answer, 1-based
 */
export function readPatch(lines: readonly string[], firstLine: number): FileEdit[] {
  const files: { edit: FileEdit; isNew: boolean; hunks: Hunk[] }[] = [];
  for (const [nth, line] of lines.entries()) {
    const { what, path = "" } = fileHeader.exec(line)?.groups ?? {};
    const file = files.at(-1);
    if (endsPatch(line)) break;
    if (what !== undefined) {
      const isNew = what === "Add" || what === "Create";
      const edit: FileEdit = { filePath: path.trim(), form: "patch", units: [] };
      if (what === "Delete") {
        edit.error = refuse("deletes the file");
        edit.isDeletion = true;
      }
      files.push({ edit, isNew, hunks: [{ lines: [], line: firstLine + nth + 1 }] });
    } else if (line.startsWith("*** Move to:")) {
      if (file !== undefined) file.edit.error = refuse("renames the file");
    } else if (line.startsWith("@@")) file?.hunks.push({ lines: [], line: firstLine + nth + 1 });
    else if (!line.startsWith("*** ")) file?.hunks.at(-1)?.lines.push(line);
  }
  return files
    .map((each) => addHunks(each.edit, each, refuse))
    .filter(({ units, error }) => units.length > 0 || error !== undefined);
}

function refuse(what: string): NonNullable<FileEdit["error"]> {
  return describeDiff("malformed", `The patch ${what}.`);
}

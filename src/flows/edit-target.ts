import type { FileEdit } from "../edit/file-edit.ts";
import type { EditUnit, ParsedUnit } from "../edit/edit-unit.ts";
import { type ActiveEditor, focusOf, languageOfEditor } from "../context/active-editor.ts";

/** The file that an edit is for, as far as the editor has sent it. */
export interface EditTarget {
  path: string;
  language: string;
  text: string;
  /** Lines of the file above the text: 0 unless the client has sent the selection only. */
  linesAbove: number;
}

/** Undefined where there is no code. */
export function targetOf(editor: ActiveEditor | undefined): EditTarget | undefined {
  if (editor === undefined) return undefined;
  const focus = focusOf(editor);
  const text = editor.content || focus.text;
  if (text.trim() === "") return undefined;
  return {
    path: editor.filePath ?? "",
    language: languageOfEditor(editor),
    text,
    linesAbove: editor.content ? 0 : focus.startLine - 1,
  };
}

/** The edits of an answer: those for the file in the editor, and those for others. */
export function splitByFile(
  files: readonly FileEdit[],
  target: EditTarget,
): { own: FileEdit | undefined; others: FileEdit[] } {
  const own: FileEdit[] = [];
  const others: FileEdit[] = [];
  for (const file of files) (isSameFile(file.filePath, target.path) ? own : others).push(file);
  if (own.length === 0) return { own: undefined, others };
  const units: ParsedUnit[] = own.flatMap((file) => file.units);
  const error = own.find((file) => file.error !== undefined)?.error;
  const joined: FileEdit = { filePath: target.path, units };
  return { own: error === undefined ? joined : { ...joined, error }, others };
}

/** Models name a file by its path, by an end of it, or not at all. */
function isSameFile(named: string | undefined, path: string): boolean {
  if (named === undefined || named === "" || path === "") return true;
  const [one, other] = [segmentsOf(named), segmentsOf(path)];
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((segment, nth) => segment === long[long.length - short.length + nth]);
}

function segmentsOf(path: string): string[] {
  return path.split(/[\\/]+/).filter((segment) => segment !== "" && segment !== ".");
}

/** What the units say, without how they were written. */
export function plainUnits(units: readonly EditUnit[]): EditUnit[] {
  return units.map(({ search, replace }) => ({ search, replace }));
}

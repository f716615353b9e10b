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

/** Models name a file by its path, by an end of it, or not at all. */
export function isOfTarget(named: string | undefined, { path }: EditTarget): boolean {
  if (named === undefined || named === "" || path === "") return true;
  const [one, other] = [segmentsOf(named), segmentsOf(path)];
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((segment, nth) => segment === long[long.length - short.length + nth]);
}

function segmentsOf(path: string): string[] {
  return path.split(/[\\/]+/).filter((segment) => segment !== "" && segment !== ".");
}

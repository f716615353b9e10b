import {
  type ActiveEditor,
  type Focus,
  languageOfEditor,
  sourceOf,
} from "../../turn/context/active-editor.ts";
import { usualLineEnd } from "../../base/text/lines.ts";
import { isSameFile } from "../../edit/read/is-same-file.ts";
import { oneLine } from "../../base/errors/names.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Services } from "../flow.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";

/** The file that an edit is for, as far as the editor has sent it. */
export interface EditTarget {
  /** One line; "" if the editor names no file. */
  path: string;
  language: string;
  /** Its lines are those of the file: what was not sent of the lines above is blank. */
  text: string;
  /** How many lines at the top were not sent. */
  linesAbove: number;
}

/** A client that names a line further down has sent nonsense, and is taken to mean the first one. */
const maxLinesAbove = 200_000;

/** Undefined where no editor is open. @param focus of the editor, if it is known */
export function targetOf(editor: ActiveEditor | undefined, focus?: Focus): EditTarget | undefined {
  if (editor === undefined) return undefined;
  const { text, startLine } = sourceOf(editor, focus);
  const linesAbove = startLine - 1 > maxLinesAbove ? 0 : startLine - 1;
  return {
    path: oneLine(editor.filePath ?? ""),
    language: languageOfEditor(editor),
    // With line ends of their own they would outvote those of the text, and the change would bring theirs.
    text: usualLineEnd(text).repeat(linesAbove) + text,
    linesAbove,
  };
}

/** Whether there is any code in it. */
export function hasCode(target: EditTarget | undefined): target is EditTarget {
  return target !== undefined && target.text.trim() !== "";
}

/**
 * A text of the target, or what a change made of it, without the lines that were not sent, and the line of
 * the file on which it starts. A change may have taken some of these blank lines for its own.
 */
export function sentPart(
  { linesAbove }: EditTarget,
  text: string,
): { text: string; startLine: number } {
  let at = 0;
  for (let left = linesAbove; left > 0; left -= 1) {
    const next = text.startsWith("\r\n", at) ? at + 2 : at + 1;
    if (text[next - 1] !== "\n") break;
    at = next;
  }
  return { text: text.slice(at), startLine: linesAbove + 1 };
}

/** Models name a file by its path, by an end of it, or not at all, and some repeat the path of an example. */
export function isOfTarget(
  named: string | undefined,
  { path }: EditTarget,
  examples: readonly string[] = [],
): boolean {
  if (isSameFile(named, path)) return true;
  const isExample = (text: string): boolean => named !== undefined && namesPath(text, named.trim());
  return examples.some(isExample);
}

/** Whether a text names just this path, not a longer one. */
function namesPath(text: string, path: string): boolean {
  if (!/\.\w+$/.test(path)) return false;
  const isBorder = (sign: string): boolean => !/[\w./\\-]/.test(sign);
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    if (isBorder(text.charAt(at - 1)) && isBorder(text.charAt(at + path.length))) return true;
  }
  return false;
}

export function analyzeTarget(
  { signal }: Turn,
  { code }: Services,
  { text, language, path }: Pick<EditTarget, "text" | "language" | "path">,
): Promise<CodeAnalysis> {
  return code.analyze(text, language, path, { signal });
}

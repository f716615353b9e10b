// Changes of a file that name lines by number (seed: coding-agent, file operations), over the edit engine.
import { applyLineEdits } from "../edit/apply-line-edits.ts";
import type { EditError, LineEdit } from "../edit/edit-unit.ts";
import type { FileChange, WorkspaceFile } from "./workspace.ts";

export type LineChange = { ok: true; change: FileChange } | { ok: false; error: EditError };

/** What a change needs to know about a file; undefined if it does not exist. */
type Known = Pick<WorkspaceFile, "path" | "text" | "hash"> | undefined;

/** Lines 1-based and inclusive; without an end, the last line of the file. */
export interface RemovedLines {
  startLine?: number;
  endLine?: number;
}

/** Puts lines before a line; `lines + 1` appends, also to a file without a line end at its end. */
export function insertLines(path: string, file: Known, line: number, content: string): LineChange {
  const text = file?.text ?? "";
  if (line > countLines(text)) return replaceLines(path, file, line, line, content);
  const held = lineAt(text, line);
  const ended = content.endsWith("\n") ? content : `${content}\n`;
  return replaceLines(path, file, line, line, `${ended}${held}\n`);
}

/** Removes lines; without any number the whole text, so that an empty file is left. */
export function removeLines(
  path: string,
  file: Known,
  { startLine = 1, endLine }: RemovedLines,
): LineChange {
  return replaceLines(path, file, startLine, endLine ?? countLines(file?.text ?? ""), "");
}

export function replaceLines(
  path: string,
  file: Known,
  startLine: number,
  endLine: number,
  content: string,
): LineChange {
  return editLines(path, file, [
    { start_line: startLine, end_line: endLine, replacement: content },
  ]);
}

/** All edits, or none; their numbers mean the text before. */
export function editLines(path: string, file: Known, edits: readonly LineEdit[]): LineChange {
  const result = applyLineEdits(file?.text, edits);
  if (!result.ok) return result;
  const before = file === undefined ? undefined : { text: file.text, hash: file.hash };
  return { ok: true, change: { path, before, after: result.text } };
}

/** Lines of a text; what follows the last line end is a line if it is not empty. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}

/** A line without its end. */
function lineAt(text: string, line: number): string {
  let start = 0;
  for (let nth = 1; nth < line; nth += 1) start = text.indexOf("\n", start) + 1;
  const end = text.indexOf("\n", start);
  const held = text.slice(start, end === -1 ? text.length : end);
  return held.endsWith("\r") ? held.slice(0, -1) : held;
}

/** 1-based and inclusive. */
interface AskedLines {
  startLine: number;
  endLine: number;
}

interface LinesOfText {
  text: string;
  /** 1-based, of `text`. */
  startLine: number;
  totalLines: number;
  /** Not all lines are there. */
  isPart: boolean;
}

/** The lines of a text that were asked for, with their ends; those that do not exist are left out. */
export function cutLines(text: string, asked: AskedLines | undefined): LinesOfText {
  const totalLines = countLines(text);
  if (asked === undefined) return { text, startLine: 1, totalLines, isPart: false };
  const startLine = Math.max(asked.startLine, 1);
  const start = offsetOfLine(text, startLine);
  const end = offsetOfLine(text, Math.max(asked.endLine, 0) + 1, start, startLine);
  const isPart = start > 0 || end < text.length;
  return { text: text.slice(start, Math.max(start, end)), startLine, totalLines, isPart };
}

/** Where a line begins, counted from the start of another one; the end of the text for one that does not exist. */
function offsetOfLine(text: string, line: number, from = 0, fromLine = 1): number {
  let offset = from;
  for (let nth = fromLine; nth < line; nth += 1) {
    const end = text.indexOf("\n", offset);
    if (end === -1) return text.length;
    offset = end + 1;
  }
  return offset;
}

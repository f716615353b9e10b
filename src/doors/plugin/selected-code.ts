// The selection of a request, and what the window shows around it, as the file in front of the person.
import { guessLanguage } from "../../code/guess-language.ts";
import { missingIndent } from "../../edit/align/missing-indent.ts";
import { languageOf } from "../../turn/context/language.ts";
import { type EditorRange, type TextContext, toEditorRange, toPath } from "./schema.ts";

export interface SelectedCode {
  /** As `activeEditor` wants it; undefined where no code came. */
  editor: object | undefined;
  /** Of the file, with slashes; "" if the plugin did not say. */
  path: string;
  /** The selected text itself, and what of the window comes right after it. */
  selection: { text: string; after: string };
  /** What the window shows, where it is not around the selection; "" elsewhere. */
  window: string;
  /** The language was guessed ("" if nothing tells it), since no path came. */
  guessed: string | undefined;
}

interface Part {
  path: string;
  text: string;
  range: EditorRange | undefined;
}

export function readSelectedCode(
  selected: TextContext | null | undefined,
  visible: TextContext | null | undefined,
): SelectedCode {
  const part = toPart(selected);
  const around = toPart(visible);
  const path = part.path || around.path;
  const isSameFile = part.path === "" || around.path === "" || part.path === around.path;
  const hasPath = languageOf(path) !== "";
  const language = hasPath ? languageOf(path) : guessLanguage(part.text || around.text);
  const file = { filePath: path, language };
  const guessed = path === "" ? language : undefined;
  const bare = { text: part.text, after: "" };
  if (part.text.trim() === "") {
    const shown = around.text.trim() === "" ? undefined : around;
    const visibleRange = shown && { content: shown.text, ...shown.range };
    const editor = visibleRange && { ...file, visibleRange };
    return { editor, path, selection: bare, window: "", guessed };
  }
  const at = isSameFile ? findIn(around, part) : -1;
  const before = at === -1 ? indentationOf(part) : around.text.slice(0, at);
  const after = at === -1 ? "" : around.text.slice(at + part.text.length);
  const range = part.range ?? rangeBehind(around.range, before, at);
  const selection = {
    content: part.text,
    ...range,
    contentBeforeSelection: before,
    contentAfterSelection: after,
  };
  return {
    editor: { ...file, selectedRanges: [selection] },
    path,
    selection: { text: part.text, after },
    window: at === -1 ? around.text : "",
    guessed,
  };
}

function toPart(context: TextContext | null | undefined): Part {
  if (typeof context === "string") return { path: "", text: context, range: undefined };
  const { filepath, text = "", range } = context ?? {};
  return { path: toPath(filepath), text, range: range ? toEditorRange(range) : undefined };
}

/** Where the window holds the selection: by the ranges of both, else where it is the only one; -1 where it does not. */
function findIn({ text, range }: Part, selected: Part): number {
  if (range !== undefined && selected.range !== undefined) {
    const at = offsetOf(text, range, selected.range);
    if (at !== -1 && text.startsWith(selected.text, at)) return at;
  }
  const at = text.indexOf(selected.text);
  return at === text.lastIndexOf(selected.text) ? at : -1;
}

/** More columns do not count as indentation. */
const maxIndentation = 200;

/**
 * What is before a selection that begins in mid line, where no window shows it: without it, new lines would lose
 * their indentation. The lines below the first tell whether it can be one, whether it is of tabs, and, without a range, how deep it is.
 */
function indentationOf({ text, range }: Part): string {
  if (range === undefined) return missingIndent(text.split("\n"));
  const width = range.startColumn - 1;
  if (width > maxIndentation) return "";
  const below = text.split("\n").slice(1);
  const indented = below.filter((line) => line.trim() !== "");
  const heads = indented.map((line) => line.slice(0, width));
  if (heads.some((head) => head.length < width || head.trim() !== "")) return "";
  return heads[0] ?? " ".repeat(width);
}

/** The place of a position in a text that begins at another one; -1 if it is outside of the text. */
function offsetOf(text: string, from: EditorRange, to: EditorRange): number {
  const lines = to.startLine - from.startLine;
  if (lines === 0)
    return to.startColumn < from.startColumn ? -1 : to.startColumn - from.startColumn;
  let at = lines < 0 ? -1 : 0;
  for (let left = lines; left > 0 && at !== -1; left -= 1) {
    const end = text.indexOf("\n", at);
    at = end === -1 ? -1 : end + 1;
  }
  return at === -1 ? -1 : at + to.startColumn - 1;
}

/** The selection's start, where only the window's is known. */
function rangeBehind(
  around: EditorRange | undefined,
  before: string,
  at: number,
): Pick<EditorRange, "startLine" | "startColumn"> {
  if (around === undefined || at === -1) return { startLine: 1, startColumn: 1 };
  const lines = before.split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return lines.length === 1
    ? { startLine: around.startLine, startColumn: around.startColumn + column - 1 }
    : { startLine: around.startLine + lines.length - 1, startColumn: column };
}

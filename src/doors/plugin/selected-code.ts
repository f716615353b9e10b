// The selection of a request, and what the window shows around it, as the file in front of the person.
import { commonEdges } from "../../base/text/count-text.ts";
import { guessLanguage } from "../../code/guess-language.ts";
import { missingIndent } from "../../edit/align/missing-indent.ts";
import { languageOf } from "../../turn/context/language.ts";
import type { CodeRange } from "../../code/source-text.ts";
import { type TextContext, toEditorRange, toPath } from "./schema.ts";
import type { TextChange } from "../../edit/unified-diff.ts";

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
  range: CodeRange | undefined;
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
function offsetOf(text: string, from: CodeRange, to: CodeRange): number {
  const lines = to.startLine - from.startLine;
  if (lines === 0) return Math.max(-1, to.startColumn - from.startColumn);
  const start = lineStarts(text)[lines];
  return start === undefined ? -1 : start + to.startColumn - 1;
}

/** The selection's start, where only the window's is known. */
function rangeBehind(
  around: CodeRange | undefined,
  before: string,
  at: number,
): Pick<CodeRange, "startLine" | "startColumn"> {
  if (around === undefined || at === -1) return { startLine: 1, startColumn: 1 };
  const lines = before.split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return lines.length === 1
    ? { startLine: around.startLine, startColumn: around.startColumn + column - 1 }
    : { startLine: around.startLine + lines.length - 1, startColumn: column };
}

// What a change of the file means for the selected text, and what of it lies outside.

/** The selection: characters of the file's text, `end` exclusive. */
interface Span {
  start: number;
  end: number;
}

interface CutChange {
  /** The text that replaces exactly the selected one; undefined where no change lies in it. */
  inside: string | undefined;
  /** The changes that are not in it; all of them where one crosses its border. */
  outside: readonly TextChange[];
  crosses: boolean;
}

/** A replacement of characters. */
interface Splice extends Span {
  text: string;
}

export function cutToSelection(
  before: string,
  changes: readonly TextChange[],
  selection: Span,
): CutChange {
  const outside: TextChange[] = [];
  const starts = lineStarts(before);
  let [text, next] = ["", selection.start];
  for (const change of changes) {
    const splice = moveInto(toSplice(before, starts, change), before, selection);
    if (splice.start >= selection.start && splice.end <= selection.end) {
      text += before.slice(next, splice.start) + splice.text;
      next = splice.end;
    } else if (splice.end <= selection.start || splice.start >= selection.end) outside.push(change);
    else return { inside: undefined, outside: changes, crosses: true };
  }
  const hasInside = outside.length < changes.length;
  const inside = hasInside ? text + before.slice(next, selection.end) : undefined;
  return { inside, outside, crosses: false };
}

/** The index at which each line starts, and the text's length. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  starts.push(text.length);
  return starts;
}

/** Without what both sides have in common at their ends. */
function toSplice(
  before: string,
  starts: readonly number[],
  { startLine, endLine, text }: TextChange,
): Splice {
  const start = starts[startLine - 1] ?? before.length;
  const end = Math.max(start, starts[endLine] ?? before.length);
  const { head, tail } = commonEdges(before.slice(start, end), text);
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

/**
 * Moves what was only inserted, or only deleted, into the selection where that gives the same file: a line
 * put behind the last selected one begins with the line break at the selection's end.
 */
function moveInto(splice: Splice, before: string, selection: Span): Splice {
  const { start, end, text } = splice;
  const isInsertion = start === end;
  if (!isInsertion && text !== "") return splice;
  const moved = isInsertion ? text : before.slice(start, end);
  if (end > selection.end) {
    const by = end - selection.end;
    const passed = before.slice(Math.max(0, start - by), start);
    const all = passed + moved;
    if (by > start || !all.endsWith(passed)) return splice;
    return { start: start - by, end: end - by, text: all.slice(0, text.length) };
  }
  const by = Math.max(0, selection.start - start);
  const passed = before.slice(end, end + by);
  const all = moved + passed;
  if (passed.length < by || !all.startsWith(passed)) return splice;
  return { start: start + by, end: end + by, text: all.slice(all.length - text.length) };
}

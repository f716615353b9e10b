import * as z from "zod";
import { fence } from "./fence.ts";
import { languageOf } from "./language.ts";
import { oneLine } from "./one-line.ts";

/** 1-based line or column; columns count UTF-16 code units, as editors do. */
const Position = z.int().min(1);
/** How many lines around the selection the client collects; 0 means the rest of the line only. */
const LineCount = z.int().min(0);

export const ActiveEditorOptions = z.looseObject({
  contentBeforeSelectionLines: LineCount.nullish(),
  contentAfterSelectionLines: LineCount.nullish(),
});
export type ActiveEditorOptions = z.infer<typeof ActiveEditorOptions>;

const TextRange = z.looseObject({
  content: z.string(),
  startLine: Position.nullish(),
  startColumn: Position.nullish(),
  endLine: Position.nullish(),
  endColumn: Position.nullish(),
});

const SelectedRange = z.looseObject({
  ...TextRange.shape,
  contentBeforeSelection: z.string().nullish(),
  contentAfterSelection: z.string().nullish(),
});
type SelectedRange = z.infer<typeof SelectedRange>;

/**
 * The file in front of the person. Lines and columns are 1-based, `cursorOffset` is 0-based, all
 * in UTF-16 code units (source: platform document, ActiveEditorContextVariable).
 */
export const ActiveEditor = z.looseObject({
  filePath: z.string().nullish(),
  language: z.string().nullish(),
  content: z.string().nullish(),
  cursorOffset: z.int().min(0).nullish(),
  startLine: Position.nullish(),
  startColumn: Position.nullish(),
  endLine: Position.nullish(),
  endColumn: Position.nullish(),
  selectedRanges: z.array(SelectedRange).nullish(),
  visibleRange: TextRange.nullish(),
});
export type ActiveEditor = z.infer<typeof ActiveEditor>;

/** What the person looks at: lines `startLine..endLine` (1-based, inclusive) with their text. */
export interface Focus {
  kind: "selection" | "visible" | "file";
  text: string;
  startLine: number;
  endLine: number;
}

const aroundByDefault = 20;
/** People select a few places; each is compared with every line. */
const mostRanges = 100;

export function languageOfEditor(editor: ActiveEditor): string {
  return editor.language || languageOf(editor.filePath ?? "");
}

/** The first range that holds text; a bare cursor is a range without any. */
function selectionOf(editor: ActiveEditor): SelectedRange | undefined {
  return editor.selectedRanges?.find((range) => range.content.trim() !== "");
}

/** The selection, else the visible range around the cursor, else the file. */
export function focusOf(editor: ActiveEditor): Focus {
  const selection = selectionOf(editor);
  if (selection !== undefined) return rangeFocus("selection", selection);
  const visible = editor.visibleRange;
  if (visible && visible.content.trim() !== "" && hasCursorInside(editor, visible)) {
    return rangeFocus("visible", visible);
  }
  const text = editor.content ?? "";
  return { kind: "file", text, startLine: 1, endLine: linesOf(text).length };
}

/**
 * Prints the editor for a model: path, language, and a fenced excerpt with line numbers in which
 * the selected lines carry `>`. Around the focus stand as many lines as the options say (20 where
 * they say nothing), fewer if `around` is smaller.
 */
export function renderActiveEditor(
  editor: ActiveEditor,
  options: ActiveEditorOptions = {},
  around = Number.POSITIVE_INFINITY,
): string {
  const focus = narrowFocus(editor, around);
  const { text, startLine: first } = sourceOf(editor, focus);
  const lines = linesOf(text);
  const before = Math.min(options.contentBeforeSelectionLines ?? aroundByDefault, around);
  const after = Math.min(options.contentAfterSelectionLines ?? aroundByDefault, around);
  const from = Math.max(focus.startLine - before, first);
  const to = Math.min(focus.endLine + after, first + lines.length - 1);
  const width = String(to).length;
  const marked = selectedLines(editor);
  const body = lines.slice(from - first, to - first + 1).map((line, index) => {
    const number = from + index;
    return `${marked(number) ? ">" : " "} ${String(number).padStart(width)} | ${line}`.trimEnd();
  });
  return `${heading(editor, focus, from, to)}\n${fence(body.join("\n"), languageOfEditor(editor))}`;
}

/** A copy whose texts keep at most `around` lines on each side of the focus, and say what was cut. */
export function narrowEditor(editor: ActiveEditor, around: number): ActiveEditor {
  const focus = narrowFocus(editor, around);
  const lines = linesOf(editor.content ?? "");
  const from = Math.max(focus.startLine - around, 1);
  const to = Math.min(focus.endLine + around, lines.length);
  const kept = lines.slice(from - 1, to);
  const above = from > 1 ? [cutNote(from - 1)] : [];
  const below = to < lines.length ? [cutNote(lines.length - to)] : [];
  return {
    ...editor,
    ...(editor.content ? { content: [...above, ...kept, ...below].join("\n") } : {}),
    ...(focus.kind === "selection" ? { visibleRange: undefined } : {}),
    selectedRanges: editor.selectedRanges?.map((range) => ({
      ...range,
      contentBeforeSelection: around === 0 ? "" : lastLines(range.contentBeforeSelection, around),
      contentAfterSelection: around === 0 ? "" : firstLines(range.contentAfterSelection, around),
    })),
  };
}

export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

function rangeFocus(kind: Focus["kind"], range: z.infer<typeof TextRange>): Focus {
  const startLine = range.startLine ?? 1;
  const count = linesOf(range.content).length;
  // A range that ends in column 1 does not reach into that line.
  const end = range.endColumn === 1 ? (range.endLine ?? 0) - 1 : (range.endLine ?? 0);
  return { kind, text: range.content, startLine, endLine: Math.max(end, startLine + count - 1) };
}

/** A file of which only so many lines around the focus may stay has its focus at the cursor. */
function narrowFocus(editor: ActiveEditor, around: number): Focus {
  const focus = focusOf(editor);
  if (focus.kind !== "file" || !Number.isFinite(around)) return focus;
  const line = cursorLineOf(editor) ?? 1;
  return { ...focus, text: "", startLine: line, endLine: line };
}

/** The 1-based line of the cursor, where the client tells enough to know it. */
export function cursorLineOf({ content, cursorOffset }: ActiveEditor): number | undefined {
  if (typeof content !== "string" || typeof cursorOffset !== "number") return undefined;
  return linesOf(`${content.slice(0, cursorOffset)}.`).length;
}

/** Without a usable cursor the visible range still tells where the person looks. */
function hasCursorInside(editor: ActiveEditor, visible: z.infer<typeof TextRange>): boolean {
  const line = cursorLineOf(editor);
  if (line === undefined) return true;
  return line >= (visible.startLine ?? 1) && line <= (visible.endLine ?? Number.POSITIVE_INFINITY);
}

/**
 * The file, as far as the client has sent it: its content; without one, or with one that ends before the
 * selection, what the selection and its surroundings hold.
 *
 * @returns the text, and the line of the file on which it starts, 1-based
 */
export function sourceOf(
  editor: ActiveEditor,
  focus: Focus = focusOf(editor),
): { text: string; startLine: number } {
  const { content } = editor;
  if (content && linesOf(content).length >= focus.endLine) return { text: content, startLine: 1 };
  const selection = selectionOf(editor);
  const before = selection?.contentBeforeSelection ?? "";
  const text = `${before}${focus.text}${selection?.contentAfterSelection ?? ""}`;
  const above = before.match(/\r\n|\r|\n/g)?.length ?? 0;
  return { text, startLine: Math.max(focus.startLine - above, 1) };
}

function selectedLines(editor: ActiveEditor): (line: number) => boolean {
  const ranges = (editor.selectedRanges ?? [])
    .slice(0, mostRanges)
    .filter((range) => range.content.trim() !== "")
    .map((range) => rangeFocus("selection", range));
  return (line) => ranges.some((range) => line >= range.startLine && line <= range.endLine);
}

function heading(editor: ActiveEditor, focus: Focus, from: number, to: number): string {
  const language = languageOfEditor(editor);
  const name = `${oneLine(editor.filePath || "(unnamed file)")}${language ? ` (${oneLine(language)})` : ""}`;
  const selection = selectionOf(editor);
  if (selection === undefined) return `${name}, lines ${from}-${to}`;
  const columns = `${selection.startColumn ?? 1} to ${selection.endLine ?? focus.endLine}:${selection.endColumn ?? "end"}`;
  return `${name}, lines ${from}-${to}; selected (marked with >): ${focus.startLine}:${columns}`;
}

function cutNote(count: number): string {
  return `[${count} ${count === 1 ? "line" : "lines"} cut]`;
}

function lastLines(text: string | null | undefined, count: number): string | null | undefined {
  if (typeof text !== "string") return text;
  const end = text.endsWith("\n") ? "\n" : "";
  return (
    text
      .slice(0, text.length - end.length)
      .split("\n")
      .slice(-count)
      .join("\n") + end
  );
}

function firstLines(text: string | null | undefined, count: number): string | null | undefined {
  return typeof text === "string" ? text.split("\n").slice(0, count).join("\n") : text;
}

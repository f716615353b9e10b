import * as z from "zod";
import { languageOf } from "./language.ts";
import { countLineEnds, countLines, TextLines } from "./text-lines.ts";

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

export function languageOfEditor(editor: ActiveEditor): string {
  return editor.language || languageOf(editor.filePath ?? "");
}

/** The first range that holds text; a bare cursor is a range without any. */
export function selectionOf(editor: ActiveEditor): SelectedRange | undefined {
  for (const range of editor.selectedRanges ?? []) if (range.content.trim() !== "") return range;
  return undefined;
}

const known = new WeakMap<ActiveEditor, TextLines>();

/** The lines of the content, which are looked for once. */
export function contentLines(editor: ActiveEditor): TextLines {
  const lines = known.get(editor) ?? new TextLines(editor.content ?? "");
  known.set(editor, lines);
  return lines;
}

/** The selection, else the visible range around the cursor, else the file. */
export function focusOf(editor: ActiveEditor): Focus {
  const selection = selectionOf(editor);
  if (selection !== undefined) return rangeFocus("selection", selection);
  const visible = editor.visibleRange;
  if (visible && visible.content.trim() !== "" && hasCursorInside(editor, visible)) {
    return rangeFocus("visible", visible);
  }
  const { text, count } = contentLines(editor);
  return { kind: "file", text, startLine: 1, endLine: count };
}

export function rangeFocus(kind: Focus["kind"], range: z.infer<typeof TextRange>): Focus {
  const startLine = range.startLine ?? 1;
  const count = countLines(range.content);
  // A range that ends in column 1 does not reach into that line.
  const end = range.endColumn === 1 ? (range.endLine ?? 0) - 1 : (range.endLine ?? 0);
  return { kind, text: range.content, startLine, endLine: Math.max(end, startLine + count - 1) };
}

/** The 1-based line of the cursor, where the client tells enough to know it. */
export function cursorLineOf({ content, cursorOffset }: ActiveEditor): number | undefined {
  if (typeof content !== "string" || typeof cursorOffset !== "number") return undefined;
  return countLineEnds(content, cursorOffset) + 1;
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
  if (content && contentLines(editor).count >= focus.endLine)
    return { text: content, startLine: 1 };
  const selection = selectionOf(editor);
  const before = selection?.contentBeforeSelection ?? "";
  const text = `${before}${focus.text}${selection?.contentAfterSelection ?? ""}`;
  const above = countLineEnds(before);
  return { text, startLine: Math.max(focus.startLine - above, 1) };
}

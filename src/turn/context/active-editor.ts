import * as z from "zod";
import { languageOf } from "./language.ts";
import { TextLines, countLineEnds, countLines } from "../../base/text/lines.ts";
import { commentMarksOf } from "../../code/comment-marks.ts";
import { type SourceText, createSourceText } from "../../code/source-text.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import { fence } from "../../base/text/fence.ts";
import { oneLine } from "../../base/errors/names.ts";
import { isRecord } from "../../base/text/json.ts";

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
export interface Focus extends LineRange {
  kind: "selection" | "visible" | "file";
  text: string;
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
function contentLines(editor: ActiveEditor): TextLines {
  const lines = known.get(editor) ?? new TextLines(editor.content ?? "");
  known.set(editor, lines);
  return lines;
}

/**
 * The selection, else the visible range around the cursor, else the file. Of a selection whose place in the file is not
 * known the text is that of the selection.
 */
export function focusOf(editor: ActiveEditor): Focus {
  const selection = selectionOf(editor);
  const placed = selection && rangeFocus(editor, "selection", selection);
  if (placed !== undefined) return placed;
  const selected = selection && { text: selection.content };
  const visible = editor.visibleRange;
  if (visible && visible.content.trim() !== "" && hasCursorInside(editor, visible)) {
    const seen = rangeFocus(editor, "visible", visible);
    if (seen !== undefined) return { ...seen, ...selected };
  }
  const { text, count } = contentLines(editor);
  return { kind: "file", text, startLine: 1, endLine: count, ...selected };
}

/** Undefined where it is not known which lines of the file the range is; without a file they count from its start. */
function rangeFocus(
  { content }: ActiveEditor,
  kind: Focus["kind"],
  range: z.infer<typeof TextRange>,
): Focus | undefined {
  const startLine = range.startLine ?? (content ? undefined : 1);
  if (startLine === undefined) return undefined;
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
 * The file, as far as the client has sent it, from which line on: its content; without one, what the selection and its
 * surroundings hold.
 */
export function sourceOfEditor(
  editor: ActiveEditor,
  focus: Focus = focusOf(editor),
): { text: string; startLine: number } {
  const { content } = editor;
  if (content) return { text: content, startLine: 1 };
  const selection = selectionOf(editor);
  const before = selection?.contentBeforeSelection ?? "";
  const text = `${before}${focus.text}${selection?.contentAfterSelection ?? ""}`;
  const above = countLineEnds(before);
  return { text, startLine: Math.max(focus.startLine - above, 1) };
}

const aroundByDefault = 20;
const maxRanges = 100;

/**
 * Prints the editor for a model: path, language, and a fenced excerpt with line numbers in which
 * the selected lines carry `>`. Around the focus stand as many lines as the options say (20 where
 * they say nothing), fewer if `around` is smaller.
 */
export function printActiveEditor(
  editor: ActiveEditor,
  options: ActiveEditorOptions = {},
  around = Number.POSITIVE_INFINITY,
): string {
  const { focus, lines, first } = readSource(editor, around);
  const before = Math.min(options.contentBeforeSelectionLines ?? aroundByDefault, around);
  const after = Math.min(options.contentAfterSelectionLines ?? aroundByDefault, around);
  const from = Math.max(focus.startLine - before, first);
  const to = Math.min(focus.endLine + after, first + lines.count - 1);
  const selected = listSelected(editor);
  const body = printGutter(selected, lines, first, [{ startLine: from, endLine: to }]);
  return printEditor(editor, selected, `lines ${from}-${to}`, body);
}

/**
 * Prints lines of the editor's file (all where no ranges are given) for a model as {@link printActiveEditor} does, with a
 * note in place of those between them.
 */
export function printExcerpt(editor: ActiveEditor, ranges?: readonly LineRange[]): string {
  const { focus, lines, first } = readSource(editor);
  const last = first + lines.count - 1;
  const all = [{ startLine: first, endLine: last }];
  const omitted = (count: number): string => printOmission(count, languageOfEditor(editor));
  const selected = listSelected(editor);
  const body = printGutter(selected, lines, first, ranges ?? all, omitted);
  const shown = (ranges ?? all).reduce(
    (sum, { startLine, endLine }) => sum + endLine - startLine + 1,
    0,
  );
  const what = ranges === undefined ? `lines ${first}-${last}` : `${shown} of ${lines.count} lines`;
  const cursor = focus.kind === "selection" ? undefined : cursorLineOf(editor);
  const where = cursor === undefined ? what : `${what}; cursor on line ${cursor}`;
  return printEditor(editor, selected, where, body);
}

/** The lines that the client has sent, and the line of the file on which they start. */
export function readSource(
  editor: ActiveEditor,
  around = Number.POSITIVE_INFINITY,
): { focus: Focus; lines: TextLines; first: number } {
  const focus = narrowFocus(editor, around);
  const { text, startLine: first } = sourceOfEditor(editor, focus);
  const lines = text === editor.content ? contentLines(editor) : new TextLines(text);
  return { focus, lines, first };
}

/** Of a file of a million lines few are held as texts of their own at a time. */
const joinedAtOnce = 2_000;

/** Lines behind their gutter. @param omitted says that so many lines are left out; absent: nothing says it */
function printGutter(
  all: readonly Selected[],
  lines: TextLines,
  first: number,
  ranges: readonly LineRange[],
  omitted?: (count: number) => string,
): string {
  const width = String(ranges.at(-1)?.endLine ?? first).length;
  const selected = all.toSorted((one, other) => one.startLine - other.startLine);
  let nextSelected = 0;
  let selectedTo = 0;
  const printed: string[] = [];
  let next = first;
  const skipTo = (line: number): void => {
    if (omitted !== undefined && line > next)
      printed.push(`  ${" ".repeat(width)} | ${omitted(line - next)}`);
  };
  for (const { startLine, endLine } of ranges) {
    skipTo(startLine);
    for (let from = startLine; from <= endLine; from += joinedAtOnce) {
      const texts: string[] = [];
      let number = from;
      const to = Math.min(from + joinedAtOnce - 1, endLine);
      for (const line of lines.slice(from - first + 1, to - first + 1)) {
        for (; (selected[nextSelected]?.startLine ?? Infinity) <= number; nextSelected += 1)
          selectedTo = Math.max(selectedTo, selected[nextSelected]?.endLine ?? 0);
        const mark = number <= selectedTo ? ">" : " ";
        texts.push(`${mark} ${String(number).padStart(width)} |${` ${line}`.trimEnd()}`);
        number += 1;
      }
      printed.push(texts.join("\n"));
    }
    next = endLine + 1;
  }
  skipTo(first + lines.count);
  return printed.join("\n");
}

/** A copy whose texts keep at most `around` lines on each side of the focus, and say what was cut. */
export function narrowEditor(editor: ActiveEditor, around: number): ActiveEditor {
  const lines = contentLines(editor);
  const focus = narrowFocus(editor, around);
  const from = Math.max(focus.startLine - around, 1);
  const to = Math.min(focus.endLine + around, lines.count);
  const above = from > 1 ? [cutNote(from - 1)] : [];
  const below = to < lines.count ? [cutNote(lines.count - to)] : [];
  const content = (): string => [...above, ...lines.slice(from, to), ...below].join("\n");
  return {
    ...editor,
    ...(editor.content ? { content: content() } : {}),
    ...(focus.kind === "selection" ? { visibleRange: undefined } : {}),
    selectedRanges: editor.selectedRanges?.map((range) => ({
      ...range,
      contentBeforeSelection: around === 0 ? "" : lastLines(range.contentBeforeSelection, around),
      contentAfterSelection: around === 0 ? "" : firstLines(range.contentAfterSelection, around),
    })),
  };
}

/** A file of which only so many lines around the focus may stay has its focus at the cursor. */
function narrowFocus(editor: ActiveEditor, around: number): Focus {
  const focus = focusOf(editor);
  if (focus.kind !== "file" || !Number.isFinite(around)) return focus;
  const line = cursorLineOf(editor) ?? 1;
  return { ...focus, text: "", startLine: line, endLine: line };
}

interface Selected extends Focus {
  /** From where to where, with columns. */
  words: string;
}

/** All that is selected on lines that are known; editors can select at several places at once. */
export function listSelected(editor: ActiveEditor): Selected[] {
  const selected: Selected[] = [];
  for (const range of editor.selectedRanges?.slice(0, maxRanges) ?? []) {
    const focus = range.content.trim() === "" ? undefined : rangeFocus(editor, "selection", range);
    if (focus === undefined) continue;
    const start = `${focus.startLine}:${range.startColumn ?? 1}`;
    const end = `${range.endLine ?? focus.endLine}:${range.endColumn ?? "end"}`;
    selected.push({ ...focus, words: `${start} to ${end}` });
  }
  return selected;
}

/** A heading, the lines in a fence, and what is selected on lines that are not known. */
function printEditor(
  editor: ActiveEditor,
  selected: readonly Selected[],
  shown: string,
  lines: string,
): string {
  const language = languageOfEditor(editor);
  const name = `${oneLine(editor.filePath || "(unnamed file)")}${language ? ` (${oneLine(language)})` : ""}`;
  let words = "";
  for (const one of selected)
    words += `${words === "" ? "; selected (marked with >): " : ", "}${one.words}`;
  let text = `${name}, ${shown}${words}\n${fence(lines, language)}`;
  for (const { content, startLine } of editor.selectedRanges?.slice(0, maxRanges) ?? [])
    if (editor.content && typeof startLine !== "number" && content.trim() !== "")
      text += `\n\nSelected, on lines that are not known:\n${fence(content, language)}`;
  return text;
}

/** Says that so many lines are left out, in a text of any kind. */
export function cutNote(count: number): string {
  return `[${count} ${count === 1 ? "line" : "lines"} cut]`;
}

function lastLines(text: string | null | undefined, count: number): string | null | undefined {
  const end = text?.endsWith("\n") === true ? 1 : 0;
  return text
    ?.split("\n")
    .slice(-count - end)
    .join("\n");
}

function firstLines(text: string | null | undefined, count: number): string | null | undefined {
  return text?.split("\n", count).join("\n");
}

/**
 * The note that stands for lines of a file that a prompt does not show. The edit engine knows it as a placeholder
 * (`edit/placeholder.ts`), so that an echo of it never gets into a file.
 */
export function printOmission(count: number, language: string): string {
  const { line, block } = commentMarksOf(language) ?? {};
  const note = `... ${count} ${count === 1 ? "line" : "lines"} omitted ...`;
  if (line === undefined && block !== undefined) return `${block[0]} ${note} ${block[1]}`;
  return `${line ?? "//"} ${note}`;
}

type PlacedText = NonNullable<ActiveEditor["visibleRange"]>;

/**
 * Gives the ranges of an editor that come without usable lines their position: that of their text, where it begins
 * on the line that they name, or the file holds it once, else none.
 *
 * @param drop is told of lines that the file does not have
 */
export function recoverRanges(
  editor: ActiveEditor,
  drop: (faults: { path: PropertyKey[]; message: string }[]) => void = () => undefined,
): ActiveEditor {
  const { content, selectedRanges, visibleRange } = editor;
  const ranges: PlacedText[] = [...(selectedRanges ?? []), ...(visibleRange ? [visibleRange] : [])];
  if (!content || ranges.length === 0) return editor;
  let last = 1;
  for (const { startLine, endLine } of ranges) last = Math.max(last, startLine ?? 1, endLine ?? 1);
  // Nearly always there are as many, and the rest of the file is not looked at.
  let count = 1;
  for (
    let at = content.indexOf("\n");
    at !== -1 && count < last;
    at = content.indexOf("\n", at + 1)
  )
    count += 1;
  if (count < last) count = contentLines(editor).starts.length;
  let isLost = false;
  for (const range of ranges) isLost ||= findLost(range, count) !== undefined;
  if (!isLost) return editor;
  const source = createSourceText(content, contentLines(editor).starts);
  const mend = <Range extends PlacedText>(range: Range, path: PropertyKey[]): Range => {
    const key = findLost(range, count);
    if (key === undefined) return range;
    const message = `must be a line of content (1 to ${count})${key === "endLine" ? ", not before startLine" : ""}`;
    if (typeof range[key] === "number") drop([{ path: [...path, key], message }]);
    return recover(range, source);
  };
  return {
    ...editor,
    selectedRanges: selectedRanges?.map((range, nth) => mend(range, ["selectedRanges", nth])),
    visibleRange: visibleRange && mend(visibleRange, ["visibleRange"]),
  };
}

/**
 * The text that is selected in an editor whose selections came in a form that nobody can read: one range, or a
 * text, in place of a list, or in the list. "" where the text cannot be read either; undefined where nothing was
 * selected, or what was selected can be read.
 */
export function findLostSelection(editor: unknown): string | undefined {
  if (!isRecord(editor)) return undefined;
  const { selectedRanges: given } = editor;
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  for (const item of items) {
    const content = isRecord(item) ? item["content"] : item;
    if (content === undefined || content === null) continue;
    if (typeof content !== "string") return "";
    if (content.trim() !== "") return content;
  }
  return undefined;
}

/** The field by which the position of a text is not usable. */
function findLost(
  { content, startLine, endLine, endColumn }: PlacedText,
  lineCount: number,
): "startLine" | "endLine" | undefined {
  if (content.trim() === "") return undefined;
  if (typeof startLine !== "number" || startLine > lineCount) return "startLine";
  if (typeof endLine !== "number") return undefined;
  const isBeyond = endLine - (endColumn === 1 ? 1 : 0) > lineCount;
  return isBeyond || endLine < startLine ? "endLine" : undefined;
}

function recover<Range extends PlacedText>(range: Range, source: SourceText): Range {
  const { content, startLine } = range;
  const file = source.text;
  const named = startLine ? file.indexOf(content, source.startOf(startLine)) : -1;
  const isNamed = named !== -1 && named < source.startOf((startLine ?? 0) + 1);
  const start = isNamed ? named : file.indexOf(content);
  if (start === -1 || (!isNamed && file.includes(content, start + 1)))
    return { ...range, startLine: null, endLine: null };
  return { ...range, ...source.rangeOf(start, start + content.length) };
}

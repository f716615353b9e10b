import { isRecord } from "../../base/wire/json/is-record.ts";
import type { ActiveEditor } from "./active-editor.ts";
import { countLineEnds } from "./text-lines.ts";

interface TextRange {
  content: string;
  startLine?: number | null | undefined;
}

/**
 * Gives the ranges of an editor that come without a usable line their position: that of their text, where the
 * file holds it once.
 */
export function recoverRanges(editor: ActiveEditor): ActiveEditor {
  const { content, selectedRanges, visibleRange } = editor;
  const isSelectionLost = selectedRanges?.some(isLost) === true;
  const isVisibleLost = visibleRange && isLost(visibleRange);
  if (!content || (!isSelectionLost && !isVisibleLost)) return editor;
  return {
    ...editor,
    ...(isSelectionLost
      ? { selectedRanges: selectedRanges?.map((range) => recover(range, content)) }
      : {}),
    ...(isVisibleLost ? { visibleRange: recover(visibleRange, content) } : {}),
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

function isLost({ content, startLine }: TextRange): boolean {
  return typeof startLine !== "number" && content.trim() !== "";
}

/** Lines and columns are 1-based, and the end is the place behind the last character, as editors have it. */
function recover<Range extends TextRange>(range: Range, file: string): Range {
  if (!isLost(range)) return range;
  const start = file.indexOf(range.content);
  if (start === -1 || file.includes(range.content, start + 1)) return range;
  const end = start + range.content.length;
  return {
    ...range,
    startLine: countLineEnds(file, start) + 1,
    startColumn: columnOf(file, start),
    endLine: countLineEnds(file, end) + 1,
    endColumn: columnOf(file, end),
  };
}

function columnOf(file: string, offset: number): number {
  const last = Math.max(file.lastIndexOf("\n", offset - 1), file.lastIndexOf("\r", offset - 1));
  return offset === 0 ? 1 : offset - last;
}

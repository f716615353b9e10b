import { relative, resolve, sep } from "node:path";
import type { ActiveEditor, ActiveEditorOptions } from "../../../turn/context/active-editor.ts";
import { languageOf } from "../../../turn/context/language.ts";
import { type LineRange, type Place, parseLineRange, splitLines, withoutLineEnd } from "./place.ts";
import { CliError } from "../../cli-error.ts";
import { readTextFile } from "../../read/read-text-file.ts";

/** Lines that an editor window shows, and that go along, on each side of a selection. */
const around = 20;

/**
 * Reads a file as the editor would show it: all of it visible and no cursor anywhere, or with lines
 * selected and the cursor behind them, or with a cursor alone.
 *
 * @param lines as `10-20`; undefined selects nothing
 * @param options how many lines around a selection are collected; 20 where they do not say
 * @param cursor only without lines
 * @throws CliError when the file is no readable text, or the lines are not in it
 */
export function readEditor(
  directory: string,
  file: string,
  lines: string | undefined,
  options: ActiveEditorOptions = {},
  cursor?: Place["cursor"],
): ActiveEditor {
  const range = lines === undefined ? undefined : parseLineRange(lines);
  const filePath = sentPath(directory, file);
  const content = readTextFile(resolve(directory, file), file);
  const all = splitLines(content);
  if (range !== undefined && range.last > all.length) throw outside(range, filePath, all.length);
  if (cursor !== undefined && cursor.line > all.length)
    throw new CliError(
      `Line ${cursor.line} is not in ${filePath}, which has ${countOf(all.length)}.`,
    );
  const seen = range ?? (cursor && { first: cursor.line, last: cursor.line });
  const before = options.contentBeforeSelectionLines ?? around;
  const after = options.contentAfterSelectionLines ?? around;
  return {
    filePath,
    language: languageOf(file),
    content,
    ...cursorOf(all, range, cursor),
    ...positionsOf(all, { first: 1, last: all.length }),
    selectedRanges: range === undefined ? [] : [select(all, range, before, after)],
    visibleRange: toTextRange(
      all,
      seen === undefined ? { first: 1, last: all.length } : widen(seen, all.length),
    ),
  };
}

/** How a request names a file: from the directory, with slashes. */
export function sentPath(directory: string, file: string): string {
  return relative(directory, resolve(directory, file)).split(sep).join("/");
}

/** A cursor says which code is meant; at the start of the file it would say the first line. */
function cursorOf(
  all: readonly string[],
  range: LineRange | undefined,
  cursor: Place["cursor"],
): { cursorOffset?: number } {
  if (range !== undefined)
    return { cursorOffset: withoutLineEnd(all.slice(0, range.last).join("")).length };
  if (cursor === undefined) return {};
  const line = withoutLineEnd(all[cursor.line - 1] ?? "");
  const above = all.slice(0, cursor.line - 1).join("").length;
  return { cursorOffset: above + Math.min(cursor.column - 1, line.length) };
}

function select(all: readonly string[], range: LineRange, before: number, after: number) {
  const selected = all.slice(range.first - 1, range.last).join("");
  const content = withoutLineEnd(selected);
  const following = all.slice(range.last, range.last + after).join("");
  return {
    ...toTextRange(all, range),
    contentBeforeSelection: all
      .slice(Math.max(range.first - 1 - before, 0), range.first - 1)
      .join(""),
    // What follows begins with the end of the last selected line, as in the file.
    contentAfterSelection: withoutLineEnd(selected.slice(content.length) + following),
  };
}

function toTextRange(all: readonly string[], range: LineRange) {
  const content = withoutLineEnd(all.slice(range.first - 1, range.last).join(""));
  return { content, ...positionsOf(all, range) };
}

function positionsOf(all: readonly string[], { first, last }: LineRange) {
  const endColumn = withoutLineEnd(all[last - 1] ?? "").length + 1;
  return { startLine: first, startColumn: 1, endLine: last, endColumn };
}

function widen({ first, last }: LineRange, count: number): LineRange {
  return { first: Math.max(first - around, 1), last: Math.min(last + around, count) };
}

function outside({ first, last }: LineRange, filePath: string, count: number): CliError {
  return new CliError(
    `--lines ${first}-${last} is not in ${filePath}, which has ${countOf(count)}.`,
  );
}

function countOf(lines: number): string {
  return lines === 1 ? "one line" : `${lines} lines`;
}

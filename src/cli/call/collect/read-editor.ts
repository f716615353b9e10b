import { resolve } from "node:path";
import type { ActiveEditorOptions } from "../../../turn/context/active-editor.ts";
import { languageOf } from "../../../turn/context/language.ts";
import { CliError } from "../../cli-error.ts";
import { toSlashes } from "./project-files.ts";
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
 * @param text of the file, where it is not that of the disk
 * @throws CliError when the file is no readable text, or the lines are not in it
 */
export function readEditor(
  directory: string,
  file: string,
  lines: string | undefined,
  options: ActiveEditorOptions = {},
  cursor?: Place["cursor"],
  text?: string,
) {
  const range = lines === undefined ? undefined : parseLineRange(lines);
  const filePath = sentPath(directory, file);
  const content = text ?? readTextFile(resolve(directory, file), file);
  const all = splitLines(content);
  const whole = { first: 1, last: all.length };
  const size = all.length === 1 ? "one line" : `${all.length} lines`;
  if (range !== undefined && range.last > all.length)
    throw new CliError(
      `--lines ${range.first}-${range.last} is not in ${filePath}, which has ${size}.`,
    );
  if (cursor !== undefined && cursor.line > all.length)
    throw new CliError(`Line ${cursor.line} is not in ${filePath}, which has ${size}.`);
  const startOf = (line: number): number => all.slice(0, line - 1).join("").length;
  const lengthOf = (line: number): number => withoutLineEnd(all[line - 1] ?? "").length;
  const endOf = (line: number): number => startOf(line) + lengthOf(line);
  const toRange = ({ first, last }: ParsedLines) => ({
    content: content.slice(startOf(first), endOf(last)),
    startLine: first,
    startColumn: 1,
    endLine: last,
    endColumn: lengthOf(last) + 1,
  });
  const select = ({ first, last }: ParsedLines) => {
    const above = Math.max(first - (options.contentBeforeSelectionLines ?? around), 1);
    const below = Math.min(last + (options.contentAfterSelectionLines ?? around), all.length);
    return {
      ...toRange({ first, last }),
      contentBeforeSelection: content.slice(startOf(above), startOf(first)),
      // It begins with the end of the last selected line, as in the file.
      contentAfterSelection: content.slice(endOf(last), endOf(below)),
    };
  };
  const seen = range ?? (cursor && { first: cursor.line, last: cursor.line });
  // A cursor says which code is meant; at the start of the file it would say the first line.
  const offset =
    range === undefined
      ? cursor && Math.min(startOf(cursor.line) + cursor.column - 1, endOf(cursor.line))
      : endOf(range.last);
  const shown = seen && {
    first: Math.max(seen.first - around, 1),
    last: Math.min(seen.last + around, all.length),
  };
  return {
    ...toRange(whole),
    filePath,
    language: languageOf(file),
    content,
    ...(offset === undefined ? {} : { cursorOffset: offset }),
    selectedRanges: range === undefined ? [] : [select(range)],
    visibleRange: toRange(shown ?? whole),
  };
}

/** How a request names a file: from the directory, with slashes. */
export function sentPath(directory: string, file: string): string {
  return toSlashes(directory, resolve(directory, file));
}

export interface Place {
  file: string;
  /** Lines that are selected, as `10-20`. */
  lines?: string;
  /** Where a cursor is, both from 1; then nothing is selected. */
  cursor?: { line: number; column: number };
}

/**
 * Reads `FILE`, `FILE:10`, `FILE:10-20`, and `FILE:10:5` as compilers print a place. Columns of a range
 * (`FILE:10:5-20:8`) are read over: whole lines are selected. A file whose own name ends like that is meant
 * as a file.
 *
 * @param exists whether there is a file of this name
 * @throws CliError where a line or a column is 0
 */
export function parsePlace(text: string, exists: (file: string) => boolean): Place {
  if (exists(text)) return { file: text };
  // A name may hold colons and digits, too.
  const [tail = "", from, column, to] = /:(\d+)(?::(\d+))?(?:-(\d+)(?::\d+)?)?:?$/.exec(text) ?? [];
  const file = text.slice(0, text.length - tail.length);
  if (file === "" || from === undefined) return { file: text };
  if ([from, column, to].some((number) => number !== undefined && Number(number) === 0))
    throw new CliError(`${text}: lines and columns are counted from 1.`);
  if (column !== undefined && to === undefined)
    return { file, cursor: { line: Number(from), column: Number(column) } };
  return { file, lines: to === undefined ? from : `${from}-${to}` };
}

export type ParsedLines = ReturnType<typeof parseLineRange>;

/** Reads `10-20`, or `10` for one line. @throws CliError when it is something else, or ends before it begins */
export function parseLineRange(text: string) {
  const [, from, to = from] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(text) ?? [];
  const first = Number(from);
  const last = Number(to);
  if (!(first >= 1))
    throw new CliError(
      `--lines ${text} is not a range of lines. Write --lines 10-20; the first line is 1.`,
    );
  if (last < first)
    throw new CliError(`--lines ${text} ends before it begins. Write --lines ${last}-${first}.`);
  return { first, last };
}

/** Splits a text into its lines, each with the LF, CRLF or CR that ends it; at least one line. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]+(?:\r\n|\r|\n)?|\r\n|\r|\n/g) ?? [""];
}

function withoutLineEnd(text: string): string {
  return text.replace(/(?:\r\n|\r|\n)$/, "");
}

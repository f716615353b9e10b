import { CliError } from "../../cli-error.ts";

/** A file as it was named, and what is meant in it. */
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
  const { file, from, column, to } = readSuffix(text) ?? {};
  if (file === undefined || from === undefined) return { file: text };
  if ([from, column, to].some((number) => number !== undefined && Number(number) === 0))
    throw new CliError(`${text}: lines and columns are counted from 1.`);
  if (column !== undefined && to === undefined)
    return { file, cursor: { line: Number(from), column: Number(column) } };
  return { file, lines: to === undefined ? from : `${from}-${to}` };
}

interface Suffix {
  file?: string;
  from?: string;
  column?: string;
  to?: string;
}

/** The suffix is looked for from the end, so that a name may hold colons and digits. */
function readSuffix(text: string): Suffix | undefined {
  const { tail } = /(?<tail>:\d+(?::\d+)?(?:-\d+(?::\d+)?)?:?)$/.exec(text)?.groups ?? {};
  if (tail === undefined || tail.length === text.length) return undefined;
  const groups = /^:(?<from>\d+)(?::(?<column>\d+))?(?:-(?<to>\d+))?/.exec(tail)?.groups;
  return { file: text.slice(0, -tail.length), ...groups };
}

/** Lines of a file, 1-based and inclusive. */
export interface LineRange {
  first: number;
  last: number;
}

/**
 * Reads `10-20`, or `10` for one line.
 *
 * @throws CliError when it is something else, or ends before it begins
 */
export function parseLineRange(text: string): LineRange {
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

export function withoutLineEnd(text: string): string {
  return text.replace(/(?:\r\n|\r|\n)$/, "");
}

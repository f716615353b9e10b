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

import { CliError } from "../../cli-error.ts";

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

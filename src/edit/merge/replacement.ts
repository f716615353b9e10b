import type { IndentRule } from "./indentation.ts";

/** A place of the file, and what it becomes. */
export interface Replacement {
  search: readonly string[];
  replace: readonly string[];
  /** For each line of `search` its line of the file, or -1 for a blank line that the file lacks. */
  at: readonly number[];
  indent: IndentRule | undefined;
  /** SEARCH stands in the file byte by byte: blanks at line ends count, too. */
  isExact: boolean;
}

// The vocabulary of the edit engine: what a model asks for, and what became of it.
/**
 * One SEARCH/REPLACE unit. Both texts are whole lines, each ended by "\n"; the empty string is no line
 * at all. Line ends are "\n" however the diff was written: the file's own are kept when it is applied.
 */
export interface EditUnit {
  search: string;
  replace: string;
  /**
   * SEARCH without its last line end is a text, also a part of a line, and each time that the file has it, it becomes
   * REPLACE without its last line end. The number says how often that has to be; 0: once or more.
   */
  everywhere?: number;
}

/** A unit as it is in a diff. */
export interface ParsedUnit extends EditUnit {
  /** The line of its SEARCH rule in the diff, 1-based. */
  line: number;
  /**
   * Every rule is written as specified: `-------` SEARCH, `=======`, `+++++++` REPLACE, seven characters or
   * more. Only such a unit may replace a whole file.
   */
  strict: boolean;
  /** The line of the file (1-based) at which a diff says that it begins: it settles which of several places is meant. */
  near?: number;
  /** Its opening line, where that is not the format's own: where the file holds it, it is the file that is quoted. */
  openingLine?: string;
  /** How many characters its rules are long, if more than specified: then shorter ones in it are text. */
  ruleLength?: number;
  /**
   * Other ways to read the unit, when more than one line could be its separator. The file decides: the
   * longest SEARCH that is in it.
   */
  readings?: EditUnit[];
  /**
   * Lines of the unit that look like its own rules or like a fence around it. They were taken for such, or
   * are in REPLACE as text: they are text only if the file holds such a line.
   */
  markers?: string[];
  /** How the unit reads if the file holds such a line; absent if that changes nothing. */
  asText?: EditUnit & { readings?: EditUnit[] };
}

/** A unit of a diff, or one that a caller made. */
export type GivenUnit = EditUnit & Partial<ParsedUnit>;

/** A change of whole lines: `start_line` and `end_line` are 1-based and inclusive. */
export interface LineEdit {
  start_line: number;
  end_line: number;
  replacement: string;
}

/** How a unit was found, from strict to lenient. */
export const editLevels = [
  /** Byte by byte. */
  "exact",
  /** But for line ends and blanks at the ends of lines. */
  "line-ends",
  /** But for an indentation that one rule explains; new lines are indented by that rule. */
  "indentation",
  /** But for typographic quotes, dashes and blanks, and the width of blanks inside a line. */
  "typography",
  /** But for blank lines. */
  "blank-lines",
  /** By its segments between `... existing code ...` lines. */
  "elision",
  /** After a habit was taken off: a code fence, line numbers, HTML entities. */
  "decoration",
  /** The first line is the end of a line of the file, or the last line the beginning of one; or both, of one line. */
  "partial-line",
  /** A few lines differ a little, and no other place comes near. */
  "similar",
  /** Named by line numbers. */
  "line-numbers",
  /** A file that was missing or empty was filled. */
  "new-file",
  /** The whole of an existing file was replaced. */
  "whole-file",
] as const;
export type EditLevel = (typeof editLevels)[number];

/** A range of lines, 1-based and inclusive; `endLine` is `startLine - 1` if the range is empty. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

/** Where a unit was applied: the lines of the file before the edit. */
export interface AppliedUnit extends LineRange {
  level: EditLevel;
}

export const editErrorCodes = [
  /** The diff is no diff: text outside of units, rules that do not fit together, no unit at all. */
  "malformed",
  /** The diff ends inside a unit. */
  "truncated",
  /** SEARCH is nowhere in the file. */
  "no-match",
  /** SEARCH is in several places at the same level. */
  "ambiguous",
  /** Two units change the same lines. */
  "overlap",
  /** Lines would be lost that SEARCH does not quote. */
  "unquoted",
  /** The place is clear, but not how the new lines have to be indented. */
  "indentation",
  /** An elision mark in REPLACE stands for text, and it is not clear for which. */
  "elision",
  /** An empty SEARCH beside other units, or not written as specified, for a file that has text. */
  "whole-file",
  /** The edit would change nothing. */
  "no-change",
  /** There is no such file, and SEARCH is not empty. */
  "missing-file",
  /** The file and the code for it are more than may be compared there. */
  "too-large",
  /** A line number outside of the file, or an end before its start. */
  "line-range",
] as const;
export type EditErrorCode = (typeof editErrorCodes)[number];

/** The place of the file that comes nearest to a SEARCH that was not found. */
export interface NearestPlace extends LineRange {
  /** What differs: lines with `-` are in SEARCH only, with `+` in the file only, with two blanks in both. */
  diff: string;
}

/** Places that an error names; there may be more. */
export const maxCandidates = 10;

/** Why nothing was changed. */
export interface EditError {
  code: EditErrorCode;
  /** One or two sentences for a person. */
  message: string;
  /** What a model has to know and do to get this edit right with its next answer. */
  forModel: string;
  /** The number of the unit or line edit, 1-based; absent if the fault is none of a single one. */
  unit?: number;
  /** The places that fit equally well, at most ten. */
  candidates?: LineRange[];
  nearest?: NearestPlace;
  /** SEARCH was not found, but REPLACE is in the file already. */
  isDone?: true;
  /** What else failed in the same edit: the faults of other units, at most nine. */
  others?: EditError[];
}

/** Either the whole edit was applied, or nothing was. */
export type EditResult =
  | { ok: true; text: string; units: AppliedUnit[] }
  | { ok: false; error: EditError };

/** Whether two ranges have a line in common. */
export function overlaps(one: LineRange, other: LineRange): boolean {
  return one.startLine <= other.endLine && one.endLine >= other.startLine;
}

/** Whether every line of the inner range is one of the outer; equal ranges enclose each other. */
export function encloses(outer: LineRange, inner: LineRange): boolean {
  return outer.startLine <= inner.startLine && outer.endLine >= inner.endLine;
}

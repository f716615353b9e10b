// What is said about an edit that was refused: to a person, and to the model that has to try again.
import type { EditError, LineRange, NearestPlace } from "../edit-unit.ts";
import type { FileIndex } from "../find/file-index.ts";
import { findExact } from "../find/find-exact.ts";
import { findNearest } from "../find/similar/find-nearest.ts";
import { linesOf } from "../../base/text/lines.ts";

/** Places that are named; there may be more. */
export const maxCandidates = 10;
const unchanged = "Nothing was changed.";
const format =
  "Write every unit as: a line `------- SEARCH`, the lines to find, a line `=======`, the new lines, " +
  "a line `+++++++ REPLACE`; no other text between units.";

/** A diff that cannot be read. */
export function describeDiff(
  code: "malformed" | "truncated",
  message: string,
  unit?: number,
): EditError {
  const advice =
    code === "truncated"
      ? "The text was cut off. Send the whole edit again, in fewer or smaller units."
      : `${format} If the text itself holds such lines, make your rules longer: all three of one unit equally long.`;
  return withUnit({ code, message, forModel: `${message} ${unchanged} ${advice}` }, unit);
}

/** What looks like a unit is a merge conflict of the file. */
export function describeConflict(unit: number, line: string): EditError {
  const quoted = JSON.stringify(line.slice(0, 60));
  const message = `Unit ${unit} begins with ${quoted}, and the file has this line: it may be a quoted merge conflict.`;
  return describeDiff("malformed", message, unit);
}

/** A line of the diff's own shape would be written into the file. */
export function describeMarker(unit: number, line: string): EditError {
  const quoted = JSON.stringify(line.trim().slice(0, 60));
  const message = `Unit ${unit} would write ${quoted} into the file, which looks like a rule of the diff.`;
  return describeDiff("malformed", message, unit);
}

export function describeMissingFile(): EditError {
  const message = "There is no such file.";
  const advice =
    "To create it, send one unit with an empty SEARCH. To edit another file, correct the path.";
  return { code: "missing-file", message, forModel: `${message} ${advice}` };
}

export function describeNoChange(): EditError {
  const message = "The edit would change nothing: the file already contains it.";
  const advice =
    "If more has to change, send units whose REPLACE differs from their SEARCH; otherwise go on.";
  return { code: "no-change", message, forModel: `${message} ${advice}` };
}

/** @param why the edit may not replace the whole of a file that has text */
export function describeWholeFile(why: string): EditError {
  const message = `The edit would replace the whole file, but it ${why}.`;
  const advice =
    "Quote the lines to change, or send the whole file as the only unit, with an empty SEARCH, exactly in this form. ";
  return { code: "whole-file", message, forModel: `${message} ${unchanged} ${advice}${format}` };
}

export function describeNoMatch(
  unit: number,
  search: string,
  replace: string,
  index: FileIndex,
): EditError {
  const nearest = findNearest(linesOf(search), index);
  const isDone = replace.trim() !== "" && standsIn(index.text, replace);
  const where = nearest === undefined ? "" : ` The nearest place is ${nameRange(nearest)}.`;
  const message = `Unit ${unit}: SEARCH was not found in the file.${where}`;
  const done = isDone
    ? " The file already contains the text of REPLACE: perhaps nothing is left to do."
    : "";
  const error: EditError = { code: "no-match", message: message + done, forModel: "", unit };
  error.forModel = `${message}${done} ${unchanged} ${adviseNoMatch(nearest)}`;
  if (nearest !== undefined) error.nearest = nearest;
  if (isDone) error.isDone = true;
  return error;
}

/** As whole lines. */
function standsIn(text: string, replace: string): boolean {
  return findExact(text, `${replace.trimEnd()}\n`, 1).offsets.length > 0;
}

function adviseNoMatch(nearest: NearestPlace | undefined): string {
  if (nearest === undefined) {
    return "No line of it is like any line of the file. Read the file again and copy the lines to change from it.";
  }
  return (
    `There, lines with "-" are only in your SEARCH, lines with "+" only in the file:\n${nearest.diff}\n` +
    "Send this unit again with SEARCH copied from the file, spaces included."
  );
}

export function describeAmbiguous(unit: number, candidates: LineRange[]): EditError {
  const places = candidates.map(nameRange).join("; ");
  const count = candidates.length < maxCandidates ? candidates.length : `at least ${maxCandidates}`;
  const message = `Unit ${unit}: its SEARCH fits ${count} places equally well: ${places}.`;
  const advice =
    "Send this unit again with more lines before or after, so that SEARCH fits only the place that you mean.";
  return {
    code: "ambiguous",
    message,
    forModel: `${message} ${unchanged} ${advice}`,
    unit,
    candidates,
  };
}

export function describeOverlap(units: readonly [number, number], range: LineRange): EditError {
  const [first, second] = [Math.min(...units), Math.max(...units)];
  const message = `Units ${first} and ${second} both change ${nameRange(range)}.`;
  const advice = "Send these changes as one unit.";
  return {
    code: "overlap",
    message,
    forModel: `${message} ${unchanged} ${advice}`,
    unit: second,
  };
}

export function describeUnquoted(unit: number, line: number, text: string): EditError {
  const quoted = JSON.stringify(text.trim().slice(0, 80));
  const message = `Unit ${unit} would delete line ${line} of the file, ${quoted}, which its SEARCH does not quote.`;
  const advice = "Send this unit again and quote every line that is to go, also comments.";
  return { code: "unquoted", message, forModel: `${message} ${unchanged} ${advice}`, unit };
}

export function describeIndentation(unit: number, range: LineRange, text: string): EditError {
  const quoted = JSON.stringify(text.slice(0, 80));
  const message = `Unit ${unit} fits ${nameRange(range)}, but it is not clear how to indent its new line ${quoted}.`;
  const advice =
    "Send this unit again with the spaces at the start of every line as they are in the file.";
  return { code: "indentation", message, forModel: `${message} ${unchanged} ${advice}`, unit };
}

export function describeElision(unit: number): EditError {
  const message = `Unit ${unit} leaves out text ("..."), and it is not clear which.`;
  const advice =
    "Put the same marks into SEARCH and REPLACE with unchanged lines around each, or write the lines out.";
  return { code: "elision", message, forModel: `${message} ${unchanged} ${advice}`, unit };
}

/** A segment of a code edit that has no clear place. */
export function describeSegment(
  number: number,
  segment: readonly string[],
  candidates: LineRange[] | undefined,
): EditError {
  const first = JSON.stringify(
    (segment.find((line) => line.trim() !== "") ?? "").trim().slice(0, 80),
  );
  const advice =
    "Begin and end every segment with lines of the file as they are, enough of them to be found only once.";
  if (candidates === undefined) {
    const message = `Segment ${number}, which begins with ${first}, has no clear place: no line at its borders was found unchanged.`;
    return {
      code: "no-match",
      message,
      forModel: `${message} ${unchanged} ${advice}`,
      unit: number,
    };
  }
  const places = candidates.map(nameRange).join("; ");
  const message = `Segment ${number}, which begins with ${first}, fits several places equally well: ${places}.`;
  return {
    code: "ambiguous",
    message,
    forModel: `${message} ${unchanged} ${advice}`,
    unit: number,
    candidates,
  };
}

/** A segment of a code edit shows the lines around a line, and writes nothing in its place. */
export function describeLeftOut(number: number, line: number, text: string): EditError {
  const quoted = JSON.stringify(text.trim().slice(0, 80));
  const message = `Segment ${number} leaves out line ${line} of the file, ${quoted}, and writes nothing in its place.`;
  const advice =
    "Write a mark (// ... existing code ...) wherever lines stay, or show every line that stays; to replace lines, show the line above and the line below.";
  return { code: "unquoted", message, forModel: `${message} ${unchanged} ${advice}`, unit: number };
}

export function describeLineRange(unit: number, what: string, lineCount: number): EditError {
  const message = `Line edit ${unit}: ${what}; the file has ${lineCount} lines.`;
  const advice = `Lines count from 1, both ends included; to append, use ${lineCount + 1} for both.`;
  return { code: "line-range", message, forModel: `${message} ${unchanged} ${advice}`, unit };
}

function nameRange({ startLine, endLine }: LineRange): string {
  return startLine >= endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
}

function withUnit(error: EditError, unit: number | undefined): EditError {
  return unit === undefined ? error : { ...error, unit };
}

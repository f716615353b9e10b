// One hunk of a diff, and the unit that it is. Its lines decide; the numbers of its header do not.
import { placeholderOf } from "../../placeholder.ts";
import type { EditError, ParsedUnit } from "../../edit-unit.ts";
import type { FileEdit } from "../file-edit.ts";
import { joinLines } from "../../../base/text/lines.ts";

/** The lines of a hunk without its header. */
export interface Hunk {
  lines: string[];
  /** Its first line in the answer, 1-based. */
  line: number;
}

/** What a hunk asks for; undefined if it changes nothing. */
function toUnit({ lines: given, line }: Hunk): ParsedUnit | undefined {
  const lines = withoutEdges(given);
  if (!lines.some(isChange)) return undefined;
  const isUnprefixed = hasNoPrefix(lines);
  const [search, replace]: [string[], string[]] = [[], []];
  for (const text of lines) {
    const sign = text[0];
    if (sign === "\\") continue;
    const content = sign === "+" || sign === "-" ? text.slice(1) : contextOf(text, isUnprefixed);
    if (sign !== "+") search.push(content);
    if (sign !== "-") replace.push(content);
  }
  return { search: joinLines(search), replace: joinLines(replace), line, strict: false };
}

/**
 * Puts the units of the hunks into the edit of their file. Lines that are added where none around them are shown
 * belong nowhere, unless the file is new.
 *
 * @param refuse makes the error of what the diff does
 */
export function addHunks(
  edit: FileEdit,
  { hunks, isNew }: { hunks: readonly Hunk[]; isNew: boolean },
  refuse: (what: string) => EditError,
): FileEdit {
  for (const hunk of hunks.flatMap(splitAtMarks)) {
    const unit = toUnit(hunk);
    if (unit === undefined) continue;
    if (unit.search.trim() !== "" || isNew) edit.units.push(unit);
    else edit.error ??= refuse(`adds lines on line ${unit.line} and shows no line around them`);
  }
  return edit;
}

/** Hunks where marks of text left out stood between unchanged lines. */
function splitAtMarks({ lines, line }: Hunk): Hunk[] {
  const hunks: Hunk[] = [{ lines: [], line }];
  for (const [nth, text] of lines.entries()) {
    if (!isChange(text) && isMark(text)) hunks.push({ lines: [], line: line + nth + 1 });
    else hunks.at(-1)?.lines.push(text);
  }
  return hunks;
}

function isMark(text: string): boolean {
  return placeholderOf(text) !== undefined;
}

function isChange(line: string): boolean {
  return line.startsWith("+") || line.startsWith("-");
}

/** Blank lines without a prefix at the edges stand between hunks, and in none. */
function withoutEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** Unchanged lines bear a blank as their prefix, which some models forget. */
function contextOf(line: string, isUnprefixed: boolean): string {
  return !isUnprefixed && line.startsWith(" ") ? line.slice(1) : line;
}

/**
 * Whether unchanged lines stand without their prefix: none is indented by an odd number of blanks, as with a
 * prefix all code is that is indented evenly, and changed lines are indented evenly, too.
 */
function hasNoPrefix(lines: readonly string[]): boolean {
  const context = lines.filter((line) => line.trim() !== "" && !/^[-+\\]/.test(line));
  const isEven = (text: string) => (/^ */.exec(text)?.[0].length ?? 0) % 2 === 0;
  return (
    context.length > 0 &&
    context.every(isEven) &&
    lines.filter(isChange).every((line) => isEven(line.slice(1)))
  );
}

import { describeDiff } from "../../describe-error.ts";
import type { FileEdit } from "../file-edit.ts";
import { placeholderOf } from "../../placeholder.ts";
import type { EditError, ParsedUnit } from "../../edit-unit.ts";
import { joinLines } from "../../../base/text/lines.ts";

interface OpenFile {
  edit: FileEdit;
  isNew: boolean;
  isBody: boolean;
  hunks: Hunk[];
}

const header =
  /^(?:diff (?:--git|-)|index [\da-f]{4,}|Index: |={20,}$|(?:new|deleted) file mode|old mode|new mode|similarity index|rename (?:from|to)|copy (?:from|to))/;
const hunkHeader = /^@@/;

/** Whether a unified diff may begin with the line. */
export function beginsDiff(line: string): boolean {
  return (
    /^(?:diff --git |Index: \S|@@ .*@@|@@ -\d)/.test(line) ||
    (/^--- \S/.test(line) && !/^--- (?:SEARCH|search)/.test(line))
  );
}

/**
 * Reads a unified diff of one file or several, with or without headers. Context decides where a hunk
 * belongs; the line number of its header only settles which of several places is meant, since models cannot count.
 *
 * @param firstLine of the lines in the answer, 1-based
 */
export function readUnifiedDiff(lines: readonly string[], firstLine: number): FileEdit[] {
  if (isComment(lines)) return [];
  const files: OpenFile[] = [];
  let file = openFile(undefined);
  const start = (path: string | undefined): void => {
    file = openFile(path);
    files.push(file);
  };
  for (const [nth, line] of lines.entries()) {
    const next = lines[nth + 1] ?? "";
    const isFileHeader = line.startsWith("--- ") && next.startsWith("+++ ");
    if (isFileHeader) {
      const old = pathOf(line);
      start(old ?? pathOf(next));
      file.isNew = old === undefined;
      if (pathOf(next) === undefined) {
        file.edit.error = refuse("unified-diff", "deletes the file");
        file.edit.isDeletion = true;
      }
    } else if (line.startsWith("+++ ") && (lines[nth - 1] ?? "").startsWith("--- "))
      stripPrefix(file, line);
    else if (header.test(line)) file.isBody = false;
    else if (hunkHeader.test(line)) openHunk(file, firstLine + nth + 1, line);
    else if (file.isBody || /^(?:[-+](?![-+]{2} )| )/.test(line)) {
      if (!file.isBody) openHunk(file, firstLine + nth);
      file.hunks.at(-1)?.lines.push(line);
    }
    if (files.length === 0 && file.hunks.length > 0) files.push(file);
  }
  return files
    .map((each) => addHunks(each.edit, each))
    .filter(({ units, error }) => units.length > 0 || error !== undefined);
}

/** Three dashes begin a diff only above three pluses: in Lua and Haskell they begin a comment. */
function isComment(lines: readonly string[]): boolean {
  const first = lines.findIndex((line) => line.trim() !== "");
  return (lines[first] ?? "").startsWith("--- ") && !(lines[first + 1] ?? "").startsWith("+++ ");
}

function openFile(filePath: string | undefined): OpenFile {
  return {
    edit: { filePath, form: "unified-diff", units: [] },
    isNew: false,
    isBody: false,
    hunks: [],
  };
}

function openHunk(file: OpenFile, line: number, head = ""): void {
  file.isBody = true;
  file.hunks.push(hunkAt(line, head));
}

function hunkAt(line: number, head: string): Hunk {
  return { lines: [], line, near: numberOf(head) };
}

/** The line of the file that the header of a hunk names. */
function numberOf(head: string): number | undefined {
  const number = /^@@+ -(\d{1,7})/.exec(head)?.[1];
  return number === undefined ? undefined : Number(number);
}

function refuse(form: FileEdit["form"], what: string): EditError {
  const name = form === "patch" ? form : "diff";
  return describeDiff("malformed", `The ${name} ${what}.`);
}

/** Undefined for `/dev/null`. */
function pathOf(line: string): string | undefined {
  const [written = ""] = line.slice(4).split("\t");
  const path = written.trim().replace(/^"(.*)"$/, "$1");
  return path === "/dev/null" || path === "" ? undefined : path;
}

/** `a/` and `b/` are no part of the path where both sides have them. */
function stripPrefix(file: OpenFile, newHeader: string): void {
  const [old, now] = [file.edit.filePath, pathOf(newHeader)];
  if (old === undefined) return;
  const isPrefixed = old.startsWith("a/") && (now?.startsWith("b/") ?? true);
  const isNew = file.isNew && old.startsWith("b/");
  if (isPrefixed || isNew) file.edit.filePath = old.slice(2);
}

// One hunk of a diff, and the unit that it is.

/** The lines of a hunk without its header. */
interface Hunk {
  lines: string[];
  /** Its first line in the answer, 1-based. */
  line: number;
  /** Its first line in the file, as its header says, 1-based. */
  near: number | undefined;
}

/** What a hunk asks for; undefined if it changes nothing. */
function toUnit({ lines: given, line, near }: Hunk): ParsedUnit | undefined {
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
  // Every line has a sign of its own: none is a rule of the diff.
  const ruleLength = Number.MAX_SAFE_INTEGER;
  const unit = {
    search: joinLines(search),
    replace: joinLines(replace),
    line,
    strict: false,
    ruleLength,
  };
  return near === undefined ? unit : { ...unit, near: near + given.indexOf(lines[0] ?? "") };
}

/**
 * Puts the units of the hunks into the edit of their file. Lines that are added where none around them are shown
 * belong nowhere, unless the file is new.
 */
function addHunks(
  edit: FileEdit,
  { hunks, isNew }: { hunks: readonly Hunk[]; isNew: boolean },
): FileEdit {
  for (const hunk of hunks.flatMap(splitAtMarks)) {
    const unit = toUnit(hunk);
    if (unit === undefined) continue;
    if (unit.search.trim() !== "" || isNew) edit.units.push(unit);
    else
      edit.error ??= refuse(
        edit.form,
        `adds lines on line ${unit.line} and shows no line around them`,
      );
  }
  return edit;
}

/** Hunks where marks of text left out stood between unchanged lines. */
function splitAtMarks({ lines, line, near }: Hunk): Hunk[] {
  const hunks: Hunk[] = [{ lines: [], line, near }];
  for (const [nth, text] of lines.entries()) {
    if (!isChange(text) && isMark(text))
      hunks.push({ lines: [], line: line + nth + 1, near: undefined });
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

/** Blank lines without a prefix at the edges are between hunks, and in none. */
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

const fileHeader = /^\*\*\* (?<what>Update|Add|Delete|Create|Modify) File: ?(?<path>.+)$/;

export function beginsPatch(line: string): boolean {
  return /^(?:\*\*\* Begin Patch\b|apply_patch\b.*<<)/.test(line) || fileHeader.test(line);
}

export function endsPatch(line: string): boolean {
  return /^\*\*\* End Patch\b/.test(line);
}

/**
 * Reads a patch between `*** Begin Patch` and `*** End Patch`, with `*** Update File: PATH`, `@@`, and lines
 * with `-`, `+` or a blank before them.
 *
 * @param firstLine of the lines in the answer, 1-based
 */
export function readPatch(lines: readonly string[], firstLine: number): FileEdit[] {
  const files: { edit: FileEdit; isNew: boolean; hunks: Hunk[] }[] = [];
  for (const [nth, line] of lines.entries()) {
    const { what, path = "" } = fileHeader.exec(line)?.groups ?? {};
    const file = files.at(-1);
    if (endsPatch(line)) break;
    if (what !== undefined) {
      const isNew = what === "Add" || what === "Create";
      const edit: FileEdit = { filePath: path.trim(), form: "patch", units: [] };
      if (what === "Delete") {
        edit.error = refuse("patch", "deletes the file");
        edit.isDeletion = true;
      }
      files.push({ edit, isNew, hunks: [hunkAt(firstLine + nth + 1, "")] });
    } else if (line.startsWith("*** Move to:")) {
      if (file !== undefined) file.edit.error = refuse("patch", "renames the file");
    } else if (line.startsWith("@@")) file?.hunks.push(hunkAt(firstLine + nth + 1, line));
    else if (!line.startsWith("*** ")) file?.hunks.at(-1)?.lines.push(line);
  }
  return files
    .map((each) => addHunks(each.edit, each))
    .filter(({ units, error }) => units.length > 0 || error !== undefined);
}

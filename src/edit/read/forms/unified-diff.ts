// Unified diffs, with or without headers, and patches between `*** Begin Patch` and `*** End Patch`.
import { describeDiff } from "../../describe-error.ts";
import type { ParsedUnit } from "../../edit-unit.ts";
import { placeholderOf } from "../../placeholder.ts";
import type { FileEdit } from "../file-edit.ts";
import { isSolid, joinLines } from "../../../base/text/lines.ts";

interface OpenFile {
  edit: FileEdit;
  isNew: boolean;
  isBody: boolean;
  hunks: Hunk[];
}

/** The lines of a hunk without its header. */
interface Hunk {
  lines: string[];
  /** Its first line in the answer, 1-based. */
  line: number;
  /** Its first line in the file, as its header says, 1-based. */
  near: number | undefined;
}

const header =
  /^(?:diff (?:--git|-)|index [\da-f]{4,}|Index: |={20,}$|(?:new|deleted) file mode|old mode|new mode|similarity index|rename (?:from|to)|copy (?:from|to))/;
const patchHeader = /^\*\*\* (?<what>Update|Add|Delete|Create|Modify) File: ?(?<path>.+)$/;

/** Whether a unified diff may begin with the line. */
export function beginsDiff(line: string): boolean {
  return (
    /^(?:diff --git |Index: \S|@@ .*@@|@@ -\d)/.test(line) ||
    (/^--- \S/.test(line) && !/^--- (?:SEARCH|search)/.test(line))
  );
}

export function beginsPatch(line: string): boolean {
  return /^(?:\*\*\* Begin Patch\b|apply_patch\b.*<<)/.test(line) || patchHeader.test(line);
}

export function endsPatch(line: string): boolean {
  return /^\*\*\* End Patch\b/.test(line);
}

/**
 * Whether a line comes behind a unified diff that no fence is around.
 *
 * @param count of its lines so far
 * @param last of these
 */
export function endsDiff(count: number, last: string, line: string): boolean {
  if (last.startsWith("--- ") && count === 1) return !line.startsWith("+++ ");
  if (/^(?:[-+]{3} |@@|\\ )/.test(line) || header.test(line)) return false;
  const isHeader = /^(?:---|\+\+\+) /.test(last) || header.test(last);
  if (isHeader && count < 6) return !/^[-+ @=]/.test(line);
  // A list that explains the diff comes after a blank line.
  if (last === "" && /^[-+*] \S/.test(line)) return true;
  return line !== "" && !/^[-+ \t]/.test(line);
}

/**
 * Reads a unified diff of one file or several, with or without headers; or a patch, with `*** Update File: PATH`, `@@`, and
 * lines with `-`, `+` or a blank before them, to whose end all lines belong. Context decides where a hunk belongs; the line
 * number of its header only settles which of several places is meant, since models cannot count.
 *
 * @param firstLine of the lines in the answer, 1-based
 */
export function readDiff(
  form: "unified-diff" | "patch",
  lines: readonly string[],
  firstLine: number,
): FileEdit[] {
  const isPatch = form === "patch";
  const isHead = (nth: number): boolean =>
    !isPatch && lines[nth]?.startsWith("--- ") === true && /^\+{3} /.test(lines[nth + 1] ?? "");
  // Three dashes begin a diff only above three pluses: in Lua and Haskell they begin a comment.
  const first = lines.findIndex(isSolid);
  if (!isPatch && lines[first]?.startsWith("--- ") === true && !isHead(first)) return [];
  const end = isPatch ? lines.findIndex(endsPatch) : -1;
  const files: OpenFile[] = [];
  let file = openFile(form);
  for (const [nth, line] of lines.slice(0, end === -1 ? undefined : end).entries()) {
    const { what, path = "" } = (isPatch && patchHeader.exec(line)?.groups) || {};
    if (what !== undefined) {
      file = openFile(form, path, what === "Delete" ? "/dev/null" : path);
      file.isNew = what === "Add" || what === "Create";
      openHunk(file, firstLine + nth + 1);
      files.push(file);
    } else if (isHead(nth)) {
      file = openFile(form, line, lines[nth + 1]);
      files.push(file);
    } else if (isPatch && line.startsWith("*** ")) {
      if (line.startsWith("*** Move to:")) refuse(file, "renames the file");
    } else if (!isPatch && header.test(line)) file.isBody = false;
    else if (line.startsWith("@@")) openHunk(file, firstLine + nth + 1, line);
    else if (!isHead(nth - 1) && (file.isBody || /^(?:[-+](?![-+]{2} )| )/.test(line))) {
      if (!file.isBody) openHunk(file, firstLine + nth);
      file.hunks.at(-1)?.lines.push(line);
    }
    if (files.length === 0 && file.hunks.length > 0) files.push(file);
  }
  return toEdits(files);
}

/** @param old the header of the old side, or the path; @param now that of the new one */
function openFile(form: "unified-diff" | "patch", old = "", now = old): OpenFile {
  const [before, after] = [old, now].map(pathOf);
  // `a/` and `b/` are no part of the path where both sides have them.
  const path = before ?? after;
  const isPrefixed =
    before === undefined
      ? after?.startsWith("b/")
      : before.startsWith("a/") && after?.startsWith("b/") !== false;
  const filePath = isPrefixed === true && form !== "patch" ? path?.slice(2) : path;
  const isNew = before === undefined && after !== undefined;
  const edit: FileEdit = { filePath, form, units: [] };
  const file: OpenFile = { edit, isNew, isBody: false, hunks: [] };
  if (before !== undefined && after === undefined) {
    refuse(file, "deletes the file");
    edit.isDeletion = true;
  }
  return file;
}

/** Undefined for `/dev/null`. */
function pathOf(line: string): string | undefined {
  const [written = ""] = line.replace(/^(?:---|\+\+\+) /, "").split("\t");
  const path = written.trim().replace(/^"(.*)"$/, "$1");
  return path === "/dev/null" || path === "" ? undefined : path;
}

function refuse({ edit }: Pick<OpenFile, "edit">, what: string): void {
  const name = edit.form === "patch" ? edit.form : "diff";
  edit.error ??= describeDiff("malformed", `The ${name} ${what}.`);
}

function openHunk(file: OpenFile, line: number, head = ""): void {
  const number = /^@@+ -(\d{1,7})/.exec(head)?.[1];
  file.isBody = true;
  file.hunks.push({ lines: [], line, near: number === undefined ? undefined : Number(number) });
}

/**
 * The edits that the hunks of the files are. Lines that are added where none around them are shown belong nowhere, unless
 * the file is new.
 */
function toEdits(files: readonly OpenFile[]): FileEdit[] {
  for (const file of files) {
    for (const unit of file.hunks.flatMap(splitAtMarks).flatMap(toUnits)) {
      if (unit.search.trim() !== "" || file.isNew) file.edit.units.push(unit);
      else refuse(file, `adds lines on line ${unit.line} and shows no line around them`);
    }
  }
  const edits = files.map(({ edit }) => edit);
  return edits.filter(({ units, error }) => units.length > 0 || error !== undefined);
}

/** Hunks where marks of text left out stood between unchanged lines. */
function splitAtMarks({ lines, line, near }: Hunk): Hunk[] {
  const hunks: Hunk[] = [{ lines: [], line, near }];
  for (const [nth, text] of lines.entries()) {
    if (!isChange(text) && placeholderOf(text) !== undefined)
      hunks.push({ lines: [], line: line + nth + 1, near: undefined });
    else hunks.at(-1)?.lines.push(text);
  }
  return hunks;
}

/** What a hunk asks for; nothing if it changes nothing. */
function toUnits({ lines: given, line, near }: Hunk): ParsedUnit[] {
  // Blank lines without a prefix at the edges are between hunks, and in none.
  const first = given.findIndex((text) => text !== "");
  const lines = given.slice(Math.max(0, first), given.findLastIndex((text) => text !== "") + 1);
  if (!lines.some(isChange)) return [];
  const isUnprefixed = hasNoPrefix(lines);
  const textOf = (text: string): string =>
    isChange(text) || (!isUnprefixed && text.startsWith(" ")) ? text.slice(1) : text;
  const side = (other: string): string =>
    joinLines(
      lines.filter((text) => !text.startsWith("\\") && !text.startsWith(other)).map(textOf),
    );
  // Every line has a sign of its own: none is a rule of the diff.
  const ruleLength = Number.MAX_SAFE_INTEGER;
  const unit = { search: side("+"), replace: side("-"), line, strict: false, ruleLength };
  return [near === undefined ? unit : { ...unit, near: near + Math.max(0, first) }];
}

function isChange(line: string): boolean {
  return line.startsWith("+") || line.startsWith("-");
}

/**
 * Whether unchanged lines stand without their prefix, which some models forget: none is indented by an odd number of
 * blanks, as with a prefix all code is that is indented evenly, and changed lines are indented evenly, too.
 */
function hasNoPrefix(lines: readonly string[]): boolean {
  const context = lines.filter((line) => isSolid(line) && !/^[-+\\]/.test(line));
  const isEven = (text: string) => (/^ */.exec(text)?.[0].length ?? 0) % 2 === 0;
  const changed = lines.filter(isChange).map((line) => line.slice(1));
  return context.length > 0 && [...context, ...changed].every(isEven);
}

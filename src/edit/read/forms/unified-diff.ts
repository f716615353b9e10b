import { describeDiff } from "../../describe/describe-error.ts";
import type { FileEdit } from "../file-edit.ts";
import { addHunks, type Hunk } from "./hunk.ts";

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
 * belongs: line numbers and counts of its header mean nothing, since models cannot count.
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
        file.edit.error = refuse("deletes the file");
        file.edit.isDeletion = true;
      }
    } else if (line.startsWith("+++ ") && (lines[nth - 1] ?? "").startsWith("--- "))
      stripPrefix(file, line);
    else if (header.test(line)) file.isBody = false;
    else if (hunkHeader.test(line)) openHunk(file, firstLine + nth + 1);
    else if (file.isBody || /^(?:[-+](?![-+]{2} )| )/.test(line)) {
      if (!file.isBody) openHunk(file, firstLine + nth);
      file.hunks.at(-1)?.lines.push(line);
    }
    if (files.length === 0 && file.hunks.length > 0) files.push(file);
  }
  return files
    .map((each) => addHunks(each.edit, each, refuse))
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

function openHunk(file: OpenFile, line: number): void {
  file.isBody = true;
  file.hunks.push({ lines: [], line });
}

function refuse(what: string): NonNullable<FileEdit["error"]> {
  return describeDiff("malformed", `The diff ${what}.`);
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

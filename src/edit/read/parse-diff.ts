import { describeDiff, quoteStart } from "../describe-error.ts";
import type { EditError, EditResult, ParsedUnit } from "../edit-unit.ts";
import { formThatBegins } from "./forms/read-form.ts";
import { leastRule } from "./rule-line.ts";
import { UnitReader } from "./unit-reader.ts";
import { EditReader } from "./edit-reader.ts";
import type { Alternative, FileEdit } from "./file-edit.ts";
import { type ApplyOptions, applyUnits } from "../edit-session.ts";
import { isSolid, linesOf } from "../../base/text/lines.ts";
import { isCodeFence } from "../../base/text/fence.ts";

/** A diff that was read: at least one unit, or why it was refused. */
export type ParsedDiff =
  | { ok: true; units: ParsedUnit[]; filePath?: string }
  | { ok: false; error: EditError };

/**
 * Reads a whole diff of one file: units (seed: search-replace-edit, 2.1), bare, in code fences, or inside
 * one `<file-edit>` tag; or an edit in another form (a unified diff, a patch, JSON, tags). Text that belongs to no unit refuses the whole diff, as does a unit that is cut
 * off: half of a diff is another diff.
 */
export function parseDiff(diff: string): ParsedDiff {
  const lines = diff.replace(/^\uFEFF/, "").split(/\r?\n/);
  const first = lines.find((line) => isSolid(line) && !isCodeFence(line))?.trimStart() ?? "";
  if (first.startsWith("<file-edit") || formThatBegins(first) !== undefined)
    return parseTagged(diff);
  const reader = new UnitReader(leastRule(lines));
  for (const [at, line] of lines.entries()) reader.push(line, at + 1);
  reader.end();
  if (reader.error !== undefined) return { ok: false, error: reader.error };
  return { ok: true, units: reader.units };
}

function parseTagged(diff: string): ParsedDiff {
  const { text, files } = parseAnswer(diff);
  const [file] = files;
  if (file?.error !== undefined) return { ok: false, error: file.error };
  if (file === undefined || files.length > 1 || text.trim() !== "") {
    const what = files.length > 1 ? "names several files" : describeStray(diff, text);
    return { ok: false, error: describeDiff("malformed", `The diff ${what}.`) };
  }
  const { filePath, units, codeEdit } = file;
  if (codeEdit !== undefined) {
    const message = "The diff is code with marks of text left out, and no diff.";
    return { ok: false, error: describeDiff("malformed", message) };
  }
  return filePath === undefined ? { ok: true, units } : { ok: true, units, filePath };
}

function describeStray(diff: string, text: string): string {
  const stray = linesOf(text).find(isSolid)?.trim() ?? "";
  const line = diff.split("\n").findIndex((other) => other.includes(stray)) + 1;
  return `holds text outside of its tag on line ${line}: ${quoteStart(stray)}`;
}

/** What a model's answer holds: its text without the edits, and the edits by file. */
export interface ParsedAnswer {
  text: string;
  files: FileEdit[];
  /** Two complete changes or more, of which a person has to choose one; absent if there are none. */
  alternatives?: Alternative[];
}

/**
 * Reads a whole answer as {@link EditReader} reads it in pieces. It refuses nothing but single files.
 *
 * @param file the text of the file that is meant, for changes that are told in words
 */
export function parseAnswer(answer: string, file?: string): ParsedAnswer {
  const reader = new EditReader({ blocks: "events", file });
  let text = "";
  for (const event of [...reader.push(answer), ...reader.end()]) {
    if (event.type === "text") text += event.text;
    else if (event.type === "block") text += event.block.raw;
    else if (event.type === "text-was-reasoning") text = "";
  }
  const { files, alternatives } = reader;
  return alternatives.length === 0 ? { text, files } : { text, files, alternatives };
}

/**
 * Applies a diff of SEARCH/REPLACE units to the text of one file: {@link parseDiff}, then
 * {@link applyUnits}. Either all of it is applied, or nothing.
 *
 * @param before the text of the file; undefined if there is no such file
 */
export function applyDiff(
  before: string | undefined,
  diff: string,
  options: ApplyOptions = {},
): EditResult {
  const parsed = parseDiff(diff);
  return parsed.ok ? applyUnits(before, parsed.units, options) : parsed;
}

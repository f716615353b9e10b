// One held piece of an answer, a fence or a tag, in: the edits that it holds, in whatever form.
import { describeDiff } from "../../describe-error.ts";
import type { FileEdit } from "../file-edit.ts";
import { beginsJson, readJsonEdits } from "./json-edits.ts";
import { beginsDiff, beginsPatch, endsPatch, readPatch, readUnifiedDiff } from "./unified-diff.ts";
import { beginsSearchTag, readSearchTags } from "./search-tags.ts";
import { fullRule, readRule } from "../rule-line.ts";
import { UnitReader } from "../unit-reader.ts";
import { Cursor } from "../../../base/text/cursor.ts";
import { isRecord } from "../../../base/text/json.ts";
import { isSolid, joinLines, trimSigns } from "../../../base/text/lines.ts";
import type { ParsedUnit } from "../../edit-unit.ts";
import { isFence } from "../../../base/text/fence.ts";

export type HeldForm = "patch" | "unified-diff" | "json" | "search-tags" | "tool-call" | "labels";

/** The form that begins with the line; undefined if none may. */
export function formThatBegins(line: string): HeldForm | undefined {
  if (beginsPatch(line)) return "patch";
  if (beginsDiff(line)) return "unified-diff";
  if (beginsSearchTag(line)) return "search-tags";
  if (beginsToolCall(line)) return "tool-call";
  if (isSearchLabel(line)) return "labels";
  return beginsJson(line) ? "json" : undefined;
}

/**
 * Reads lines that were held for a form. Undefined if they hold no edit after all.
 *
 * @param firstLine of the lines in the answer, 1-based
 */
export function readForm(
  form: HeldForm,
  lines: readonly string[],
  firstLine: number,
): FileEdit[] | undefined {
  switch (form) {
    case "patch":
      return toList(readPatch(lines, firstLine));
    case "unified-diff":
      return toList(readUnifiedDiff(lines, firstLine));
    case "json":
      return readJsonEdits(lines.join("\n"), firstLine, readContent);
    case "search-tags":
      return toList([readSearchTags(lines.join("\n"), firstLine)]);
    case "labels":
      return toList([readWordLabels(lines, firstLine)]);
    case "tool-call":
      return toList([readCall(lines, firstLine)]);
  }
}

/** Whether the lines of a form are complete without the end that the form would have. */
export function isWhole(form: HeldForm, lines: readonly string[]): boolean {
  return form !== "patch" || !lines.some(beginsPatchItself) || lines.some(endsPatch);
}

/** The whole of a patch, up to its last line. */
export function beginsPatchItself(line: string): boolean {
  return line.startsWith("*** Begin Patch");
}

/** The arguments of a call, by name; undefined where one of them or the call is left open. */
export function argumentsOf(call: string): Readonly<Record<string, unknown>> | undefined {
  const cursor = new Cursor(call);
  cursor.take(/(?:\s*print\()?[^(]*\(/y);
  const found = cursor.callArguments();
  const [object] = found?.placed ?? [];
  return isRecord(object) ? object : found?.named;
}

function readCall(lines: readonly string[], firstLine: number): FileEdit | undefined {
  const text = lines.join("\n");
  const fields = Object.entries(argumentsOf(text) ?? {});
  const textOf = (names: RegExp): string | undefined =>
    fields.flatMap(([name, value]) =>
      names.test(name) && typeof value === "string" ? value : [],
    )[0];
  const diff = textOf(/^(?:diff_?content|diff|content)$/i);
  if (diff === undefined) {
    const error = describeDiff("truncated", "The call of the tool is cut off or cannot be read.");
    return { filePath: undefined, form: "tool-call", units: [], error };
  }
  const [first = ""] = diff.split("\n", 1);
  const before = text.slice(0, text.indexOf(first)).split("\n").length - 1;
  const [edit] = readContent(diff.split(/\r?\n/), firstLine + before) ?? [];
  const path = textOf(/^(?:file_?path|path|file)$/i);
  return edit && { ...edit, filePath: path ?? edit.filePath, form: "tool-call" };
}

/** What is inside of a call or a tag: units, or any other form. */
export function readContent(lines: readonly string[], firstLine: number): FileEdit[] | undefined {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const form = formThatBegins(first);
  if (form !== undefined && form !== "tool-call") return readForm(form, lines, firstLine);
  const holdsUnit = lines.some((line) => readRule(line, fullRule)?.kind === "search");
  if (!holdsUnit && /^[-+](?![-+])/.test(first)) return readForm("unified-diff", lines, firstLine);
  const reader = new UnitReader();
  for (const [nth, line] of lines.entries()) reader.push(line, firstLine + nth);
  reader.end();
  const { units, error } = reader;
  return [{ filePath: undefined, form: "units", units, ...(error === undefined ? {} : { error }) }];
}

function toList(edits: readonly (FileEdit | undefined)[]): FileEdit[] | undefined {
  const found = edits.filter((edit) => edit !== undefined);
  return found.length === 0 ? undefined : found;
}

// editTool(filePath="src/main.ts", diffContent="...") (seed: search-replace-edit, 3.1 and 4.1).

const callNames = ["edittool", "editfile", "applydiff", "replaceinfile"].map((name) => `${name}(`);
const callLeads = ["print(", "await ", "toolcode.", "defaultapi.", "functions.", "tools."];

/** Whether a call of the tool that edits files begins with the line. */
function beginsToolCall(line: string): boolean {
  const call = callIn(line);
  return callNames.some((name) => call.startsWith(name));
}

/** Whether the beginning of a line may yet become that of such a call. */
export function mayBecomeCall(start: string): boolean {
  const call = callIn(start);
  const isStart = (word: string) => word.startsWith(call) || call.startsWith(word);
  return callNames.some(isStart) || callLeads.some((lead) => lead.startsWith(call));
}

/** The beginning of a line without what may be before a call, and without `_`. */
function callIn(line: string): string {
  let rest = line.slice(0, 400).trimStart().replaceAll("_", "").toLowerCase();
  for (const lead of callLeads) if (rest.startsWith(lead)) rest = rest.slice(lead.length);
  return rest;
}

// SEARCH: and REPLACE: as lines of their own, in a code fence or a tag.

/** Without the blanks, the colon and the marks around it. */
const label =
  /^(?:SEARCH|REPLACE|FIND|ORIGINAL|UPDATED|REPLACE WITH|查找|搜索|替换|替换为)(?: BLOCK)?$/i;
const marks = "*_`#=[] \t:：";
const oldWords = /^(?:search|find|original|查找|搜索)$/i;
const endLabel = /^(?:END|结束)(?: (?:SEARCH|REPLACE|EDIT))?$/;

/** Whether the line names the old side. */
function isSearchLabel(line: string): boolean {
  return oldWords.test(wordOf(line) ?? "");
}

/**
 * Reads units whose two sides are under words. Undefined if there is none, or anything is outside.
 *
 * @param firstLine of the lines in the answer, 1-based
 */
function readWordLabels(lines: readonly string[], firstLine: number): FileEdit | undefined {
  const units: ParsedUnit[] = [];
  let search: string[] | undefined;
  let replace: string[] | undefined;
  let line = firstLine;
  const close = (): void => {
    if (search === undefined || replace === undefined) return;
    units.push({ search: toText(search), replace: toText(replace), line, strict: false });
    [search, replace] = [undefined, undefined];
  };
  for (const [nth, text] of lines.entries()) {
    const word = wordOf(text);
    if (word !== undefined && oldWords.test(word)) {
      if (search !== undefined && replace === undefined) return undefined;
      close();
      line = firstLine + nth;
      search = [];
    } else if (word !== undefined && search !== undefined && replace === undefined) replace = [];
    else if (replace !== undefined && endLabel.test(trimSigns(text, marks))) close();
    else if (search === undefined) {
      if (text.trim() !== "") return undefined;
    } else (replace ?? search).push(text);
  }
  if (search !== undefined && replace === undefined) return undefined;
  close();
  return units.length === 0 ? undefined : { filePath: undefined, form: "units", units };
}

/** The word of a line that bears a mark or a colon: without one it may be code. */
function wordOf(line: string): string | undefined {
  if (line.length > 60 || !/[:：\]*=#]/.test(line)) return undefined;
  const bare = trimSigns(line, marks);
  return label.test(bare) ? bare.replace(/ BLOCK$/i, "") : undefined;
}

/** Without blank lines and a code fence around. */
function toText(lines: readonly string[]): string {
  let [first, last] = [lines.findIndex(isSolid), lines.findLastIndex(isSolid)];
  if (first === -1) return "";
  const isFenceAt = (at: number) => isFence(lines[at] ?? "");
  if (first < last && isFenceAt(first) && isFenceAt(last)) [first, last] = [first + 1, last - 1];
  // A rule below the last line belongs to the labels.
  while (last > first && /^(?:={3,}|-{7,}|\+{7,})$/.test((lines[last] ?? "").trim())) last -= 1;
  return joinLines(lines.slice(first, last + 1));
}

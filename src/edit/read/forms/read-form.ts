// One held piece of an answer, a fence or a tag, in: the edits that it holds, in whatever form.
import { describeDiff } from "../../describe-error.ts";
import type { FileEdit } from "../file-edit.ts";
import { beginsJson, readFields, readJsonEdits } from "./json-edits.ts";
import { beginsDiff, beginsPatch, endsPatch, readDiff } from "./unified-diff.ts";
import { beginsSearchTag, readSearchTags } from "./search-tags.ts";
import { fullRule, readRule } from "../rule-line.ts";
import { UnitReader } from "../unit-reader.ts";
import { Cursor } from "../../../base/text/cursor.ts";
import { isRecord } from "../../../base/text/json.ts";
import { isSolid, joinLines, solidPart, trimSigns } from "../../../base/text/lines.ts";
import type { ParsedUnit } from "../../edit-unit.ts";

export type HeldForm = "patch" | "unified-diff" | "json" | "search-tags" | "tool-call" | "labels";

/** The form that begins with the line; undefined if none may. */
export function formThatBegins(line: string): HeldForm | undefined {
  if (beginsPatch(line)) return "patch";
  if (beginsDiff(line)) return "unified-diff";
  if (beginsSearchTag(line)) return "search-tags";
  if (beginsToolCall(line)) return "tool-call";
  if (sideOfLabel(line) === "old") return "labels";
  return beginsJson(line) ? "json" : undefined;
}

/**
 * Reads lines that were held for a form: nothing if they hold no edit after all, or a patch that has no end.
 *
 * @param firstLine of the lines in the answer, 1-based
 */
export function readForm(form: HeldForm, lines: readonly string[], firstLine: number): FileEdit[] {
  switch (form) {
    case "patch":
      if (lines.some(beginsPatchItself) && !lines.some(endsPatch)) return [];
      return readDiff(form, lines, firstLine);
    case "unified-diff":
      return readDiff(form, lines, firstLine);
    case "json":
      return readJsonEdits(lines.join("\n"), firstLine, readContent);
    case "search-tags":
      return readSearchTags(lines.join("\n"), firstLine);
    case "labels": {
      const units = readSides(lines, firstLine, sideOfLabel);
      return units.length === 0 ? [] : [{ filePath: undefined, form: "units", units }];
    }
    case "tool-call":
      return readCall(lines, firstLine);
  }
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

function readCall(lines: readonly string[], firstLine: number): FileEdit[] {
  const fields = argumentsOf(lines.join("\n"));
  const edits = readFields([fields], "tool-call", firstLine, readContent);
  if (edits.length > 0) return edits;
  const error = describeDiff("truncated", "The call of the tool is cut off or cannot be read.");
  return [{ filePath: undefined, form: "tool-call", units: [], error }];
}

/** What is inside of a call or a tag: units, or any other form. */
export function readContent(lines: readonly string[], firstLine: number): FileEdit[] {
  const first = lines.find(isSolid) ?? "";
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
  /^(?:(?<old>search|find|original|查找|搜索)|(?<end>(?:end|结束)(?: (?:search|replace|edit))?)|replace|updated|replace with|替换|替换为)(?: block)?$/i;
const marks = "*_`#=[] \t:：";

/** The side that the line names, with a mark or a colon: without one it may be code. */
function sideOfLabel(line: string): "old" | "new" | "end" | undefined {
  if (line.length > 60) return undefined;
  const { groups } = label.exec(trimSigns(line, marks)) ?? {};
  if (groups === undefined) return undefined;
  if (groups["end"] !== undefined) return "end";
  if (!/[:：\]*=#]/.test(line)) return undefined;
  return groups["old"] === undefined ? "new" : "old";
}

/**
 * Reads units whose two sides are below lines that name them: none if anything is outside.
 *
 * @param firstLine of the lines in the answer, 1-based
 */
export function readSides(
  lines: readonly string[],
  firstLine: number,
  sideOf: (line: string) => "old" | "new" | "end" | undefined,
): ParsedUnit[] {
  const units: ParsedUnit[] = [];
  let sides: string[][] = [];
  let line = firstLine;
  const close = (): void => {
    const [search, replace] = sides.map(toText);
    if (search !== undefined && replace !== undefined)
      units.push({ search, replace, line, strict: false });
    sides = [];
  };
  for (const [nth, text] of lines.entries()) {
    const side = sideOf(text);
    if (side === "old") {
      if (sides.length === 1) return [];
      close();
      line = firstLine + nth;
      sides = [[]];
    } else if (side === "new" && sides.length === 1) sides.push([]);
    else if (side === "end" && sides.length === 2) close();
    else if (sides.length === 0 && isSolid(text)) return [];
    else sides.at(-1)?.push(text);
  }
  if (sides.length === 1) return [];
  close();
  return units;
}

/** Without blank lines around. */
function toText(given: readonly string[]): string {
  const lines = solidPart(given);
  // Rules below the last line belong to the labels.
  const isText = (line: string): boolean => !/^(?:={3,}|-{7,}|\+{7,})$/.test(line.trim());
  return joinLines(lines.slice(0, Math.max(1, lines.findLastIndex(isText) + 1)));
}

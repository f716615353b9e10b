// One held piece of an answer, a fence or a tag, in: the edits that it holds, in whatever form.
import { describeDiff } from "../../describe/describe-error.ts";
import type { FileEdit } from "../file-edit.ts";
import { beginsJson, readJsonEdits } from "./json-edits.ts";
import { beginsPatch, endsPatch, readPatch } from "./patch.ts";
import { beginsSearchTag, readSearchTags } from "./search-tags.ts";
import { beginsToolCall, readToolCall } from "./tool-call.ts";
import { beginsDiff, readUnifiedDiff } from "./unified-diff.ts";
import { fullRule, readRule } from "../rule-line.ts";
import { UnitReader } from "../unit-reader.ts";
import { isSearchLabel, readWordLabels } from "./word-labels.ts";

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
    case "patch": {
      const files = readPatch(lines, firstLine);
      return files.length === 0 ? undefined : files;
    }
    case "unified-diff": {
      const files = readUnifiedDiff(lines, firstLine);
      return files.length === 0 ? undefined : files;
    }
    case "json":
      return readJsonEdits(lines.join("\n"), firstLine, readContent);
    case "search-tags":
      return toList(readSearchTags(lines.join("\n"), firstLine));
    case "labels":
      return toList(readWordLabels(lines, firstLine));
    case "tool-call":
      return toList(readCall(lines, firstLine));
  }
}

/** Whether the lines of a form are complete without the end that the form would have. */
export function isWhole(form: HeldForm, lines: readonly string[]): boolean {
  return form !== "patch" || !lines.some(beginsPatchItself) || lines.some(endsPatch);
}

function beginsPatchItself(line: string): boolean {
  return line.startsWith("*** Begin Patch");
}

function readCall(lines: readonly string[], firstLine: number): FileEdit | undefined {
  const call = readToolCall(lines.join("\n"));
  if (call === undefined) {
    const error = describeDiff("truncated", "The call of the tool is cut off or cannot be read.");
    return { filePath: undefined, form: "tool-call", units: [], error };
  }
  const line = firstLine + call.line;
  const inner = readContent(call.diff.split(/\r?\n/), line);
  const [edit] = inner ?? [];
  return edit && { ...edit, filePath: call.filePath ?? edit.filePath, form: "tool-call" };
}

/** What stands inside of a call or a tag: units, or any other form. */
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

function toList(edit: FileEdit | undefined): FileEdit[] | undefined {
  return edit === undefined ? undefined : [edit];
}

// SEARCH: and REPLACE: as lines of their own, in a code fence or a tag.
import type { FileEdit } from "../file-edit.ts";
import type { ParsedUnit } from "../../edit-unit.ts";
import { trimSigns } from "../../../base/text/trim.ts";
import { isSolid, joinLines } from "../../../base/text/lines.ts";

/** Without the blanks, the colon and the marks around it. */
const label =
  /^(?:SEARCH|REPLACE|FIND|ORIGINAL|UPDATED|REPLACE WITH|查找|搜索|替换|替换为)(?: BLOCK)?$/i;
const marks = "*_`#=[] \t:：";
const oldWords = /^(?:search|find|original|查找|搜索)$/i;
const endLabel = /^(?:END|结束)(?: (?:SEARCH|REPLACE|EDIT))?$/;

/** Whether the line names the old side. */
export function isSearchLabel(line: string): boolean {
  return oldWords.test(wordOf(line) ?? "");
}

/**
 * Reads units whose two sides stand under words. Undefined if there is none, or anything stands outside.
 *
 * @param firstLine of the lines in the answer, 1-based
 */
export function readWordLabels(lines: readonly string[], firstLine: number): FileEdit | undefined {
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
  const isFence = (at: number) => /^[ \t]*(?:`{3,}|~{3,})/.test(lines[at] ?? "");
  if (first < last && isFence(first) && isFence(last)) [first, last] = [first + 1, last - 1];
  // A rule below the last line belongs to the labels.
  while (last > first && /^(?:={3,}|-{7,}|\+{7,})$/.test((lines[last] ?? "").trim())) last -= 1;
  return joinLines(lines.slice(first, last + 1));
}

// The beginning of a line, of which more may come.
import { trimEndSigns } from "../../base/text/trim.ts";
import { coverOf } from "./dress/cover.ts";
import { mayBecomeWrapper } from "./dress/wrapper.ts";
import { isUnfinishedTag, maxTag, readOpeningTag } from "./file-edit-tag.ts";
import { beginsJson } from "./forms/json-edits.ts";
import { mayBecomeSearchTag } from "./forms/search-tags.ts";

/** Letters make it clear what a line is; so many signs without one are text. */
const maxSigns = 200;
const noWord = /^[^\p{L}\p{N}]*$/u;
const signsAndWord = /^[^\p{L}\p{N}]*(?<sign>[-<+>])\k<sign>{2}[ \t\u00A0]*(?<word>\p{L}+)/u;
const searchWords = "search original head old find before 搜索 查找 原代码 原始代码 修改前".split(
  " ",
);
const replaceWords = "replace updated new modified after replacement 替换 更新 修改后".split(" ");

/** The beginning of a line may yet become a tag, a rule or a code fence, in any dress. */
export function mayBecomeMark(start: string): boolean {
  if (/^\p{L}/u.test(start)) return false;
  const line = start.trimStart().replace(/\r$/, "");
  return (
    line === "" ||
    "<file-edit".startsWith(line) ||
    "<chat>".startsWith(line) ||
    isUnfinishedTag(line) ||
    /^(?:-+|<+) ?[SEARCH]*[ \t>]*$/.test(line) ||
    /^(?:\++ ?[REPLACE]*[ \t>]*|>[ \t>]*|>+ ?[REPLACE]+[ \t>]*)$/.test(line) ||
    mayBecomeFence(line) ||
    mayBecomeWrapper(line) ||
    mayBecomeRule(line)
  );
}

const openers = [
  "diff --git ",
  "Index: ",
  "--- ",
  "@@",
  "*** Begin Patch",
  "apply_patch",
  "*** Update File",
  "*** Add File",
  "*** Delete File",
  "</file-edit",
];
const calls = [
  "editTool(",
  "edit_tool(",
  "tool_code.",
  "print(",
  "await ",
  "edit_file(",
  "apply_diff(",
];
/** A line that begins with a letter, as most text does, and with none of the words that forms begin with. */
export function isProse(line: string): boolean {
  return /^[\p{L}]/u.test(line) && !/^(?:diff|Index|[\w. ]*\()/.test(line);
}

/** The beginning of a line may yet become that of another form, or a line that stands around edits. */
export function mayBecomeForm(start: string): boolean {
  if (
    /^\p{L}/u.test(start) &&
    !/^(?:diff?|di?|I(?:n(?:d(?:ex?)?)?)?$|Index|[\w. ]*(?:\(|$))/.test(start)
  )
    return false;
  const line = start.trimStart();
  const begins = (opener: string) => opener.startsWith(line) || line.startsWith(opener);
  return (
    openers.some(begins) || mayBecomeWrapper(line) || mayBecomeSearchTag(line) || mayBeLong(line)
  );
}

/** The beginning of a form that may stand on one line, however long. */
export function mayBeLong(start: string): boolean {
  const line = start.trimStart();
  const begins = (opener: string) => opener.startsWith(line) || line.startsWith(opener);
  return (
    /^[{[]$/.test(trimEndSigns(line.slice(0, maxSigns), " \t")) ||
    beginsJson(line) ||
    calls.some(begins)
  );
}

/** The line has no end where a mark would have to end, so however it is cut, it is text. */
export function isTooLong(line: string): boolean {
  return line.length >= maxTag && readOpeningTag(line.slice(0, maxTag)) === undefined;
}

function mayBecomeRule(line: string): boolean {
  if (line.length <= maxSigns && noWord.test(line)) return true;
  const { sign, word = "" } = signsAndWord.exec(line.slice(0, maxSigns))?.groups ?? {};
  if (sign === undefined) return false;
  const words = sign === "-" || sign === "<" ? searchWords : replaceWords;
  return words.some((known) => known.startsWith(word.toLowerCase()));
}

/** With a list mark or a quote mark before it, and any words but no backtick after it. */
function mayBecomeFence(line: string): boolean {
  if (/^[ \t>]*\d{1,3}[.)]?$/.test(trimEndSigns(line, " \t"))) return true;
  const { content } = coverOf(line);
  const run = content.startsWith("~") ? /^~*/ : /^`*/;
  const signs = run.exec(content)?.[0].length ?? 0;
  return content.length === signs || (signs >= 3 && !content.includes("`", signs));
}

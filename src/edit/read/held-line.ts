// The beginning of a line, of which more may come.
import { isUnfinishedTag, maxTag, readOpeningTag } from "./file-edit-tag.ts";

/** The beginning of a line may yet become a tag, a rule or a code fence. */
export function mayBecomeMark(start: string): boolean {
  const line = start.trimStart().replace(/\r$/, "");
  return (
    line === "" ||
    "<file-edit".startsWith(line) ||
    "<chat>".startsWith(line) ||
    isUnfinishedTag(line) ||
    /^(?:-+|<+) ?[SEARCH]*[ \t>]*$/.test(line) ||
    /^(?:\++ ?[REPLACE]*[ \t>]*|>[ \t>]*|>+ ?[REPLACE]+[ \t>]*)$/.test(line) ||
    /^(?:`+|~+)[\w.+#-]*[ \t]*$/.test(line)
  );
}

/** The line has no end where a mark would have to end, so however it is cut, it is text. */
export function isTooLong(line: string): boolean {
  return line.length >= maxTag && readOpeningTag(line.slice(0, maxTag)) === undefined;
}

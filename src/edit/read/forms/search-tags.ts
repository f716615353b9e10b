// <search>...</search> <replace>...</replace>, and other names for the two.
import { describeDiff } from "../../describe-error.ts";
import type { FileEdit } from "../file-edit.ts";
import { countLineFeeds } from "../../../base/text/lines.ts";
import { sideOfName } from "../side-words.ts";
import { isEverywhereKey, placesOf } from "./json-edits.ts";

const opening = /<([A-Za-z]+(?:[_-][A-Za-z]+)?)>/g;
const path = /<(path|file|file_?path|file_?name|target_file)>([^<>\n]{1,300})<\/\1>/i;
const cdata = /^<!\[CDATA\[([^]*)\]\]>$/;

/** Whether a pair of such tags may begin with the line. */
export function beginsSearchTag(line: string): boolean {
  const [, name = ""] = /^[ \t]*<([A-Za-z]+(?:[_-][A-Za-z]+)?)>/.exec(line) ?? [];
  return sideOfName(name) === "old";
}

/** Whether the line ends a pair, if nothing but another pair follows. */
export function endsSearchTag(line: string): boolean {
  const [, name = ""] = /<\/([A-Za-z]+(?:[_-][A-Za-z]+)?)>$/.exec(line.trimEnd()) ?? [];
  return sideOfName(name) === "new";
}

/** A tag behind a pair that says that it means all places. */
export function readEverywhereTag(
  text: string,
  from = 0,
): { everywhere: number | undefined; end: number } | undefined {
  const [whole = "", name = "", value = ""] =
    /^\s*<(\w{1,40})>([^<>\n]{0,40})<\/\1>/.exec(text.slice(from, from + 200)) ?? [];
  return isEverywhereKey(name)
    ? { everywhere: placesOf(value), end: from + whole.length }
    : undefined;
}

/**
 * Reads pairs of tags. Undefined if there is no pair; a pair that is not closed is `truncated`.
 *
 * @param firstLine of the text in the answer, 1-based
 */
export function readSearchTags(text: string, firstLine: number): FileEdit | undefined {
  const edit: FileEdit = { filePath: path.exec(text)?.[2]?.trim(), form: "search-tags", units: [] };
  let [from, line] = [0, firstLine];
  for (const { 0: tag, 1: name = "", index } of text.matchAll(opening)) {
    if (index < from || sideOfName(name) !== "old") continue;
    const old = elementAt(text, name, index + tag.length);
    const behind = old && text.slice(old.end, old.end + 2_000);
    const [start = "", other = ""] = /^\s*<([A-Za-z]+(?:[_-][A-Za-z]+)?)>/.exec(behind ?? "") ?? [];
    if (old !== undefined && sideOfName(other) !== "new") break;
    const now = old && elementAt(text, other, old.end + start.length);
    if (old === undefined || now === undefined) {
      edit.error = describeDiff("truncated", "A <search> or <replace> tag is not closed.");
      break;
    }
    const { everywhere, end } = readEverywhereTag(text, now.end) ?? { end: now.end };
    const places = everywhere === undefined ? {} : { everywhere };
    const before = line + countLineFeeds(text.slice(from, index));
    const [search, replace] = [contentOf(old.text), contentOf(now.text)];
    edit.units.push({ search, replace, ...places, line: before, strict: false });
    line += countLineFeeds(text.slice(from, end));
    from = end;
  }
  return edit.units.length === 0 && edit.error === undefined ? undefined : edit;
}

/** The content from `start` to the closing tag. */
function elementAt(
  text: string,
  name: string,
  start: number,
): { text: string; end: number } | undefined {
  const closing = `</${name}>`;
  const at = text.indexOf(closing, start);
  return at === -1 ? undefined : { text: text.slice(start, at), end: at + closing.length };
}

/** Whole lines, without the line ends next to the tags, CDATA and a code fence. */
function contentOf(raw: string): string {
  const inner = cdata.exec(raw.trim())?.[1] ?? raw;
  // Without the spaces before the first line end and after the last, and without that first line end.
  const start = inner.indexOf("\n");
  const from = start !== -1 && inner.slice(0, start).trim() === "" ? start + 1 : 0;
  const last = inner.lastIndexOf("\n");
  const to = last >= from && inner.slice(last).trim() === "" ? last + 1 : inner.length;
  const text = inner.slice(from, to);
  if (text === "" || text === "\n") return text === "\n" && inner.length > 2 ? "\n" : "";
  return text.endsWith("\n") ? text : `${text}\n`;
}

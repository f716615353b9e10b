// <search>...</search> <replace>...</replace>, and other names for the two.
import { advance } from "../../../base/text/progress.ts";
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
  const step = (): boolean => {
    const pair = nextPair(text, from);
    if (pair === "open")
      edit.error = describeDiff("truncated", "A <search> or <replace> tag is not closed.");
    if (pair === undefined || pair === "open") return false;
    const { everywhere, end } = readEverywhereTag(text, pair.end) ?? pair;
    edit.units.push({
      search: contentOf(pair.search),
      replace: contentOf(pair.replace),
      ...(everywhere === undefined ? {} : { everywhere }),
      line: line + countLineFeeds(text.slice(from, pair.start)),
      strict: false,
    });
    line += countLineFeeds(text.slice(from, end));
    from = end;
    return true;
  };
  advance(() => from, step);
  return edit.units.length === 0 && edit.error === undefined ? undefined : edit;
}

interface Pair {
  search: string;
  replace: string;
  start: number;
  end: number;
  everywhere?: never;
}

function nextPair(text: string, from: number): Pair | "open" | undefined {
  opening.lastIndex = from;
  for (const tag of text.matchAll(opening)) {
    const [whole, name = ""] = tag;
    if (sideOfName(name) !== "old") continue;
    const search = elementAt(text, name, tag.index + whole.length);
    if (search === undefined) return "open";
    const next = /^\s*<([A-Za-z]+(?:[_-][A-Za-z]+)?)>/.exec(
      text.slice(search.end, search.end + 2_000),
    );
    if (next === null || sideOfName(next[1] ?? "") !== "new") return undefined;
    const replace = elementAt(text, next[1] ?? "", search.end + next[0].length);
    if (replace === undefined) return "open";
    return { search: search.text, replace: replace.text, start: tag.index, end: replace.end };
  }
  return undefined;
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
  const text = withoutEdges(inner);
  if (text === "" || text === "\n") return text === "\n" && inner.length > 2 ? "\n" : "";
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Without the spaces before the first line end and after the last, and without that first line end. */
function withoutEdges(text: string): string {
  const start = text.indexOf("\n");
  const from = start !== -1 && text.slice(0, start).trim() === "" ? start + 1 : 0;
  const last = text.lastIndexOf("\n");
  const to = last >= from && text.slice(last).trim() === "" ? last + 1 : text.length;
  return text.slice(from, to);
}

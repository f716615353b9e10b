// <search>...</search> <replace>...</replace>, and other names for the two.
import { describeDiff } from "../../describe-error.ts";
import type { ParsedUnit } from "../../edit-unit.ts";
import type { FileEdit } from "../file-edit.ts";
import { countLineFeeds, isSolid } from "../../../base/text/lines.ts";
import { isPathName, sideOfName } from "../side-words.ts";
import { isEverywhereKey, placesOf } from "./json-edits.ts";

const firstTag = /^[ \t]*<([A-Za-z]+(?:[_-][A-Za-z]+)*)>/;
const anyTag = /<([A-Za-z]+(?:[_-][A-Za-z]+)*)>/g;
const cdata = /^<!\[CDATA\[([^]*)\]\]>$/;

/** Whether a pair of such tags may begin with the line. */
export function beginsSearchTag(line: string): boolean {
  const [, name = ""] = firstTag.exec(line) ?? [];
  return sideOfName(name) === "old";
}

/** Whether the line ends a pair, if nothing but another pair follows. */
export function endsSearchTag(line: string): boolean {
  const [, name = ""] = /<\/([A-Za-z]+(?:[_-][A-Za-z]+)?)>$/.exec(line.trimEnd()) ?? [];
  return sideOfName(name) === "new";
}

/** Whether the line is a tag that says that the pair before it means all places. */
export function isEverywhereTag(line: string): boolean {
  const [, name = ""] = /^<(\w{1,40})>[^<>]{0,40}<\/\1>$/.exec(line.trim()) ?? [];
  return isEverywhereKey(name);
}

/**
 * Reads pairs of tags with nothing between them, as the edit of one file; a pair that is not closed is `truncated`.
 *
 * @param firstLine of the text in the answer, 1-based
 */
export function readSearchTags(text: string, firstLine: number): FileEdit[] {
  const edit: FileEdit = { filePath: undefined, form: "search-tags", units: [] };
  let [end, line] = [0, firstLine];
  let old: ParsedUnit | undefined;
  for (const { 0: opening, 1: name = "", index } of text.matchAll(anyTag)) {
    const side = sideOfName(name);
    const isKnown = side !== undefined || isPathName(name) || isEverywhereKey(name);
    if (index < end || !isKnown) continue;
    const between = text.slice(end, index);
    const start = index + opening.length;
    const close = text.indexOf(`</${name}>`, start);
    line += countLineFeeds(between);
    if (close === -1 && side !== undefined)
      edit.error = describeDiff("truncated", "A <search> or <replace> tag is not closed.");
    if (close === -1) break;
    const raw = text.slice(start, close);
    const unit = edit.units.at(-1);
    if (old !== undefined && between.trim() !== "") break;
    if (side === "old") old = { search: contentOf(raw), replace: "", line, strict: false };
    else if (side === "new" && old !== undefined) {
      edit.units.push({ ...old, replace: contentOf(raw) });
      old = undefined;
    } else if (isPathName(name)) edit.filePath ??= raw.trim();
    else if (unit !== undefined && isEverywhereKey(name)) {
      const everywhere = placesOf(raw);
      if (everywhere !== undefined) unit.everywhere = everywhere;
    }
    line += countLineFeeds(raw);
    end = close + name.length + 3;
  }
  return edit.units.length === 0 && edit.error === undefined ? [] : [edit];
}

/** Whole lines, without the line ends next to the tags, CDATA and a code fence. */
function contentOf(raw: string): string {
  const inner = cdata.exec(raw.trim())?.[1] ?? raw;
  const end = inner.lastIndexOf("\n") + 1;
  const cut = end === 0 || isSolid(inner.slice(end)) ? inner : inner.slice(0, end);
  const text = cut.replace(/^[ \t]*\n/, "");
  if (inner.trim() === "" && text.length < 2) return "";
  return text.endsWith("\n") ? text : `${text}\n`;
}

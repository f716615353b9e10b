// Tags of XML around edits: `<file-edit filePath="src/main.ts">` (seed: search-replace-edit, 4.2), and others that models
// write, which say nothing but, sometimes, which file is meant.
import { isSolid, indentOf } from "../../../base/text/lines.ts";
import { isCodeFence, readFence } from "../../../base/text/fence.ts";
import { Cursor } from "../../../base/text/cursor.ts";
import { isPathName } from "../side-words.ts";

/** In characters: so far a line that begins like an opening tag is held back. */
export const maxTag = 4_096;

const unfinished = /^[ \t]*<file-edit(?:\s(?:[^>"']|"[^"]*"|'[^']*')*(?:"[^"]*|'[^']*)?)?$/;
const editEnd = /^([^]*?)<\/file-edit[ \t]*>([^]*)$/;
const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
};

/** An opening tag at the start of a line, attributes in any order and quoting, and what is after it. */
export function readOpeningTag(
  line: string,
): { filePath: string | undefined; after: string } | undefined {
  const blanks = indentOf(line).length;
  if (!line.startsWith("<file-edit", blanks)) return undefined;
  const tag = new Cursor(line.slice(blanks, blanks + maxTag)).openingTag(0);
  if (tag?.name !== "file-edit") return undefined;
  const [, written] = tag.attributes.find(([name]) => isPathName(name)) ?? [];
  const filePath = written === undefined ? undefined : decodeEntities(written);
  return { filePath, after: line.slice(blanks + tag.end) };
}

/** The beginning of an opening tag whose end has not come yet. */
export function isUnfinishedTag(text: string): boolean {
  return text.length < maxTag && unfinished.test(text);
}

/** A closing tag, and what is before and after it on its line. */
export function readClosingTag(line: string): { before: string; after: string } | undefined {
  if (!line.includes("</file-edit")) return undefined;
  const match = editEnd.exec(line);
  return match === null ? undefined : { before: match[1] ?? "", after: match[2] ?? "" };
}

/** The five entities of XML and `&#39;`, each decoded once. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|apos|#39);/g, (entity) => entities[entity] ?? entity);
}

// Other tags.

const names: ReadonlySet<string> = new Set(
  (
    "apply_diff apply_patch answer arg args arguments block cdata change changes code code_change code_changes content diff " +
    "diffs edit edit_file edits file file_edit files function_calls invoke modification modifications operation " +
    "operations output parameter parameters patch replace_in_file response result search_replace str_replace tool_call " +
    "tool_use unit units update updates xml"
  ).split(" "),
);
const maxLine = 400;
const cdata = /^(?:<!\[CDATA\[|\]\]>)$/;
const otherTag =
  /^<(?<slash>[/?]?)(?<name>[A-Za-z_]+)(?<said>[ \t][^<>]*)?>(?:(?<inner>[^<>]+)<\/\k<name>>)?$/;
const attribute = /\b([\w-]+)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)')/g;

/** A line that holds nothing but such a tag, or the beginning or end of CDATA; and the path that it names. */
export function readWrapper(
  line: string,
): { isClosing: boolean; path: string | undefined } | undefined {
  if (line.length > maxLine || !/[<\]]/.test(line)) return undefined;
  const text = line.trim();
  if (cdata.test(text)) return { isClosing: text === "]]>", path: undefined };
  const { slash, name = "", said = "", inner } = otherTag.exec(text)?.groups ?? {};
  const attributes = [...said.matchAll(attribute)].map(([, key = "", double, single = ""]) => ({
    key,
    value: double ?? single,
  }));
  if (inner !== undefined) {
    const { value = name } = attributes.find(({ key }) => key === "name") ?? {};
    return isPathName(value) ? { isClosing: false, path: inner.trim() } : undefined;
  }
  if (!names.has(name.toLowerCase())) return undefined;
  // The name of something may be that of a parameter.
  const named = attributes.find(
    ({ key, value }) => isPathName(key) || (/^(?:name|target)$/i.test(key) && /[./\\]/.test(value)),
  );
  return { isClosing: slash === "/", path: named?.value };
}

export function isWrapper(line: string): boolean {
  return readWrapper(line) !== undefined;
}

/** A line without such a tag at its start. */
export function withoutWrapper(line: string): string {
  if (!line.startsWith("<") || line.length > maxLine) return line;
  const [whole = "", name = ""] = /^<([A-Za-z_]+)(?:[ \t][^<>]*)?>/.exec(line) ?? [];
  return names.has(name.toLowerCase()) ? line.slice(whole.length) : line;
}

/** Whether a tag of the name, in whatever case, may be around edits. */
export function isWrapperName(name: string): boolean {
  return name === "file-edit" || names.has(name.toLowerCase()) || isPathName(name);
}

/** A line that begins or ends CDATA. */
export function isCdata(line: string): boolean {
  return cdata.test(line.trim());
}

/**
 * The lines inside of a fence that holds all of a file's text; undefined if there is none. Markdown may begin and end with
 * fences of its own.
 *
 * @param path of the file
 */
export function withoutFence(lines: readonly string[], path: string): string[] | undefined {
  const [first, last] = [lines.findIndex(isSolid), lines.findLastIndex(isSolid)];
  const [opening = "", closing = ""] = [lines[first]?.trim(), lines[last]?.trim()];
  const isClosed = first < last && readFence(closing)?.info === "";
  if (!isClosed || !isCodeFence(opening) || !opening.startsWith(closing)) return undefined;
  const inside = lines.slice(first + 1, last);
  const isOne = !inside.some((line) => line.trim().startsWith(closing));
  return /\.(?:md|mdx|markdown)$/i.test(path) && !isOne ? undefined : inside;
}

/** The text of a file without what is around it: CDATA, a tag, a fence. */
export function coveredCode(lines: readonly string[], path: string): readonly string[] {
  let inside = lines;
  for (let depth = 0; depth < 3; depth += 1) {
    const [first, last] = [inside.findIndex(isSolid), inside.findLastIndex(isSolid)];
    if (first === last || !isPair(inside[first] ?? "", inside[last] ?? "", path)) break;
    inside = inside.slice(first + 1, last);
  }
  return withoutFence(inside, path) ?? inside;
}

/** In files of markup a tag is text. */
function isPair(opening: string, closing: string, path: string): boolean {
  if (isCdata(opening)) return isCdata(closing);
  const isMarkup = /\.(?:html?|xml|xsl|xsd|svg|vue|svelte|jsx|tsx|astro|md|mdx)$/i.test(path);
  const name = /^<([A-Za-z_]+)/.exec(opening.trim())?.[1];
  return !isMarkup && name !== undefined && isWrapper(opening) && closing.trim() === `</${name}>`;
}

import { isCodeFence } from "../unit-reader.ts";
import { isWrapper } from "./wrapper.ts";
import { isSolid } from "../../../base/text/lines.ts";

/**
 * The lines inside of a fence that holds all of a file's text; undefined if there is none. Markdown may begin and end with
 * fences of its own.
 *
 * @param path of the file
 */
export function withoutFence(lines: readonly string[], path: string): string[] | undefined {
  const [first, last] = [lines.findIndex(isSolid), lines.findLastIndex(isSolid)];
  const [opening = "", closing = ""] = [lines[first]?.trim(), lines[last]?.trim()];
  const isClosed = first < last && /^(?:`{3,}|~{3,})$/.test(closing);
  if (!isClosed || !isCodeFence(opening) || !opening.startsWith(closing)) return undefined;
  const inside = lines.slice(first + 1, last);
  const isOne = !inside.some((line) => line.trim().startsWith(closing));
  return /\.(?:md|mdx|markdown)$/i.test(path) && !isOne ? undefined : inside;
}

/** A line that begins or ends CDATA. */
export function isCdata(line: string): boolean {
  return /^(?:<!\[CDATA\[|\]\]>)$/.test(line.trim());
}

/** The text of a file without what stands around it: CDATA, a tag, a fence. */
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

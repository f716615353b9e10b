import { isCodeFence } from "../unit-reader.ts";

/**
 * The lines inside of a fence that holds all of a file's text; undefined if there is none. Markdown may begin and end with
 * fences of its own.
 *
 * @param path of the file
 */
export function withoutFence(lines: readonly string[], path: string): string[] | undefined {
  const isSolid = (line: string): boolean => line.trim() !== "";
  const [first, last] = [lines.findIndex(isSolid), lines.findLastIndex(isSolid)];
  const [opening = "", closing = ""] = [lines[first]?.trim(), lines[last]?.trim()];
  const isClosed = first < last && /^(?:`{3,}|~{3,})$/.test(closing);
  if (!isClosed || !isCodeFence(opening) || !opening.startsWith(closing)) return undefined;
  const inside = lines.slice(first + 1, last);
  const isOne = !inside.some((line) => line.trim().startsWith(closing));
  return /\.(?:md|mdx|markdown)$/i.test(path) && !isOne ? undefined : inside;
}

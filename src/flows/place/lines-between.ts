import type { LineRange } from "../../edit/edit-unit.ts";

/** The lines that a text has of a range; undefined where it has none, or nothing is on them. */
export function linesWithin(
  text: string,
  { startLine, endLine }: LineRange,
): LineRange | undefined {
  const first = Math.max(1, startLine);
  const content = linesBetween(text, first, endLine);
  if (content.trim() === "") return undefined;
  // The end of the last line is no line of its own.
  const count = content.replace(/\n$/, "").split("\n").length;
  return { startLine: first, endLine: first + count - 1 };
}

/** The lines of a text, 1-based and inclusive. */
export function linesBetween(text: string, startLine: number, endLine: number): string {
  return text
    .split(/\r?\n/)
    .slice(startLine - 1, endLine)
    .join("\n");
}

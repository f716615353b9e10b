// The mark of lines that a click has chosen, in the prompt that the click sends: printed and read here only.
import type { LineRange } from "../../edit/edit-unit.ts";

/** At the end of the first line of a prompt, which may hold nothing else. */
const markPattern = /(?:^|\s)\[(?:([^[\],]{1,200}), )?lines (\d{1,7})-(\d{1,7})\]$/;
/** A first line that is longer holds no mark of ours. */
const maxLine = 1_000;

export interface LineMark {
  /** As it stands in the prompt. */
  text: string;
  /** The symbol that the lines hold. */
  name: string | undefined;
  lines: LineRange;
}

/**
 * Names lines in a prompt: `[parse, lines 24-33]`. It has to stand at the end of the prompt's first line.
 *
 * @param name the symbol that they hold, by which they are found again if the file has changed
 */
export function printLineMark({ startLine, endLine }: LineRange, name?: string): string {
  const lines = `lines ${startLine}-${endLine}`;
  const isPlain =
    name !== undefined && name === name.trim() && /^[^[\],\r\n\u2028\u2029]{1,200}$/.test(name);
  return isPlain ? `[${name}, ${lines}]` : `[${lines}]`;
}

/** The prompt with a mark at the end of its first line, or before it where that is too long to be looked at. */
export function addMark(prompt: string, mark: string): string {
  const [first = "", ...rest] = prompt.split("\n");
  const marked = `${first} ${mark}`.trim();
  return (marked.length > maxLine ? [mark, first, ...rest] : [marked, ...rest]).join("\n");
}

/** Undefined where a prompt has no mark. Every request with a prompt comes by here, so it must be cheap. */
export function readLineMark(prompt: string | undefined): LineMark | undefined {
  if (prompt === undefined) return undefined;
  const end = prompt.indexOf("\n");
  const line = end === -1 ? prompt : prompt.slice(0, end);
  if (line.length > maxLine) return undefined;
  const match = markPattern.exec(line.trimEnd());
  if (match === null) return undefined;
  const [text, name, first, last] = match;
  const lines = { startLine: Number(first), endLine: Number(last) };
  return { text: text.trim(), name, lines };
}

/** A client that joins the prompts of several clicks repeats the mark on lines of its own; these go, too. */
export function withoutMark(prompt: string, { text }: LineMark): string {
  const [first = "", ...rest] = prompt.split("\n");
  const head = first.trimEnd().slice(0, -text.length).trimEnd();
  const others = rest.filter((line) => line.trim() !== text);
  return [...(head === "" ? [] : [head]), ...others].join("\n").trim();
}

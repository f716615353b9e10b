import { trimSigns } from "./lines.ts";

/** Signs of a fence. */
const shortest = 3;

/**
 * Puts text into a Markdown code fence that is longer than any run of backticks inside, so that
 * no text can close it. The info string is cut at its first blank or backtick.
 */
export function fence(text: string, info = ""): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const rule = "`".repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), shortest));
  const word = /^[^\s`]*/.exec(info)?.[0] ?? "";
  return `${rule}${word}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${rule}`;
}

/** A line that opens a block of code in Markdown, or closes one. */
export interface FenceLine {
  /** The white space before it. */
  indent: string;
  /** Its signs, ``` or ~~~ or more of them. */
  run: string;
  /** What comes behind them. */
  info: string;
}

const fenceLine = /^(?<indent>[ \t]*)(?<run>`{3,}(?=[^`]*$)|~{3,}(?!~))(?<info>.*)$/s;

/** Reads a line without its line end; undefined where it is another one. */
export function readFence(line: string): FenceLine | undefined {
  const { indent, run, info } = fenceLine.exec(line)?.groups ?? {};
  if (indent === undefined || run === undefined || info === undefined) return undefined;
  return { indent, run, info: info.trim() };
}

/** Whether a line begins as a fence does, however it goes on. */
export function isFence(line: string): boolean {
  return /^\s*(?:`{3}|~{3})/.test(line);
}

/** A fence with a language at most. */
export function isCodeFence(line: string): boolean {
  return /^(?:`{3,}|~{3,})[\w.+#-]*$/.test(trimSigns(line, " \t"));
}

/** Whether a line closes the block: with signs as many as those that opened it, or more, and no further to the right. */
export function closesFence(
  line: string,
  { indent, run }: Pick<FenceLine, "indent" | "run">,
): boolean {
  const signs = line.trim();
  const isOuter = line.length - line.trimStart().length <= indent.length;
  return isOuter && signs.startsWith(run) && signs === run.charAt(0).repeat(signs.length);
}

/** What closes the block of code in which a text ends; "" where it ends in none. */
export function endOfOpenFence(text: string): string {
  let open: FenceLine | undefined;
  for (const line of text.split("\n")) {
    if (open === undefined) open = readFence(line);
    else if (closesFence(line, open)) open = undefined;
  }
  return open === undefined ? "" : `\n${open.indent}${open.run}`;
}

/** What is inside of the one block of code that a text consists of; the text itself where it is another one. */
export function unfenced(text: string): string {
  const { run } = readFence(text.slice(0, text.indexOf("\n") + 1)) ?? {};
  const end = text.trimEnd();
  const first = text.indexOf("\n");
  if (run === undefined || end.length - run.length <= first || !end.endsWith(run)) return text;
  return end.slice(first + 1, -run.length).trim();
}

/** Where a block of code may be: in lists and quotations, too. */
const around = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/;

/**
 * Says of each line whether it follows a line of the same block of code. A fence that nothing closes is a plain line: a
 * stray one would swallow the rest of the text.
 */
export function findFenced(lines: readonly string[]): boolean[] {
  const inside = lines.map(() => false);
  /** What was looked for in vain; looking again each time would cost the square of the text. */
  const unclosed = new Set<string>();
  for (let at = 0; at < lines.length; at++) {
    const [lead = ""] = around.exec(lines[at] ?? "") ?? [];
    const { run } = readFence((lines[at] ?? "").slice(lead.length)) ?? {};
    if (run === undefined) continue;
    const width = widthOf(lead);
    const end = unclosed.has(`${run}${width}`) ? -1 : findClosing(lines, at + 1, run, width);
    if (end === -1) unclosed.add(`${run}${width}`);
    else {
      inside.fill(true, at + 1, end + 1);
      at = end;
    }
  }
  return inside;
}

function findClosing(lines: readonly string[], from: number, run: string, width: number): number {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [lead = ""] = /^[ \t>]*/.exec(line) ?? [];
    // CommonMark 0.31.2, 4.5: four blanks more make it text of the code.
    const isNear = widthOf(lead) < width + 4;
    if (isNear && closesFence(line.slice(lead.length), { indent: "", run })) return at;
  }
  return -1;
}

function widthOf(blanks: string): number {
  return blanks.replaceAll("\t", "    ").length;
}

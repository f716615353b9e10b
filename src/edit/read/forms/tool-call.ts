// editTool(filePath="src/main.ts", diffContent="...") (seed: search-replace-edit, 3.1 and 4.1).
import { advance } from "../../../base/wire/progress.ts";
import { trimEndSigns } from "../../../base/text/trim.ts";

export interface ToolCall {
  filePath: string | undefined;
  diff: string;
  /** The line of the diff, counted from that of the call. */
  line: number;
}

const beginning =
  /^[ \t]*(?:print\()?(?:await[ \t]+)?(?:[A-Za-z_]\w{0,40}\.){0,3}(?:edit_?tool|edit_?file|apply_?diff|replace_in_file)\(/i;
const argument =
  /(?:^|[,(\s])(?<name>file_?path|path|file|diff_?content|diff|content)\s*[=:]\s*(?<prefix>[rRbBfu]?)(?<quote>"""|'''|```|"|'|`)/gi;

/** Whether a call of the tool that edits files begins with the line. */
export function beginsToolCall(line: string): boolean {
  return beginning.test(line.length < 4_000 ? line : line.slice(0, 400));
}

/**
 * Reads a call with both arguments by name, in any quotes. Undefined if a string of it is not closed, or
 * anything is missing.
 */
export function readToolCall(text: string): ToolCall | undefined {
  argument.lastIndex = 0;
  let filePath: string | undefined;
  let call: ToolCall | undefined;
  const step = (): boolean => {
    const { name, prefix = "", quote = "" } = argument.exec(text)?.groups ?? {};
    if (name === undefined) return false;
    const start = argument.lastIndex;
    const isDiff = /diff|content/i.test(name);
    const end = isDiff ? endOfDiff(text, start, quote) : endOfString(text, start, quote);
    if (end === -1) return false;
    const raw = text.slice(start, end);
    if (isDiff) {
      const line = text.slice(0, start).split("\n").length - 1;
      const rest = argumentAfter(text, end + quote.length);
      call = { filePath: filePath ?? rest, diff: decode(raw, quote, /r/i.test(prefix)), line };
    } else filePath = decode(raw, quote, false);
    argument.lastIndex = end + quote.length;
    return !isDiff;
  };
  advance(() => argument.lastIndex, step);
  return call;
}

/** A path that comes after the diff. */
function argumentAfter(text: string, from: number): string | undefined {
  const found = /^\s*,\s*(?:file_?path|path|file)\s*[=:]\s*(["'`])([^"'`\n]{1,300})\1/i.exec(
    text.slice(from, from + 600),
  );
  return found?.[2];
}

function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at;
  }
  return -1;
}

/** Quotes inside of a diff are often not escaped: the last one counts that the end of the call follows. */
function endOfDiff(text: string, start: number, quote: string): number {
  if (quote.length === 3) return text.indexOf(quote, start);
  const body = text.slice(start);
  const closed = trimEndSigns(trimEndSigns(body, " \t\r\n;"), ")} \t\r\n,");
  const path = /,\s*(?:file_?path|path|file)\s*[=:]\s*(?:"[^"\n]*"|'[^'\n]*')$/i.exec(
    closed.slice(-400),
  );
  const end = path === null ? closed : closed.slice(0, closed.length - path[0].length).trimEnd();
  return end.endsWith(quote) ? start + end.length - 1 : -1;
}

/** A string on one line has its line ends as escapes. */
function decode(raw: string, quote: string, isRaw: boolean): string {
  const hasLines = raw.includes("\n");
  if (isRaw) return raw;
  if (hasLines || !raw.includes("\\")) return raw.replaceAll(`\\${quote[0] ?? ""}`, quote[0] ?? "");
  return raw.replaceAll(/\\(u[\da-fA-F]{4}|[^])/g, (_, escape: string) => {
    if (escape.length === 5) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return escapes.get(escape) ?? escape;
  });
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);

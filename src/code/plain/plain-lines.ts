// The lines of a text as the plain analysis sees them.
import type { Stretch } from "../tree/directives.ts";
import type { SourceText } from "../tree/source-text.ts";

/** Characters of a line; beyond them patterns see nothing: the time stays linear in the length of the text. */
const maxLine = 500;
/** Lines of a text that are looked at. */
export const maxLines = 20_000;

export interface Line {
  number: number;
  indent: number;
  /** Trimmed; without what is beyond the longest line. */
  code: string;
  /** Where the code starts in the text. */
  start: number;
}

/** The lines that are not blank. */
export function readLines(source: SourceText): Line[] {
  const lines: Line[] = [];
  for (let number = 1; number <= Math.min(source.lineCount, maxLines); number++) {
    const line = source.line(number);
    const blanks = /^\s*/.exec(line)?.[0] ?? "";
    const code = line.trim().slice(0, maxLine);
    if (code === "") continue;
    const [start] = source.offsetsOf({
      startLine: number,
      startColumn: 1,
      endLine: number,
      endColumn: 1,
    });
    const indent = blanks.replaceAll("\t", "    ").length;
    lines.push({ number, indent, code, start: start + blanks.length });
  }
  return lines;
}

/** Lines that nothing stands on but one of the comments. */
export function linesInside(
  lines: readonly Line[],
  comments: readonly Stretch[],
): ReadonlySet<number> {
  let next = 0;
  const isInside = ({ start, code }: Line): boolean => {
    while ((comments[next]?.[1] ?? Infinity) <= start) next++;
    const [from, to] = comments[next] ?? [Infinity, 0];
    return from <= start && start + code.length <= to;
  };
  return new Set(lines.filter(isInside).map(({ number }) => number));
}

/** Lines that look like comments: a guess for languages of which nothing is known. */
export function commentLines(lines: readonly Line[]): ReadonlySet<number> {
  const found = new Set<number>();
  let end: string | undefined;
  for (const { number, code } of lines) {
    const opened = end === undefined ? openComment(code) : undefined;
    if (
      end !== undefined ||
      opened !== undefined ||
      /^(?:\/\/|#(?![[!]|\s*(?:include|define|if|end|el|pragma|region))|--(?!-?>)|;;)/.test(code)
    )
      found.add(number);
    if (opened !== undefined && !code.slice(2).includes(opened)) end = opened;
    else if (end !== undefined && code.includes(end)) end = undefined;
  }
  return found;
}

function openComment(code: string): string | undefined {
  if (code.startsWith("/*")) return "*/";
  if (code.startsWith("<!--")) return "-->";
  return code.startsWith("--[[") ? "]]" : undefined;
}

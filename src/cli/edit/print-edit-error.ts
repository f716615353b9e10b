import type { EditError, LineRange, NearestPlace } from "../../edit.ts";
import { escapeControls, escapeLine } from "../call/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";
import { nameLines } from "./name-lines.ts";

/** The file that the edit was meant for. */
export interface RefusedFile {
  name: string;
  before: string;
}

const longestLine = 100;

/**
 * Says on standard error why nothing was changed: the code and the sentence, then what the unit found
 * instead, with the line numbers of the file; the same for each further unit that failed.
 */
export function printEditError(
  { others = [], ...first }: EditError,
  { name, before }: RefusedFile,
  terminal: Terminal,
): void {
  for (const { code, message, nearest, candidates = [] } of [first, ...others]) {
    terminal.err(`${terminal.errStyle("red", `${code}: ${escapeLine(message)}`)}\n`);
    if (nearest !== undefined) terminal.err(showNearest(nearest, terminal));
    if (candidates.length > 0) terminal.err(showCandidates(candidates, before));
  }
  terminal.err(`${name} was not changed.\n`);
}

/** `-` stands before lines of SEARCH only, `+` before lines of the file only; these have their number. */
function showNearest({ startLine, endLine, diff }: NearestPlace, terminal: Terminal): string {
  const width = String(endLine).length;
  let number = startLine;
  const lines = diff.split("\n").map((line) => {
    const isSearch = line.startsWith("-");
    const gutter = (isSearch ? "" : String(number)).padStart(width);
    if (!isSearch) number += 1;
    const format = isSearch ? "red" : line.startsWith("+") ? "green" : "dim";
    return `  ${gutter} ${terminal.errStyle(format, escapeControls(line))}\n`;
  });
  return `  - only in SEARCH, + only in the file\n${lines.join("")}`;
}

/** Each with the text of its first line. */
function showCandidates(candidates: readonly LineRange[], before: string): string {
  const lines = before.split("\n");
  return candidates
    .map((range) => {
      const text = escapeLine((lines[range.startLine - 1] ?? "").slice(0, longestLine));
      return `  ${nameLines(range)}: ${text}\n`;
    })
    .join("");
}

import type { EditError, LineRange, NearestPlace } from "../../edit.ts";
import { escapeControls, escapeLine } from "../call/show/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";
import { type EditTexts, editTexts } from "./edit-texts.ts";

/** The file that the edit was meant for. */
export interface RefusedFile {
  name: string;
  before: string;
}

/** Characters of a line that are shown. */
const maxLine = 100;

/**
 * Says on standard error why nothing was changed: the code and the sentence, then what the unit found
 * instead, with the line numbers of the file; the same for each further unit that failed.
 */
export function printEditError(
  { others = [], ...first }: EditError,
  { name, before }: RefusedFile,
  terminal: Terminal,
  texts = editTexts("en"),
): void {
  for (const { nearest, candidates = [], ...error } of [first, ...others]) {
    terminal.err(`${terminal.errStyle("red", escapeLine(texts.refusal(error)))}\n`);
    if (nearest !== undefined) terminal.err(showNearest(nearest, terminal, texts));
    if (candidates.length > 0) terminal.err(showCandidates(candidates, before, texts));
  }
  terminal.err(`${texts.unchanged(name)}\n`);
}

/** `-` stands before lines of SEARCH only, `+` before lines of the file only; these have their number. */
function showNearest(
  { startLine, endLine, diff }: NearestPlace,
  terminal: Terminal,
  { legend }: EditTexts,
): string {
  const width = String(endLine).length;
  let number = startLine;
  const lines = diff.split("\n").map((line) => {
    const isSearch = line.startsWith("-");
    const gutter = (isSearch ? "" : String(number)).padStart(width);
    if (!isSearch) number += 1;
    const format = isSearch ? "red" : line.startsWith("+") ? "green" : "dim";
    return `  ${gutter} ${terminal.errStyle(format, escapeControls(line))}\n`;
  });
  return `  ${legend}\n${lines.join("")}`;
}

/** Each with the text of its first line. */
function showCandidates(
  candidates: readonly LineRange[],
  before: string,
  texts: EditTexts,
): string {
  const lines = before.split("\n");
  return candidates
    .map((range) => {
      const text = escapeLine((lines[range.startLine - 1] ?? "").slice(0, maxLine));
      return `  ${texts.lines(range)}: ${text}\n`;
    })
    .join("");
}

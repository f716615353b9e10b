import { escapeControls } from "../../call/show/escape-controls.ts";
import type { Terminal } from "../../call/terminal.ts";
import { createDiffPainter } from "../../diff-painter.ts";

/** Marks that take no room: code could look like another one with them. */
const unseen = /[\p{Cf}\p{Co}\u115f\u1160\u3164\uffa0\p{Variation_Selector}]/gu;

/**
 * A diff as somebody reads it who is to say yes to it: whole, in colours, and with everything that a terminal
 * would hide.
 */
export function printApprovalDiff(diff: string, terminal: Terminal): string {
  const paint = createDiffPainter(terminal);
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const body = lines.filter((line) => /^[+ -]/.test(line)).slice(2);
  // Where all lines end alike there is nothing to see.
  const isCrlf = body.length > 0 && body.every((line) => line.endsWith("\r"));
  return lines
    .map((line) => (isCrlf && line.endsWith("\r") ? line.slice(0, -1) : line))
    .map((line) => paint(showUnseen(escapeControls(line))))
    .join("\n");
}

/** A name as it is, on one line: two that differ look different. */
export function showName(name: string): string {
  const line = name.replace(/[\t\n\r]/g, (sign) => JSON.stringify(sign).slice(1, -1));
  return showUnseen(escapeControls(line));
}

function showUnseen(line: string): string {
  return line.replace(unseen, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`);
}

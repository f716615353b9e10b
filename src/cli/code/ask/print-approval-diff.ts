import { escapeUnseen } from "../../call/show/escape-controls.ts";
import { type Terminal, createDiffPainter } from "../../call/terminal.ts";

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
    .map((line) => paint(escapeUnseen(line)))
    .join("\n");
}

/** A name as it is, on one line: two that differ look different. */
export function showName(name: string): string {
  return escapeUnseen(name.replace(/[\t\n\r]/g, (sign) => JSON.stringify(sign).slice(1, -1)));
}

/**
 * Prints a unified diff on standard output: byte by byte for another program, which may apply it, and
 * coloured, with everything that a terminal would hide, for a person.
 */
export function printUnifiedDiff(diff: string, terminal: Terminal, isScreen: boolean): void {
  const shown = isScreen && diff !== "" ? `${printApprovalDiff(diff, terminal)}\n` : diff;
  terminal.out(shown);
}

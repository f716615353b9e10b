import { escapeControls } from "../call/show/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";
import { createDiffPainter } from "../diff-painter.ts";

/**
 * Prints a unified diff on standard output: byte by byte for another program, which may apply it, and
 * coloured and free of control characters for a person.
 */
export function printUnifiedDiff(diff: string, terminal: Terminal, isScreen: boolean): void {
  terminal.out(isScreen ? toScreen(diff, terminal) : diff);
}

function toScreen(diff: string, terminal: Terminal): string {
  const paint = createDiffPainter(terminal);
  return diff
    .split("\n")
    .map((line) => paint(escapeControls(line.replace(/\r$/, ""))))
    .join("\n");
}

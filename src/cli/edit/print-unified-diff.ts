import type { Terminal } from "../call/terminal.ts";
import { printApprovalDiff } from "../code/ask/print-approval-diff.ts";

/**
 * Prints a unified diff on standard output: byte by byte for another program, which may apply it, and
 * coloured, with everything that a terminal would hide, for a person.
 */
export function printUnifiedDiff(diff: string, terminal: Terminal, isScreen: boolean): void {
  const shown = isScreen && diff !== "" ? `${printApprovalDiff(diff, terminal)}\n` : diff;
  terminal.out(shown);
}

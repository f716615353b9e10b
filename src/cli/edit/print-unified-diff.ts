import { escapeControls } from "../call/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";

const formats = [
  [/^(?:---|\+\+\+) /, "bold"],
  [/^@@/, "cyan"],
  [/^-/, "red"],
  [/^\+/, "green"],
] as const;

/**
 * Prints a unified diff on standard output: byte by byte for another program, which may apply it, and
 * coloured and free of control characters for a person.
 */
export function printUnifiedDiff(diff: string, terminal: Terminal, isScreen: boolean): void {
  terminal.out(isScreen ? toScreen(diff, terminal) : diff);
}

function toScreen(diff: string, terminal: Terminal): string {
  let isHead = true;
  return diff
    .split("\n")
    .map((line) => {
      if (line.startsWith("@@")) isHead = false;
      // Behind the head, `--- x` is a line `-- x` that goes.
      const [, format] =
        formats.slice(isHead ? 0 : 1).find(([pattern]) => pattern.test(line)) ?? [];
      const shown = escapeControls(line.replace(/\r$/, ""));
      return format === undefined ? shown : terminal.outStyle(format, shown);
    })
    .join("\n");
}

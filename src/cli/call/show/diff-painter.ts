import type { Terminal } from "../terminal.ts";

const formats = [
  [/^(?:---|\+\+\+) /, "bold"],
  [/^@@/, "cyan"],
  [/^-/, "red"],
  [/^\+/, "green"],
] as const;

/**
 * Paints the lines of one unified diff for standard output, one after the other. Lines come and go
 * without their ends and free of control characters; a line gets colours and stays as it is otherwise.
 */
export function createDiffPainter(terminal: Terminal): (line: string) => string {
  let isHead = true;
  return (line) => {
    if (line.startsWith("@@")) isHead = false;
    // Behind the head, `--- x` is a line `-- x` that goes.
    const [, format] = formats.slice(isHead ? 0 : 1).find(([pattern]) => pattern.test(line)) ?? [];
    return format === undefined ? line : terminal.outStyle(format, line);
  };
}

import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** The two streams of a terminal. Text that comes from elsewhere must be escaped before. */
export interface Terminal {
  out(text: string | Uint8Array): void;
  err(text: string): void;
  /** Styles text where that stream shows colours: on a TTY, unless NO_COLOR is set. */
  outStyle(format: Format, text: string): string;
  errStyle(format: Format, text: string): string;
}

export function createTerminal(
  stdout: NodeJS.WritableStream,
  stderr: NodeJS.WritableStream,
): Terminal {
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    outStyle: (format, text) => styleText(format, text, { stream: stdout }),
    errStyle: (format, text) => styleText(format, text, { stream: stderr }),
  };
}

import { escapeLine } from "./show/escape-controls.ts";
import type { Spinner } from "./show/spinner.ts";
import type { WriteStream } from "node:tty";
import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** The two streams of a terminal. Text that comes from elsewhere must be escaped before. */
export interface Terminal {
  out(text: string | Uint8Array): void;
  err(text: string): void;
  /** Styles text where that stream shows colours: on a TTY, unless NO_COLOR is set. */
  outStyle(format: Format, text: string): string;
  errStyle(format: Format, text: string): string;
  /** Columns of standard output as it is now. */
  outWidth(): number;
  /** Tells the person what is awaited, until something is written, or `rest` is called. */
  wait(step: string): void;
  rest(): void;
}

const usualWidth = 80;

/** Whether a stream is looked at by a person and shows colours: a TTY, without NO_COLOR or TERM=dumb. */
export function showsColours(stream: Partial<WriteStream>): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}

export interface TerminalOptions {
  /** No colours, whatever the streams can show. */
  plain?: boolean;
  /** On one of the streams; without it the person waits in silence. */
  spinner?: Spinner | undefined;
}

export function createTerminal(
  stdout: NodeJS.WritableStream & { readonly columns?: number },
  stderr: NodeJS.WritableStream,
  { plain = false, spinner }: TerminalOptions = {},
): Terminal {
  const styleFor =
    (stream: NodeJS.WritableStream) =>
    (format: Format, text: string): string =>
      plain ? text : styleText(format, text, { stream });
  return {
    out: (text) => {
      spinner?.stop();
      stdout.write(text);
    },
    err: (text) => {
      spinner?.stop();
      stderr.write(text);
    },
    outStyle: styleFor(stdout),
    errStyle: styleFor(stderr),
    outWidth: () => stdout.columns || usualWidth,
    wait: (step) => spinner?.start(step),
    rest: () => spinner?.stop(),
  };
}

/** A dimmed line of standard error. */
export function note(text: string, terminal: Terminal): void {
  terminal.err(`${terminal.errStyle("dim", escapeLine(text))}\n`);
}

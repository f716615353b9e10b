import { escapeLine } from "./show/escape-controls.ts";
import type { WriteStream } from "node:tty";
import { stripVTControlCharacters, styleText } from "node:util";
import type { Readable, Writable } from "node:stream";
import { widthOf } from "./show/wrap-line.ts";

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

/** Where the person types, and where they see what they are asked. */
export interface PromptStreams {
  input: Readable;
  output: Writable;
}

/** Says that something is awaited. */
interface Spinner {
  /** Shows the name of what is awaited, once it has lasted. */
  start(name: string): void;
  /** Takes it away; nothing of it stays. */
  stop(): void;
}

/** What lasts shorter needs no word, in milliseconds. */
const patience = 300;
const pause = 80;
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const eraseLine = "\r\u001b[K";

/**
 * A spinner on one line of a terminal. The cursor stays visible, so that a process that is killed leaves
 * nothing to restore.
 *
 * @param stream a terminal that understands control sequences
 */
export function createSpinner(
  stream: NodeJS.WritableStream & { readonly columns?: number },
): Spinner {
  let timer: NodeJS.Timeout | undefined;
  let isShown = false;
  let frame = 0;
  const draw = (name: string): void => {
    isShown = true;
    const text = fitWidth(
      `${frames[frame % frames.length]} ${name}…`,
      (stream.columns || usualWidth) - 1,
    );
    frame += 1;
    stream.write(`${eraseLine}${text}`);
    timer = setTimeout(draw, pause, name);
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isShown) stream.write(eraseLine);
    isShown = false;
    process.off("exit", stop);
  };
  return {
    start(name) {
      stop();
      timer = setTimeout(draw, patience, stripVTControlCharacters(name));
      // Whoever presses Ctrl-C twice ends the process at once.
      process.on("exit", stop);
    },
    stop,
  };
}

/** The beginning of a text that fits a line: one that wraps could not be erased. */
export function fitWidth(text: string, width: number): string {
  let fitting = "";
  for (const sign of text) {
    if (widthOf(fitting + sign) > width) break;
    fitting += sign;
  }
  return fitting;
}

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

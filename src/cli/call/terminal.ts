import { type Escaper, escapeLine, escapeUnseen } from "./show/escape-controls.ts";
import type { WriteStream } from "node:tty";
import { stripVTControlCharacters, styleText } from "node:util";
import type { Readable, Writable } from "node:stream";

type Format = Parameters<typeof styleText>[0];

/** The two streams of a terminal. Text that comes from elsewhere must be escaped before. */
export interface Terminal {
  out(text: string | Uint8Array): void;
  err(text: string): void;
  /** Styles text where that stream shows colours: on a TTY, unless NO_COLOR is set. */
  outStyle(format: Format, text: string): string;
  errStyle(format: Format, text: string): string;
  outWidth(): number;
  /** Renders the text of an answer, which comes as the model wrote it; absent: control characters are escaped. */
  createPainter?: ((terminal: Terminal) => Escaper) | undefined;
  /** Tells the person what is awaited, until something is written, or `rest` is called. */
  wait(step: string): void;
  rest(): void;
}

const usualWidth = 80;

/** Whether a stream is looked at by a person and shows colours: a TTY, without NO_COLOR or TERM=dumb. */
export function showsColours(stream: Partial<WriteStream>): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}

interface TerminalOptions extends Pick<Terminal, "createPainter"> {
  /** No colours, whatever the streams can show. */
  plain?: boolean;
  /** Without one the person waits in silence. */
  spinner?: Spinner | undefined;
}

export function createTerminal(
  stdout: NodeJS.WritableStream & { readonly columns?: number },
  stderr: NodeJS.WritableStream,
  { plain = false, spinner, createPainter }: TerminalOptions = {},
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
    createPainter,
    wait: (step) => spinner?.start(step),
    rest: () => spinner?.stop(),
  };
}

export function say(format: Format, text: string, terminal: Terminal): void {
  terminal.err(`${terminal.errStyle(format, text)}\n`);
}

export function note(text: string, terminal: Terminal): void {
  say("dim", escapeLine(text), terminal);
}

/** Where the person types, and where they see what they are asked. */
export interface PromptStreams {
  input: Readable;
  output: Writable;
}

type Spinner = ReturnType<typeof createSpinner>;

/** What lasts shorter needs no word, in milliseconds. */
const patience = 300;
const pause = 80;
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const eraseLine = "\r\u001b[K";

/** A spinner on one line. The cursor stays visible, so that a process that is killed leaves nothing to restore. */
export function createSpinner(stream: NodeJS.WritableStream & { readonly columns?: number }) {
  let timer: NodeJS.Timeout | undefined;
  let isShown = false;
  let frame = 0;
  const draw = (name: string): void => {
    isShown = true;
    const text = `${frames[frame % frames.length]} ${name}…`;
    frame += 1;
    stream.write(`${eraseLine}${fitWidth(text, (stream.columns || usualWidth) - 1)}`);
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
    start(name: string): void {
      stop();
      timer = setTimeout(draw, patience, stripVTControlCharacters(name));
      // Who presses Ctrl-C twice ends the process at once.
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

// Lines that fit the width of a terminal, where Chinese characters take two columns and colours none.

/** What takes no column: our own sequences that colour, marks that combine with the letter before, joiners. */
const invisible = /\p{Cc}\[[\d;]*m|[\p{M}\p{Cf}]/gu;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
/** Signs that must not begin a line. */
const closing =
  /^[\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff1f\uff01\uff09\u300b\u300d\u300f\u3011\u201d\u2019\u2026)\]},.;:!?]/u;
const pieces = /\p{Cc}\[[\d;]*m|\s+|[\s\S]/gu;

export function widthOf(text: string): number {
  const seen = text.replace(invisible, "");
  return (seen.match(/[\s\S]/gu)?.length ?? 0) + (seen.match(wide)?.length ?? 0);
}

/** Breaks a line at spaces and between wide characters, at so many columns. A longer word stays whole. */
export function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let [line, columns, word, gap, last] = ["", 0, "", "", ""];
  const endWord = (): void => {
    const needed = widthOf(word);
    if (columns > 0 && columns + gap.length + needed > width) {
      lines.push(line);
      [line, columns] = ["", 0];
    }
    const space = word === "" || (columns === 0 && lines.length > 0) ? "" : gap;
    line += space + word;
    columns += space.length + needed;
    [word, gap, last] = ["", "", ""];
  };
  for (const [piece] of text.matchAll(pieces)) {
    const isSpace = /^\s/.test(piece);
    const isSeen = piece.replace(invisible, "") !== "";
    // A wide character is a word of its own, with the signs that follow it.
    const isApart = last !== "" && !closing.test(piece) && (isWide(piece) || isWide(last));
    if (word !== "" && (isSpace || (isSeen && isApart))) endWord();
    if (isSpace) gap = piece;
    else word += piece;
    if (isSeen && !isSpace) last = piece;
  }
  endWord();
  return [...lines, line];
}

function isWide(sign: string): boolean {
  return sign.search(wide) === 0;
}

/** A diff for somebody who is to say yes to it: whole, in colours, with everything that a terminal would hide. */
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
export function showWholeName(name: string): string {
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

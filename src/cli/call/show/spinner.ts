import { stripVTControlCharacters } from "node:util";
import { widthOf } from "./markdown/wrap-line.ts";

/** Says that something is awaited. */
export interface Spinner {
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
const usualWidth = 80;

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

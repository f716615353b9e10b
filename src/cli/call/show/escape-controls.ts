import { foldSpaces } from "../../../edit/fold-spaces.ts";
export interface Escaper {
  /** Escapes the next piece of a text. What may belong to the piece after it is held back. */
  feed(piece: string): string;
  /** What was held back; call it once, at the end. */
  finish(): string;
}

/** C0 but tab and LF, DEL, C1, and the marks that turn the direction of text around. */
const controls = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
/** A high surrogate waits for its other half, a CR for an LF. */
const unfinished = /[\ud800-\udbff\r]$/;

/**
 * Makes a text safe for a terminal, piece by piece: nobody but us may colour it, move the cursor or
 * set the title. Control characters come out as `\x1b`; tab and line ends stay, CRLF as LF.
 */
export function createEscaper(): Escaper {
  let held = "";
  return {
    feed(piece) {
      const text = held + piece;
      held = unfinished.exec(text)?.[0] ?? "";
      return escapeControls(text.slice(0, text.length - held.length));
    },
    finish() {
      const rest = escapeControls(held);
      held = "";
      return rest;
    },
  };
}

export function escapeControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(controls, printControl);
}

/** The same for what must stay on one line: titles, names, messages. */
export function escapeLine(text: string): string {
  return foldSpaces(escapeControls(text));
}

function printControl(control: string): string {
  const code = control.charCodeAt(0);
  return code > 255 ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, "0")}`;
}

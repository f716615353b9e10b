import { foldSpaces } from "../../../base/text/lines.ts";
import { unseen } from "../../../base/errors/names.ts";

export type Escaper = ReturnType<typeof createEscaper>;

/** Marks that join the parts of an emoji belong to a sign that is seen. */
const emoji = /(\p{RGI_Emoji})/v;
/**
 * A high surrogate waits for its other half, a CR for an LF, and an emoji for the marks and signs that may follow. No
 * emoji is as long as what may be held.
 */
const unfinished =
  /(?:\r|[0-9#*]?[[\p{Emoji}\p{Emoji_Component}]--[0-9#*]]{0,64}[\ud800-\udbff]?)$/v;

/**
 * Makes a text safe for a terminal, piece by piece: nobody but us may colour it, move the cursor or
 * set the title. Control characters come out as `\x1b`; tab and line ends stay, CRLF as LF.
 */
export function createEscaper() {
  let held = "";
  return {
    feed(piece: string): string {
      const text = held + piece;
      held = unfinished.exec(text.slice(-140))?.[0] ?? "";
      return escapeControls(text.slice(0, text.length - held.length));
    },
    /** What was held back; call it once, at the end. */
    finish(): string {
      const rest = escapeControls(held);
      held = "";
      return rest;
    },
  };
}

/** Tab, line ends and whole emoji stay; what else ends lines, takes no room or has no form of its own is escaped. */
export function escapeControls(text: string): string {
  const parts = text.replaceAll("\r\n", "\n").split(emoji);
  return parts.map((part, nth) => (nth % 2 === 1 ? part : escapeUnseen(part))).join("");
}

/** The same for what must stay on one line: titles, names, messages. */
export function escapeLine(text: string): string {
  return foldSpaces(escapeControls(text));
}

/** The same for what a person says yes to: not even emoji keep what is not seen, and a CR is shown. */
export function escapeUnseen(text: string): string {
  return text.replace(unseen, printUnseen);
}

function printUnseen(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (/\p{Cc}/u.test(sign)) return `\\x${hex.padStart(2, "0")}`;
  return /\p{Bidi_Control}/u.test(sign) ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}

// JSON as models write it: quotes, commas, escapes and line breaks in texts are mended, what is left open is not. The one
// rule of where a value ends, and of what may come behind it.
import { jsonrepair } from "jsonrepair";
import { advance } from "./progress.ts";

/** In characters without texts: what mending takes grows with the square of its faults. */
const maxMended = 16_384;

/** Objects or lists of one text. */
const maxValues = 1_000;

/** The first of the values that a text begins with; undefined as with {@link parseEach}. */
export function parseFirst(text: string): unknown {
  return parseEach(text)?.[0];
}

/**
 * The values that a text begins with: one, or several with blanks, commas or semicolons between them. What comes behind
 * them, such as a closing tag or words, is passed over. Undefined if something is left open or beyond mending, or if what
 * comes behind may be part of the last one: then a quote inside of a text may have ended it too early.
 */
export function parseEach(text: string): unknown[] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    return readEach(text.replace(/^\s*`{3,}[^\n`]*\n/, ""));
  }
}

const between = /[\s,;]*/y;

function readEach(text: string): unknown[] | undefined {
  const values: unknown[] = [];
  let [at, isRead] = [0, true];
  const step = (): boolean => {
    between.lastIndex = at;
    const start = at + (between.exec(text)?.[0].length ?? 0);
    if (!/[{[]/.test(text.charAt(start)) || values.length > maxValues) return false;
    const scan = new JsonScan();
    at = scan.take(text, start);
    const value = scan.value();
    isRead = value !== undefined;
    values.push(value);
    return isRead;
  };
  advance(() => at, step);
  return isRead && values.length > 0 && mayFollow(text.slice(at).trim()) ? values : undefined;
}

/** Whether no text of the value before can go on here: that would end with a quote, and a bracket. */
function mayFollow(tail: string): boolean {
  if (/^[}\]);,]*$/.test(tail)) return true;
  return !/^["',:\\)]|["'`]\s*[}\]]|[}\]]$/.test(tail);
}

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”" };
const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Follows one object or list, piece by piece, and others behind it; brackets in texts do not count. */
export class JsonScan {
  readonly #open: string[] = [];
  #closing: string | undefined;
  /** The last sign of the comment that is open. */
  #comment: "/" | "*" | "end" | undefined;
  #isEscaped = false;
  /** The last sign outside of texts that is not blank; a quote is the end of one, a line break comes behind that. */
  #last = "";
  /** The texts of the first value, as JSON may hold them, and the one that is open. */
  readonly #texts: string[] = [];
  #text = "";
  /** The first value with the numbers of its texts in their place. */
  #frame = "";
  #isOver = false;
  #isBad = false;

  /**
   * Takes a piece with its line ends, up to the end of the first value.
   *
   * @returns the index behind the bracket that ends it; -1 if this piece does not end it
   */
  take(piece: string, from = 0): number {
    for (let at = from; at < piece.length; at += 1) {
      const sign = piece.charAt(at);
      const wasOver = this.#isOver;
      if (this.#comment !== undefined) this.#takeComment(sign);
      else if (this.#closing === undefined) this.#takeSign(sign);
      else this.#takeText(sign, this.#closing);
      if (this.#isOver !== wasOver) return at + 1;
    }
    return -1;
  }

  /** Takes a line, also what comes behind the first value. @returns whether a bracket is open now */
  opens(line: string): boolean {
    const text = `${line}\n`;
    const end = this.take(text);
    if (end !== -1) this.take(text, end);
    return this.#open.length > 0;
  }

  /** The first value; undefined if it is not over, or beyond mending. */
  value(): unknown {
    if (!this.#isOver || this.#isBad) return undefined;
    for (const repair of [String, jsonrepair]) {
      if (repair === jsonrepair && this.#frame.length > maxMended) return undefined;
      try {
        const json = repair(this.#frame);
        return JSON.parse(json.replaceAll(/\uE000(\d+)\uE001/g, (_, nth) => this.#textOf(nth)));
      } catch {
        // The next way may do.
      }
    }
    return undefined;
  }

  #textOf(nth: string): string {
    const text = this.#texts[Number(nth)] ?? "";
    const escapesOf = /\\(?:u(?:[\da-fA-F]{4})?|[^])/g;
    return text.replaceAll(escapesOf, (escape) => (escape === "\\u" ? "\\\\u" : escape));
  }

  #takeSign(sign: string): void {
    const isInside = this.#open.length > 0;
    if (isInside && !this.#mayFollowText(sign)) this.#isBad = true;
    const isPlace = sign === '"' || /[[{,:]/.test(this.#last);
    if (closings[sign] !== undefined && isInside && isPlace) {
      this.#closing = closings[sign];
      this.#keep(`"\uE000${this.#texts.length}\uE001"`);
      return;
    }
    this.#keep(sign);
    if (isInside && this.#last === "/" && (sign === "/" || sign === "*")) this.#comment = sign;
    else if (isInside && /[()=;<>]/.test(sign)) this.#isBad = true;
    else if (sign === "{" || sign === "[") this.#open.push(sign);
    else if (isInside && (sign === "}" || sign === "]")) this.#close(sign);
    if (sign.trim() !== "" || (sign === "\n" && this.#last === '"')) this.#last = sign;
  }

  /** Behind a text others come on lines of their own; what else would come there is its own, behind a quote inside of it. */
  #mayFollowText(sign: string): boolean {
    if (this.#last === '"') return /[\s,:}\]/+]/.test(sign);
    return this.#last !== "\n" || /[\s,:}\]/+"'`“]/.test(sign);
  }

  /** What does not fit together is the text that a quote inside of it has ended, as are signs of code between texts. */
  #close(sign: "}" | "]"): void {
    if (this.#open.pop() !== (sign === "}" ? "{" : "[")) this.#isBad = true;
    if (this.#open.length === 0) this.#isOver = true;
  }

  #takeComment(sign: string): void {
    this.#keep(sign);
    const isOver = this.#comment === "/" ? sign === "\n" : this.#comment === "end" && sign === "/";
    if (isOver) [this.#comment, this.#last] = [undefined, ","];
    else if (this.#comment !== "/") this.#comment = sign === "*" ? "end" : "*";
  }

  #takeText(sign: string, closing: string): void {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.#text += escaped(sign);
    } else if (sign === "\\") this.#isEscaped = true;
    else if (sign === closing) {
      this.#texts.push(this.#text);
      [this.#text, this.#closing, this.#last] = ["", undefined, '"'];
    } else this.#text += inText(sign);
  }

  #keep(text: string): void {
    if (!this.#isOver) this.#frame += text;
  }
}

/** A backslash before any other sign is meant itself: it is what models leave of `\\d`. */
function escaped(sign: string): string {
  if (/["\\/bfnrtu]/.test(sign)) return `\\${sign}`;
  return /['`]/.test(sign) ? sign : `\\\\${inText(sign)}`;
}

function inText(sign: string): string {
  if (sign === '"') return '\\"';
  const code = sign.charCodeAt(0);
  return code >= 32 ? sign : (escapes[sign] ?? `\\u${code.toString(16).padStart(4, "0")}`);
}

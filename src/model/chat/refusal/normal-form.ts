// One form for a text and for every text that quotes it: escaped, in other letters, on one line.
import { foldCode, gapCode, isGap } from "./fold-code.ts";

const backslash = 0x5c;
const ampersand = 0x26;
/** What follows an ampersand: of what was escaped several times, all. */
const entity = /(?:amp;)*(?:(?:(lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));)?/iy;
const entityCodes: Readonly<Record<string, number>> = {
  lt: 0x3c,
  gt: 0x3e,
  quot: 0x22,
  apos: 0x27,
  nbsp: gapCode,
};

/**
 * Reads a text character by character: without backslashes, with escapes and entities as what they mean,
 * each run of gaps as one space, letters in one case, quotation marks as one. A backslash with a letter means
 * the same however many backslashes there are, so that a text and its escaped form read alike.
 */
export class NormalForm {
  /** Where the character that was read last begins, and where it ends. */
  from = 0;
  at = 0;
  readonly #text: string;
  #wasGap = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character's code; -1 at the end. */
  next(): number {
    while (this.at < this.#text.length) {
      this.from = this.at;
      const first = this.#text.charCodeAt(this.at);
      let code: number;
      if (first === backslash || first === ampersand) code = this.#readEscaped();
      else {
        this.at += 1;
        code = foldCode(first);
      }
      const isSpace = code === gapCode;
      if (code === -1 || (isSpace && this.#wasGap)) continue;
      this.#wasGap = isSpace;
      return code;
    }
    return -1;
  }

  /** -1 where only backslashes are left. */
  #readEscaped(): number {
    let isEscaped = false;
    while (this.at < this.#text.length) {
      let code = this.#text.charCodeAt(this.at);
      this.at += 1;
      if (isEscaped) {
        const meant = this.#readMeant(code);
        if (isGap(meant)) return gapCode;
        code = meant;
      }
      if (code === ampersand) code = this.#readEntity();
      if (code !== backslash) return foldCode(code);
      isEscaped = true;
    }
    return -1;
  }

  /** What a character means behind a backslash. */
  #readMeant(code: number): number {
    switch (code | 0x20) {
      // b, f, n, r, t, v
      case 0x62:
      case 0x66:
      case 0x6e:
      case 0x72:
      case 0x74:
      case 0x76:
        return gapCode;
      case 0x75:
        return this.#readDigits(4) ?? code;
      case 0x78:
        return this.#readDigits(2) ?? code;
      default:
        return code;
    }
  }

  #readDigits(count: number): number | undefined {
    const digits = this.#text.slice(this.at, this.at + count);
    if (digits.length < count || /[^\da-f]/i.test(digits)) return undefined;
    this.at += count;
    return Number.parseInt(digits, 16);
  }

  /** Behind an ampersand. */
  #readEntity(): number {
    entity.lastIndex = this.at;
    const [whole = "", name, decimal, hexadecimal] = entity.exec(this.#text) ?? [];
    this.at += whole.length;
    if (name !== undefined) return entityCodes[name.toLowerCase()] ?? ampersand;
    if (decimal !== undefined) return Number(decimal) & 0xffff;
    return hexadecimal === undefined ? ampersand : Number.parseInt(hexadecimal, 16) & 0xffff;
  }
}

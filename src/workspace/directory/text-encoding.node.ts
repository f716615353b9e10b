// Bytes of a text file and back, without loss.
import iconv from "iconv-lite";
import { guessEncoding, type LegacyEncoding } from "./guess-encoding.ts";

type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | LegacyEncoding;

export interface EncodingOfText {
  encoding: TextEncoding;
  /** The text begins with a byte order mark. */
  bom: boolean;
}

export interface DecodedText extends EncodingOfText {
  /** Without the byte order mark. */
  text: string;
}

export type EncodedText =
  | { ok: true; bytes: Uint8Array<ArrayBuffer> }
  /** The first character that the encoding lacks; undefined where the text would be read as another one. */
  | { ok: false; character: string | undefined };

const marks: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * By the byte order mark; else UTF-8 where the bytes are that, UTF-16 where NULs say so, and at last the one old
 * encoding in which they are text of its language.
 *
 * @param bytes of a text, or its beginning
 * @returns UTF-8 where nothing else is sure
 */
export function detectEncoding(bytes: Uint8Array): EncodingOfText {
  const marked = marks.find(([, mark]) => mark.every((byte, nth) => bytes[nth] === byte));
  if (marked !== undefined) return { encoding: marked[0], bom: true };
  const encoding = isUtf8(bytes) ? undefined : guessEncoding(bytes);
  return { encoding: encoding ?? "utf-8", bom: false };
}

/** @returns undefined if the bytes are not text, or we do not know the encoding for sure */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const found = detectEncoding(bytes);
  if (found.encoding === "utf-8" && bytes.includes(0)) return undefined;
  try {
    // The decoder takes away the mark of its own encoding.
    const text = new TextDecoder(found.encoding, { fatal: true }).decode(bytes);
    if (text.includes("\0")) return undefined;
    const isLegacy = found.encoding !== "utf-8" && !found.bom;
    return isLegacy && !isSame(encodeBytes(text, found), bytes) ? undefined : { ...found, text };
  } catch {
    return undefined;
  }
}

/** @param text well-formed */
export function encodeText(text: string, found: EncodingOfText): EncodedText {
  const bytes = encodeBytes(text, found);
  if (found.encoding === "utf-8" || found.bom) return { ok: true, bytes };
  if (decodeText(bytes)?.text === text) return { ok: true, bytes };
  const decoder = new TextDecoder(found.encoding);
  for (const character of text)
    if (decoder.decode(encodeBytes(character, found)) !== character)
      return { ok: false, character };
  return { ok: false, character: undefined };
}

function encodeBytes(text: string, { encoding, bom }: EncodingOfText): Uint8Array<ArrayBuffer> {
  const marked = bom && !text.startsWith("\ufeff") ? `\ufeff${text}` : text;
  if (encoding === "utf-8") return new TextEncoder().encode(marked);
  return new Uint8Array(iconv.encode(marked, encoding, { addBOM: false }));
}

function isUtf8(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

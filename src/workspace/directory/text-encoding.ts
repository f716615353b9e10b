// Bytes of a text file and back, without loss.

type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

export interface EncodingOfText {
  encoding: TextEncoding;
  /** The text begins with a byte order mark. */
  bom: boolean;
}

export interface DecodedText extends EncodingOfText {
  /** Without the byte order mark. */
  text: string;
}

const marks: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** By the byte order mark; a text without one is UTF-8. */
export function detectEncoding(bytes: Uint8Array): EncodingOfText {
  const found = marks.find(([, mark]) => mark.every((byte, nth) => bytes[nth] === byte));
  return { encoding: found?.[0] ?? "utf-8", bom: found !== undefined };
}

/** @returns undefined if the bytes are not text: they contain a NUL, or we do not know the encoding */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const found = detectEncoding(bytes);
  if (found.encoding === "utf-8" && bytes.includes(0)) return undefined;
  try {
    // The decoder takes away the mark of its own encoding.
    const text = new TextDecoder(found.encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : { ...found, text };
  } catch {
    return undefined;
  }
}

/** @param text well-formed */
export function encodeText(
  text: string,
  { encoding, bom }: EncodingOfText,
): Uint8Array<ArrayBuffer> {
  const marked = bom && !text.startsWith("\ufeff") ? `\ufeff${text}` : text;
  if (encoding === "utf-8") return new TextEncoder().encode(marked);
  const bytes = new Uint8Array(marked.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < marked.length; at += 1)
    view.setUint16(at * 2, marked.charCodeAt(at), encoding === "utf-16le");
  return bytes;
}

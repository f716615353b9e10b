import * as base64url from "jose/base64url";

/** Pieces; after so many, those are joined that are smaller than `small` on the whole. */
const maxLoose = 512;
/** In bytes. */
const small = 1_024;

/**
 * Bytes that come piece by piece and are needed as a whole. However small the pieces are, each byte is
 * copied at most twice and little is kept for each of them: a peer that sends one byte at a time costs
 * no more than one that sends all at once.
 */
export class BytePieces {
  /** Of all pieces together. */
  byteLength = 0;
  #pieces: Uint8Array[] = [];
  /** Where the pieces begin that may still be joined, and how many bytes those before them hold. */
  #looseFrom = 0;
  #settledBytes = 0;

  /** The last byte that came; undefined if there is none. */
  get last(): number | undefined {
    return this.#pieces.at(-1)?.at(-1);
  }

  /** @param piece must not be changed any more */
  add(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.byteLength += piece.byteLength;
    if (this.#pieces.push(piece) - this.#looseFrom >= maxLoose) this.#joinLoose();
  }

  /** All that has come, and begins anew. A single piece is handed on without a copy. */
  take(): Uint8Array {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.byteLength = 0;
    this.#looseFrom = 0;
    this.#settledBytes = 0;
    return joinBytes(pieces);
  }

  #joinLoose(): void {
    if (this.byteLength - this.#settledBytes < maxLoose * small)
      this.#pieces.push(joinBytes(this.#pieces.splice(this.#looseFrom)));
    this.#looseFrom = this.#pieces.length;
    this.#settledBytes = this.byteLength;
  }
}

/** Joins chunks in order; a single chunk is handed on without a copy. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  let size = 0;
  for (const chunk of chunks) size += chunk.byteLength;
  const joined = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}

const encoder = new TextEncoder();
/** Longer texts are left to the encoder as it is; in characters. */
const maxLength = 256 * 1_024;
/** The most bytes that UTF-8 needs for a code unit. */
const bytesPerUnit = 3;
/** Most of it is never touched. */
const scratch = new Uint8Array(maxLength * bytesPerUnit);

/**
 * The UTF-8 of a text. An encoder that allocates measures the text first, which takes as long as to encode it:
 * to encode into a place that is large enough, and to copy that, takes half of the time.
 */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > maxLength) return encoder.encode(text);
  return scratch.slice(0, encoder.encodeInto(text, scratch).written);
}

/** Undefined where a text is no base64, of either alphabet. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(base64url.decode(text.replaceAll("+", "-").replaceAll("/", "_")));
  } catch {
    return undefined;
  }
}

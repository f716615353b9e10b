import { joinBytes } from "./join-bytes.ts";

/** So many pieces are kept as they came; smaller ones than this that come later are gathered in blocks. */
const mostKept = 16;
const small = 1_024;
const blockSize = 16 * 1_024;

/**
 * Bytes that come piece by piece and are needed as a whole. However small the pieces are, each byte is
 * copied at most three times and nothing is kept for each of them: a peer that sends one byte at a time costs
 * no more than one that sends all at once.
 */
export class BytePieces {
  /** Of all pieces together. */
  byteLength = 0;
  /** The last byte that came; undefined if there is none. */
  last: number | undefined;
  #pieces: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  /** Bytes of the block that are filled. */
  #filled = 0;

  /** @param piece must not be changed any more */
  add(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.byteLength += piece.byteLength;
    this.last = piece[piece.byteLength - 1];
    if (piece.byteLength >= small || this.#pieces.length < mostKept) {
      this.#closeBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#block !== undefined && this.#filled + piece.byteLength > this.#block.byteLength)
      this.#closeBlock();
    this.#block ??= new Uint8Array(blockSize);
    this.#block.set(piece, this.#filled);
    this.#filled += piece.byteLength;
  }

  /** All that has come, and begins anew. A single piece is handed on without a copy. */
  take(): Uint8Array {
    this.#closeBlock();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.byteLength = 0;
    this.last = undefined;
    return joinBytes(pieces);
  }

  #closeBlock(): void {
    if (this.#block === undefined) return;
    // A block of few bytes would hold its room for as long as the whole.
    const isFull = this.#filled * 2 > this.#block.byteLength;
    this.#pieces.push(
      isFull ? this.#block.subarray(0, this.#filled) : this.#block.slice(0, this.#filled),
    );
    this.#block = undefined;
    this.#filled = 0;
  }
}

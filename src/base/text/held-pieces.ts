/** The pieces of a line that is not complete. */
export class HeldPieces {
  #pieces: string[] = [];
  #length = 0;

  /** Characters. */
  get length(): number {
    return this.#length;
  }

  /** What was held so far; it stays. */
  get text(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join("")];
    return this.#pieces[0] ?? "";
  }

  add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** What was held, and no longer is. */
  release(): string {
    const { text } = this;
    this.#pieces = [];
    this.#length = 0;
    return text;
  }
}

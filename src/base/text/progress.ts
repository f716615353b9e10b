// The loops of readers of text from outside. No text can keep one for ever: each step goes on by a sign, or is the last.

/**
 * Repeats a step until it says that it was the last.
 *
 * @param place where the reader is; it grows with every step
 * @throws Error where a step stays where it is and does not say that it was the last
 */
export function advance(place: () => number, step: () => boolean): void {
  for (let at = place(); step();) {
    const next = place();
    if (!(next > at)) throw stuck();
    at = next;
  }
}

/** Gives a reader the pieces of a text, mostly lines, and those again that it puts back. */
export class PieceLoop {
  readonly #take: (piece: string) => readonly string[] | undefined;
  /** To be read next, the last one first. */
  readonly #left: string[] = [];
  /** Characters that the reader took since it last put back anything, or nothing. */
  #taken = 0;

  /**
   * @param take takes a piece. Returns what of it, and of those that it holds, is to be read anew, in its order: fewer
   * characters than these have; undefined where it holds the piece
   */
  constructor(take: (piece: string) => readonly string[] | undefined) {
    this.#take = take;
  }

  /**
   * Reads a piece, and all that is put back.
   *
   * @throws Error where that is no less than the reader took
   */
  read(piece: string): void {
    this.#left.push(piece);
    while (this.#readNext());
  }

  /**
   * Reads what the reader still holds as it leaves it, until it holds nothing.
   *
   * @param release returns what is to be read anew, as `take` does; undefined where nothing is held
   * @throws Error as `read` does
   */
  end(release: () => readonly string[] | undefined): void {
    for (let left = release(); left !== undefined; left = release()) {
      if (this.#taken === 0) throw stuck();
      this.#putBack(left);
      while (this.#readNext());
    }
  }

  #readNext(): boolean {
    const piece = this.#left.pop();
    if (piece === undefined) return false;
    this.#taken += piece.length;
    const left = this.#take(piece);
    if (left !== undefined) this.#putBack(left);
    return true;
  }

  #putBack(pieces: readonly string[]): void {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (length > 0 && length >= this.#taken) throw stuck();
    this.#taken = 0;
    for (const piece of pieces.toReversed()) if (piece !== "") this.#left.push(piece);
  }
}

function stuck(): Error {
  return new Error("A reader of text does not go on.");
}

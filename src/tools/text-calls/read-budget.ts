/** A call is inside of few other tags. */
const deepest = 12;
/** In characters: what one call may be read through, all its readings together. */
const most = 4_000_000;
/** In characters: what a reading costs besides. */
const each = 100;

/** Bounds the reading of one call: a tag is read once more for each end that it may have, and so are those inside. */
export class ReadBudget {
  #left = most;
  #depth = 0;

  /** @returns undefined also where the call is too deep, or was read too often */
  run<Value>(length: number, read: () => Value | undefined): Value | undefined {
    this.#left -= length + each;
    if (this.#left < 0 || this.#depth >= deepest) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }
}

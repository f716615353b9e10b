/** Keeps the last bytes of a stream. */
export class TailBuffer {
  readonly #most: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #isCut = false;

  /** @param most bytes that are kept */
  constructor(most: number) {
    this.#most = most;
  }

  add(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#size += bytes.length;
    // Joined now and then only: a stream of single lines must not be copied for each.
    if (this.#size > 2 * this.#most) this.#cut();
  }

  /** The end of what came; "…" in front of it if something was left out. */
  get text(): string {
    this.#cut();
    const text = Buffer.concat(this.#chunks).toString("utf8");
    return this.#isCut ? `…${text}` : text;
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks);
    if (all.length <= this.#most) return;
    this.#isCut = true;
    let start = all.length - this.#most;
    // Not in the middle of a character.
    while (start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start += 1;
    this.#chunks = [all.subarray(start)];
    this.#size = all.length - start;
  }
}

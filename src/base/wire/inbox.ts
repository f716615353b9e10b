/**
 * The texts of a connection that wait for their reader, who gets one a turn of the event loop: who sends
 * thousands at once keeps nobody else from theirs.
 */
export class Inbox {
  readonly #nextTurn: () => Promise<void>;
  readonly #onTaken: (text: string) => void;
  #texts: string[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;

  /**
   * @param nextTurn resolves in a later turn of the event loop
   * @param onTaken is told of each text before its reader gets it
   */
  constructor(nextTurn: () => Promise<void>, onTaken: (text: string) => void) {
    this.#nextTurn = nextTurn;
    this.#onTaken = onTaken;
  }

  get length(): number {
    return this.#texts.length;
  }

  push(text: string): void {
    this.#texts.push(text);
    this.#wake?.();
  }

  /** The connection is over; what waits is dropped. */
  finish(): void {
    this.#isOver = true;
    this.#texts = [];
    this.#wake?.();
  }

  async *read(): AsyncGenerator<string, void, void> {
    while (!this.#isOver) {
      const text = this.#texts.shift();
      if (text === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else {
        this.#onTaken(text);
        yield text;
        await this.#nextTurn();
      }
    }
  }
}

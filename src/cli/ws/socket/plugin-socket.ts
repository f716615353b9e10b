/** The plugin's end of a connection: to a server, or to the app in this process. */
export interface PluginSocket {
  /** The texts that come, in their order; it ends when the connection is over and all were taken. */
  receive: AsyncGenerator<string, void, void>;
  send(text: string): void;
  /** How the other side closed it, once it did. */
  readonly closed: { code: number; reason: string } | undefined;
  /** Ends the connection, and resolves when it is over. */
  close(): Promise<void>;
}

/** Texts that wait to be taken by one reader. */
export class Inbox {
  readonly #texts: string[] = [];
  #isOver = false;
  #wake: (() => void) | undefined;

  get length(): number {
    return this.#texts.length;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  push(text: string): void {
    if (this.#isOver) return;
    this.#texts.push(text);
    this.#wake?.();
  }

  /** No more will come. */
  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  /** @param onTaken is told of each text that leaves */
  async *receive(onTaken: () => void): AsyncGenerator<string, void, void> {
    for (;;) {
      const text = this.#texts.shift();
      if (text !== undefined) {
        onTaken();
        yield text;
      } else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

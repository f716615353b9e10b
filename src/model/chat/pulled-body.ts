import type { BodyReader, PushedBody, UpstreamBody } from "./upstream.ts";

/** The body as one that pushes, whatever it is. */
export function toPushed(body: UpstreamBody): PushedBody {
  return "pipe" in body ? body : new PulledBody(body);
}

/** Reads a body in a loop, at the speed of the reader. */
class PulledBody implements PushedBody {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #hasLeft = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#pieces = body[Symbol.asyncIterator]();
  }

  pipe(reader: BodyReader): void {
    void this.#read(reader);
  }

  leave(): void {
    this.#hasLeft = true;
    this.#pieces.return?.().catch(() => undefined);
  }

  async #read(reader: BodyReader): Promise<void> {
    try {
      while (!this.#hasLeft) {
        const { done, value } = await this.#pieces.next();
        if (this.#hasLeft) return;
        if (done === true) {
          reader.end();
          return;
        }
        const drained = reader.push(value);
        if (drained !== undefined) await drained;
      }
    } catch (broken) {
      if (!this.#hasLeft) reader.end(broken);
    }
  }
}

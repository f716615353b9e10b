import { AppError } from "../../../base/errors/app-error.ts";
import { type Frame, FrameTooLarge, createFrameReader } from "../../../base/wire/frame-reader.ts";

/** Reads bytes of a stream as the HTML standard has it: any line end, comments, a byte-order mark. */
export class LenientFrames {
  readonly #maxEvent: number;
  readonly #reader;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  /** Bytes since the last frame. */
  #pending = 0;

  /** @param maxEvent in bytes */
  constructor(maxEvent: number) {
    this.#maxEvent = maxEvent;
    this.#reader = createFrameReader(maxEvent);
  }

  /**
   * @returns the frames that these bytes complete
   * @throws AppError `upstream_invalid`: no UTF-8, or an event that is too large
   */
  push(bytes: Uint8Array): Frame[] {
    const text = decodeStrictly(() => this.#decoder.decode(bytes, { stream: true }));
    try {
      const frames = this.#reader.feed(text);
      // The parser skips lines of no use without counting them.
      this.#pending = frames.length > 0 ? 0 : this.#pending + bytes.byteLength;
      if (this.#pending > this.#maxEvent) throw eventTooLarge();
      return frames;
    } catch (thrown) {
      if (thrown instanceof FrameTooLarge) throw eventTooLarge();
      throw thrown;
    }
  }

  /**
   * @returns what an unterminated last frame holds
   * @throws AppError `upstream_invalid` when the bytes end in the middle of a character
   */
  finish(): Frame[] {
    decodeStrictly(() => this.#decoder.decode());
    return this.#reader.finish();
  }
}

/** @throws AppError `upstream_invalid` where `decode` throws */
export function decodeStrictly(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new AppError(
      "upstream_invalid",
      { en: "The model's answer is not valid UTF-8.", zh: "模型的回答不是有效的 UTF-8。" },
      { cause },
    );
  }
}

export function eventTooLarge(): AppError {
  return new AppError("upstream_invalid", {
    en: "The model sent an event that is larger than allowed.",
    zh: "模型发送的事件超过允许的大小。",
  });
}

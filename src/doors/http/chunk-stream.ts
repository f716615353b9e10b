import { type FinishReason, printChunk } from "../../model/chat/chat-chunk.ts";
import { readDeltas } from "../../model/chat/answer/upstream-chunk.ts";
import type { ChunkHead } from "../../turn/turn-event.ts";
import { encodeFrame } from "../../base/wire/sse-frame.ts";

/** Writes one answer as OpenAI chunks under one id: the model's own if its frames come first, else ours. */
export class ChunkStream {
  readonly #own: ChunkHead;
  #head: ChunkHead | undefined;

  constructor(own: ChunkHead) {
    this.#own = own;
  }

  /** What all chunks of the answer share. */
  get head(): ChunkHead {
    return this.#head ?? this.#own;
  }

  /** @param more fields of the chunk that other clients pass over */
  delta(delta: Record<string, unknown>, more?: { rightseat: object }): string {
    const role = this.#head === undefined ? { role: "assistant" } : {};
    this.#head ??= this.#own;
    return encodeFrame(printChunk(this.#head, { ...role, ...delta }, null, more));
  }

  /** Passes a model's frames on as they are, unless the answer has begun under another id. */
  frames(bytes: Uint8Array, theirs: ChunkHead): string | Uint8Array {
    const head = (this.#head ??= theirs);
    if (head.id === theirs.id) return bytes;
    const frames = readDeltas(bytes).map((delta) => encodeFrame(printChunk(head, delta)));
    return frames.join("");
  }

  end(reason: FinishReason): string {
    return encodeFrame(printChunk(this.head, {}, reason));
  }
}

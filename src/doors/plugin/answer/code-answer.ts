import { readDeltas } from "../../../model/chat/answer/upstream-chunk.ts";
import type { PlainEvent } from "../../../turn/turn-event.ts";
import type { Answer } from "./answer.ts";
import { FenceRemover } from "./without-fences.ts";

/**
 * Passes on the steps and words of work on files, line by line. Diffs and code come as indented blocks: a plugin
 * applies the changes that the last frame lists, and no text of the answer. Actions are left out.
 */
export class CodeAnswer implements Answer {
  readonly #lines = new FenceRemover();

  take(event: PlainEvent): string {
    if (event.type === "text-delta") return this.#lines.push(event.text);
    if (event.type !== "upstream-frames") return "";
    const deltas = readDeltas(event.bytes).map(({ content }) => content ?? "");
    return this.#lines.push(deltas.join(""));
  }

  end(): string {
    return this.#lines.end();
  }
}

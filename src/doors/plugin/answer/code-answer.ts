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
    return event.type === "text-delta" ? this.#lines.push(event.text) : "";
  }

  end(): string {
    return this.#lines.end();
  }
}

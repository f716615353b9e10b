import { ReasoningSplitter, type SplitPiece } from "../base/text/reasoning.ts";
import type { ModelEvent } from "./turn-event.ts";

/** What a piece of an answer is to a person. */
export type SpokenEvent = Extract<ModelEvent, { type: "text-delta" | "reasoning-delta" }>;

/**
 * Takes what a model thinks aloud at the beginning of its answer (`<think>` and the like) out of its text, for
 * answers that are passed on as they come: once the answer itself has begun, nothing is looked at any more.
 */
export class LeadingReasoning {
  #splitter: ReasoningSplitter | undefined = new ReasoningSplitter();

  /** The answer itself has begun: its text goes as it is. */
  get isOver(): boolean {
    return this.#splitter === undefined;
  }

  /** What of the text is known to be text or reasoning by now; what may become a tag is held back. */
  push(text: string): SpokenEvent[] {
    if (this.#splitter === undefined) return [{ type: "text-delta", text }];
    const events = toEvents(this.#splitter.push(text));
    const hasBegun = events.some(
      (event) => event.type === "text-delta" && event.text.trim() !== "",
    );
    return hasBegun ? joinText(events, this.end()) : events;
  }

  /** What was held back, at the end of the answer. */
  end(): SpokenEvent[] {
    const events = toEvents(this.#splitter?.end() ?? []);
    this.#splitter = undefined;
    return events;
  }
}

/** Text that was passed on cannot be called back: a tag that closes what was never opened says nothing. */
function toEvents(pieces: readonly SplitPiece[]): SpokenEvent[] {
  return pieces.flatMap((piece): SpokenEvent[] => {
    if (piece.type === "text-was-reasoning") return [];
    return [{ type: piece.type === "text" ? "text-delta" : "reasoning-delta", text: piece.text }];
  });
}

/** What comes in one piece goes as one. */
function joinText(events: SpokenEvent[], more: readonly SpokenEvent[]): SpokenEvent[] {
  const last = events.at(-1);
  const [next] = more;
  if (last?.type !== next?.type || last === undefined || next === undefined) {
    return [...events, ...more];
  }
  return [...events.slice(0, -1), { ...last, text: last.text + next.text }, ...more.slice(1)];
}

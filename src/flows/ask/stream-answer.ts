import type { ChatRequest } from "../../turn/chat-model.ts";
import type { Turn } from "../../turn/turn.ts";
import type { EndReason, TurnEvent } from "../../turn/turn-event.ts";

/** A model's answer, and why it ended. */
export interface Answer {
  /** As the model wrote it, without what it thought aloud. */
  raw: string;
  reason: EndReason;
}

/** Asks the model and passes its answer on as it comes, for flows that look at the whole of it afterwards. */
export function passAnswer(
  turn: Turn,
  request: ChatRequest,
): AsyncGenerator<TurnEvent, Answer, void> {
  return streamAnswer(turn, request, (text) => [{ type: "text-delta", text }]);
}

/**
 * Asks the model for an answer that a flow reads itself. Everything but text is passed on as it comes.
 *
 * @param read takes each piece of the text, and all that has come with it, and says what the person sees of it
 */
export async function* streamAnswer(
  turn: Turn,
  request: ChatRequest,
  read: (text: string, raw: string) => AsyncIterable<TurnEvent> | Iterable<TurnEvent>,
): AsyncGenerator<TurnEvent, Answer, void> {
  const { model, signal, caller } = turn;
  const events = model.stream(request, { signal, caller });
  let raw = "";
  try {
    for (;;) {
      const next = await events.next();
      if (next.done === true) return { raw, reason: next.value };
      if (next.value.type === "text-delta") {
        raw += next.value.text;
        yield* read(next.value.text, raw);
        continue;
      }
      // It may have been shown already; nothing of it counts.
      if (next.value.type === "text-was-reasoning") raw = "";
      yield next.value;
    }
  } finally {
    await events.return("aborted");
  }
}

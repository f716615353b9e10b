import { EditReader } from "../edit/edit-reader.ts";
import type { FileEdit } from "../edit/file-edit.ts";
import type { ChatRequest } from "../turn/chat-model.ts";
import type { Turn } from "../turn/turn.ts";
import type { EndReason, TurnEvent } from "../turn/turn-event.ts";

/** A model's answer, taken apart. */
export interface EditAnswer {
  /** As the model wrote it. */
  raw: string;
  /** Without the edits: what the person has seen. */
  text: string;
  files: FileEdit[];
  reason: EndReason;
}

/**
 * Asks the model and passes the text of its answer on as it comes, without the edits; those are collected.
 *
 * @param isShown false: nothing of the text is passed on
 */
export async function* streamEdits(
  turn: Turn,
  request: ChatRequest,
  isShown = true,
): AsyncGenerator<TurnEvent, EditAnswer, void> {
  const reader = new EditReader();
  let raw = "";
  let text = "";
  const show = function* (events: ReturnType<EditReader["push"]>): Generator<TurnEvent> {
    for (const event of events) {
      if (event.type !== "text") continue;
      text += event.text;
      if (isShown) yield { type: "text-delta", text: event.text };
    }
  };
  const events = turn.model.stream(request, {
    signal: turn.signal,
    caller: turn.caller,
    as: "deltas",
  });
  let reason: EndReason = "stop";
  try {
    for (;;) {
      const next = await events.next();
      if (next.done === true) {
        reason = next.value;
        break;
      }
      const event = next.value;
      if (event.type !== "text-delta") {
        yield event;
        continue;
      }
      raw += event.text;
      yield* show(reader.push(event.text));
    }
  } finally {
    await events.return("aborted");
  }
  yield* show(reader.end());
  return { raw, text, files: reader.files, reason };
}

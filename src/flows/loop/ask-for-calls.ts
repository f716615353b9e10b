import type { ChatRequest } from "../../turn/chat-model.ts";
import type { ToolCall } from "../../turn/tool-call.ts";
import type { Turn } from "../../turn/turn.ts";
import { addUsage, type EndReason, type TurnEvent, type Usage } from "../../turn/turn-event.ts";
import type { Page } from "../edit/page.ts";
import { streamAnswer } from "../ask/stream-answer.ts";

/** Takes calls out of a text that comes in pieces. */
export interface CallReader {
  /** @returns what is certainly no part of a call */
  push(text: string): string;
  /** @param isWhole the answer was not cut; a call in one that was is none */
  end(isWhole: boolean): { text: string; calls: readonly ToolCall[] };
}

/** An answer of the model. */
export interface CallAnswer {
  /** All of its text, calls that stand in it included. */
  raw: string;
  reason: EndReason;
  calls: readonly ToolCall[];
  usage: Usage | undefined;
}

/**
 * Asks the model, passes its words on as they come, and keeps its calls back. Calls in its text count where it
 * has made no others: some models write them down though they were offered the tools.
 */
export async function* askForCalls(
  turn: Turn,
  request: ChatRequest,
  reader: CallReader,
  page: Page,
): AsyncGenerator<TurnEvent, CallAnswer, void> {
  const made: ToolCall[] = [];
  let usage: Usage | undefined;
  const answer = streamAnswer(turn, request, (text) => page.write(reader.push(text)));
  for (;;) {
    const next = await answer.next();
    if (next.done === true) {
      const { raw, reason } = next.value;
      const { text, calls } = reader.end(reason === "stop" || reason === "tool_calls");
      yield* page.write(text);
      return { raw, reason, calls: made.length > 0 ? made : calls, usage };
    }
    const event = next.value;
    if (event.type === "tool-call") made.push(event.call);
    else {
      if (event.type === "usage") usage = addUsage(usage, event.usage);
      yield event;
    }
  }
}

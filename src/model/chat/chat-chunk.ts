import type { ChunkHead, EndReason, Usage } from "../../turn/turn-event.ts";

/** What our own chunks may carry as their finish reason; `error` is the known extension of many servers. */
export type FinishReason = Exclude<EndReason, "aborted"> | null;

/** Prints one chunk as the OpenAI API spells it, with one choice. */
export function printChunk(
  head: ChunkHead,
  delta: Record<string, unknown>,
  finishReason: FinishReason = null,
  more: { usage?: Usage; error?: object; rightseat?: object } = {},
): string {
  const fixed = {
    id: head.id,
    object: "chat.completion.chunk",
    created: head.created,
    model: head.model,
  };
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
  return JSON.stringify({ ...fixed, choices, ...more });
}

const endReasons = new Map<string, EndReason>([
  ["length", "length"],
  ["content_filter", "content_filter"],
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["error", "error"],
  ["abort", "error"],
]);

/** Servers invent finish reasons (`eos`, `end_turn`); what names no special end is a stop. */
export function toEndReason(finishReason: string): EndReason {
  return endReasons.get(finishReason) ?? "stop";
}

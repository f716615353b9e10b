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
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
  return print("chat.completion.chunk", head, { choices, ...more });
}

function print(object: string, { id, created, model }: ChunkHead, more: object): string {
  return JSON.stringify({ id, object, created, model, ...more });
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

/** How an answer that did not fail may end for clients of the OpenAI API. */
type CompletionReason = "stop" | "length" | "content_filter";

/** No call of a tool ever reaches such a client, so that none may be waited for. */
export function toCompletionReason(reason: EndReason): CompletionReason {
  return reason === "length" || reason === "content_filter" ? reason : "stop";
}

/** Prints a whole answer as the OpenAI API spells it, with one choice. */
export function printCompletion(
  head: ChunkHead,
  { text, reasoning }: { text: string; reasoning: string },
  finishReason: CompletionReason,
  usage?: Usage,
): string {
  const message = {
    role: "assistant" as const,
    content: text,
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
  };
  return print("chat.completion", head, {
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    ...(usage === undefined ? {} : { usage }),
  });
}

/** Prints the chunk without choices that tells the tokens, after the last one (`stream_options.include_usage`). */
export function printUsageChunk(head: ChunkHead, usage: Usage): string {
  return print("chat.completion.chunk", head, { choices: [], usage });
}

import type { ChunkHead, EndReason, Usage } from "../../turn/turn-event.ts";

/** How an answer that did not fail may end for clients of the OpenAI API. */
export type CompletionReason = "stop" | "length" | "content_filter";

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
  const completion = {
    id: head.id,
    object: "chat.completion",
    created: head.created,
    model: head.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    ...(usage === undefined ? {} : { usage }),
  };
  return JSON.stringify(completion);
}

/** Prints the chunk without choices that tells the tokens, after the last one (`stream_options.include_usage`). */
export function printUsageChunk(head: ChunkHead, usage: Usage): string {
  const chunk = {
    id: head.id,
    object: "chat.completion.chunk",
    created: head.created,
    model: head.model,
    choices: [],
    usage,
  };
  return JSON.stringify(chunk);
}

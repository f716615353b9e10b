// Imported as rightseat/testing: a model for the tests of those who build on Rightseat.
import { AppError } from "./base/errors/app-error.ts";
import type { ChatModel, ChatRequest, StreamOptions } from "./turn/chat-model.ts";
import type { EndReason, ModelEvent } from "./turn/turn-event.ts";

// The events of a flow of one's own, with the deltas of the model in the place of relays.
export { expandRelays } from "./turn/relay.ts";

/**
 * What one call of a scripted model does: texts become deltas, events go as they are (`tool-call`, too), errors
 * are thrown. `head` is what its server would call the answer, and itself.
 */
export type Script = readonly (
  | string
  | ModelEvent
  | Error
  | { end: EndReason }
  | { head: { id: string; model: string } }
)[];

export interface ScriptedModel extends ChatModel {
  /** Every request that the model got, in order. */
  readonly requests: readonly ChatRequest[];
}

/**
 * A model that follows a script, for tests: the n-th call plays the n-th script, and the last one
 * is repeated. A script that says nothing else ends with `tool_calls` if it has called a tool, else with `stop`.
 */
export function scriptedModel(
  scripts: readonly Script[],
  options: Partial<Pick<ChatModel, "name" | "contextWindow" | "answerReserve" | "toolCalls">> = {},
): ScriptedModel {
  const requests: ChatRequest[] = [];
  return {
    name: options.name ?? "scripted",
    contextWindow: options.contextWindow ?? 32_768,
    answerReserve: options.answerReserve ?? 4_096,
    ...(options.toolCalls === undefined ? {} : { toolCalls: options.toolCalls }),
    requests,
    async *stream(request: ChatRequest, { signal, onHead }: StreamOptions) {
      requests.push(request);
      let end: EndReason = "stop";
      for (const step of scripts[Math.min(requests.length, scripts.length) - 1] ?? []) {
        if (signal.aborted) throw signal.reason;
        if (step instanceof Error) throw step;
        if (typeof step === "object" && "end" in step) return step.end;
        if (typeof step === "object" && "head" in step) {
          onHead?.(step.head);
          continue;
        }
        if (typeof step === "object" && step.type === "tool-call") end = "tool_calls";
        yield typeof step === "string" ? { type: "text-delta", text: step } : step;
      }
      return end;
    },
  };
}

/** The error of a model that breaks off, for scripts. */
export function truncated(): AppError {
  return new AppError("upstream_truncated", {
    en: "The model's answer ended before it was complete.",
    zh: "模型的回答在完成之前结束。",
  });
}

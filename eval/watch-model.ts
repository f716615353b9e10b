import { textOfMessage } from "../src/turn/chat-message.ts";
import type { ChatModel } from "../src/turn/chat-model.ts";
import type { Usage } from "../src/turn/turn-event.ts";

/** What is known of one question to the model. */
export interface ModelCall {
  /** All text that the model wrote. */
  text: string;
  /** As the model reports it. */
  usage?: Usage;
}

export interface WatchedModel {
  model: ChatModel;
  /** In the order in which they began; they grow while the model answers. */
  calls: readonly ModelCall[];
  /** All text of each question, in their order. */
  prompts: readonly string[];
}

/** The model itself, with a note of each call. It answers in deltas only, whoever asks. */
export function watchModel(watched: ChatModel): WatchedModel {
  const calls: ModelCall[] = [];
  const prompts: string[] = [];
  const model: ChatModel = {
    name: watched.name,
    contextWindow: watched.contextWindow,
    answerReserve: watched.answerReserve,
    async *stream(request, options) {
      const call: ModelCall = { text: "" };
      prompts.push(request.messages.map(textOfMessage).join("\n\n"));
      calls.push(call);
      const events = watched.stream(request, options);
      try {
        for (;;) {
          const next = await events.next();
          if (next.done === true) return next.value;
          if (next.value.type === "text-delta") call.text += next.value.text;
          if (next.value.type === "usage") call.usage = next.value.usage;
          yield next.value;
        }
      } finally {
        await events.return("aborted");
      }
    },
  };
  return { model, calls, prompts };
}

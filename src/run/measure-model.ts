import type { ChatModel, ChatRequest, StreamOptions } from "../turn/chat-model.ts";
import type { EndReason, ModelEvent } from "../turn/turn-event.ts";
import type { TurnFigures } from "../turn/figures/turn-figures.ts";

/** The model with figures of each call: one with a relay keeps them itself, what others yield is looked at. */
export function measureModel(model: ChatModel, figures: TurnFigures): ChatModel {
  const { name, contextWindow, answerReserve } = model;
  const { isDeterministic = false, toolCalls = "tools" } = model;
  const stream = (request: ChatRequest, options: StreamOptions): ReturnType<ChatModel["stream"]> =>
    model.stream(request, { ...options, figures });
  // It may be an object of a class.
  const relay = model.relay?.bind(model);
  const facts: Required<Omit<ChatModel, "stream" | "relay">> = {
    name,
    contextWindow,
    answerReserve,
    isDeterministic,
    toolCalls,
  };
  return relay === undefined
    ? { ...facts, stream: (request, options) => measure(stream(request, options), figures) }
    : { ...facts, stream, relay: (request, options) => relay(request, { ...options, figures }) };
}

async function* measure(
  events: AsyncGenerator<ModelEvent, EndReason, void>,
  figures: TurnFigures,
): AsyncGenerator<ModelEvent, EndReason, void> {
  try {
    for (;;) {
      const next = await events.next();
      if (next.done === true) return next.value;
      figures.sawToken();
      if (next.value.type === "usage") figures.addUsage(next.value.usage);
      yield next.value;
    }
  } finally {
    await events.return("aborted");
  }
}

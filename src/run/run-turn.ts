import type { CommandTable } from "../flows/commands.ts";
import type { Services } from "../flows/flow.ts";
import type { Turn } from "../turn/turn.ts";
import type { EndReason, ModelEvent, Relay, TurnEvent } from "../turn/turn-event.ts";
import type { Admission } from "./admissions.ts";
import type { ChatModel, ChatRequest, StreamOptions } from "../turn/chat-model.ts";
import type { TurnFigures } from "../turn/figures/turn-figures.ts";
import { AppError } from "../base/errors/app-error.ts";
import { toAppError } from "../base/errors/to-app-error.ts";
import { splitReasoning } from "../turn/relay.ts";

/**
 * Runs the command of a turn; its events keep the contract of `settle`. When they are over, or whoever
 * reads them leaves, the admission ends. Nothing happens before the first event is asked for.
 */
export function runTurn(
  admission: Admission,
  turn: Turn,
  commands: CommandTable,
  services: Services,
): AsyncGenerator<TurnEvent, void, void> {
  const { figures } = admission;
  const flow = commands.resolve(turn);
  const measured = { ...turn, model: measureModel(turn.model, figures) };
  const focus = turn.given === undefined ? undefined : { facts: turn.given };
  return settle(flow(measured, services, focus), turn.signal, (failure, reason) => {
    figures.reason = reason;
    admission.end(turn, failure);
  });
}

/** The model with figures of each call: one with a relay keeps them itself, what others yield is looked at. */
function measureModel(model: ChatModel, figures: TurnFigures): ChatModel {
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
    ? {
        ...facts,
        stream: (request, options) => measure(splitReasoning(stream(request, options)), figures),
      }
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

/**
 * Sits once between flows and doors, and makes the contract of events true for whatever is
 * inside: nothing throws, a failure is one `turn-error`, and exactly one `turn-end` comes last.
 * A relay that is not over when the next event is asked for, or when the reader leaves, is cancelled.
 * An abort whose reason is an AppError (draining, say) is told as that error.
 *
 * @param onEnd is told once that it is over, whoever has ended it, of what it failed, and the reason of the
 * `turn-end` if that has come
 */
export async function* settle(
  events: AsyncIterable<TurnEvent>,
  signal: AbortSignal,
  onEnd?: (failure: AppError | undefined, reason: EndReason | undefined) => void,
): AsyncGenerator<TurnEvent, void, void> {
  let failure: AppError | undefined;
  let reason: EndReason | undefined;
  let relay: Relay | undefined;
  try {
    try {
      for await (const event of events) {
        if (signal.aborted) break;
        if (event.type === "turn-error") failure ??= event.error;
        reason = event.type === "turn-end" ? event.reason : undefined;
        relay = event.type === "relay" ? event.relay : undefined;
        yield event;
        relay?.cancel();
        if (reason !== undefined) return;
      }
      throw new AppError("internal", {
        en: "The command ended without an end.",
        zh: "指令没有正常结束。",
      });
    } catch (thrown) {
      // A source that fails to let go spoils nothing.
      if (reason !== undefined) return;
      relay?.cancel();
      const error = toAppError(signal.aborted ? signal.reason : thrown);
      const isTold = failure !== undefined;
      failure ??= error;
      if (!isTold) yield { type: "turn-error", error };
      reason = error.code === "aborted" ? "aborted" : "error";
      yield { type: "turn-end", reason };
    }
  } finally {
    relay?.cancel();
    // A reader that aborts the turn and leaves has been told nothing, and may have failed itself.
    if (signal.aborted) failure ??= toAppError(signal.reason);
    onEnd?.(failure, reason);
  }
}

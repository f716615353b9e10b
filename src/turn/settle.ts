import { AppError } from "../base/errors/app-error.ts";
import { toAppError } from "../base/errors/to-app-error.ts";
import type { EndReason, Relay, TurnEvent } from "./turn-event.ts";

/**
 * Stands once, between flows and doors, and makes the contract of events true for whatever is
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

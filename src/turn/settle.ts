import { AppError } from "../errors/app-error.ts";
import { toAppError } from "../errors/to-app-error.ts";
import type { TurnEvent } from "./turn-event.ts";

/**
 * Stands once, between flows and doors, and makes the contract of events true for whatever is
 * inside: nothing throws, a failure is one `turn-error`, and exactly one `turn-end` comes last.
 * An abort whose reason is an AppError (draining, say) is told as that error.
 */
export async function* settle(
  events: AsyncIterable<TurnEvent>,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void, void> {
  let hasFailed = false;
  let hasEnded = false;
  let thrown: unknown;
  try {
    for await (const event of events) {
      if (signal.aborted) break;
      hasFailed ||= event.type === "turn-error";
      hasEnded = event.type === "turn-end";
      yield event;
      if (hasEnded) break;
    }
    thrown = new AppError("internal", "The command ended without an end.");
  } catch (caught) {
    thrown = caught;
  }
  if (hasEnded) return;
  const error = toAppError(signal.aborted ? signal.reason : thrown);
  if (!hasFailed) yield { type: "turn-error", error };
  yield { type: "turn-end", reason: error.code === "aborted" ? "aborted" : "error" };
}

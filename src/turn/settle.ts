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
  try {
    for await (const event of events) {
      if (signal.aborted) break;
      yield event;
      if (event.type === "turn-end") return;
    }
    if (!signal.aborted) throw new AppError("internal", "The command ended without an end.");
    yield* failure(signal.reason);
  } catch (thrown) {
    yield* failure(signal.aborted ? signal.reason : thrown);
  }
}

function* failure(thrown: unknown): Generator<TurnEvent, void, void> {
  const error = toAppError(thrown);
  yield { type: "turn-error", error };
  yield { type: "turn-end", reason: error.code === "aborted" ? "aborted" : "error" };
}

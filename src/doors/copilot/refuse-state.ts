import type { AppError } from "../../base/errors/app-error.ts";
import { noRetry } from "../../base/errors/to-public-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { textsFor } from "../../flows/texts/texts.ts";
import { confirmAction } from "../../turn/action.ts";
import type { PlainEvent } from "../../turn/turn-event.ts";
import { eventStream } from "../http/stream-turn.ts";
import { createCopilotEncoder } from "./encode-event.ts";

/** A state that cannot be used gets the status of a refusal, and for the person a stream with a way on. */
export function refuseState(
  error: AppError,
  id: string,
  locale: Locale,
  { doneMarker, now }: { doneMarker: string; now: () => number },
): Response {
  const head = { id: `chatcmpl-${id}`, model: "rightseat", created: Math.floor(now() / 1_000) };
  const encode = createCopilotEncoder({ head, doneMarker, locale, requestId: id });
  const action = confirmAction({ ...textsFor(locale).startOver, command: "default" });
  const events: PlainEvent[] = [
    { type: "action", action },
    { type: "turn-error", error },
    { type: "turn-end", reason: "error" },
  ];
  const headers = { ...eventStream, ...noRetry, "x-request-id": id };
  return new Response(events.map((event) => encode(event)).join(""), {
    status: error.status,
    headers,
  });
}

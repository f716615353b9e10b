import { AppError } from "../../src/base/errors/app-error.ts";
import { type AnswerLimits, AnswerReader } from "../../src/model/chat/answer-reader.ts";
import type { ToolUse } from "../../src/model/chat/answer-rules.ts";
import { readDeltas } from "../../src/model/chat/chat-chunk.ts";
import type { ToolCall } from "../../src/turn/chat-message.ts";
import type { RelayedEvent } from "../../src/turn/turn-event.ts";
import { defaultApi } from "./upstream.ts";

export type As = "frames" | "deltas";

interface Reading {
  as?: As;
  use?: ToolUse;
  limits?: AnswerLimits;
}

export interface ReadAnswer {
  events: RelayedEvent[];
  /** What the events say, frames and deltas alike. */
  said: Record<string, unknown>[];
  text: string;
  reasoning: string;
  /** The frames that are passed on, as text. */
  frames: string;
  calls: ToolCall[];
  /** The finish reason, or the code of the error. */
  end: string;
  error: AppError | undefined;
}

export const fallbackHead = () => ({ id: "ours", model: "m", created: 1 });

/** Reads a streamed answer that comes in these pieces. */
export function readAnswer(
  pieces: readonly Uint8Array[],
  { as = "frames", use = "refused", limits = defaultApi.limits }: Reading = {},
): ReadAnswer {
  const reader = new AnswerReader(as, limits, fallbackHead, use);
  const events: RelayedEvent[] = [];
  for (const piece of pieces) if (!reader.rules.done) events.push(...reader.push(piece));
  events.push(...reader.finish());
  const passed = events.flatMap((event) => (event.type === "upstream-frames" ? event.bytes : []));
  const said = events.flatMap((event): Record<string, unknown>[] => {
    if (event.type === "upstream-frames") return readDeltas(event.bytes);
    if (event.type === "text-delta") return [{ content: event.text }];
    return event.type === "reasoning-delta" ? [{ reasoning_content: event.text }] : [];
  });
  const join = (name: string): string =>
    said.flatMap((delta) => (typeof delta[name] === "string" ? delta[name] : [])).join("");
  return {
    events,
    said,
    text: join("content"),
    reasoning: join("reasoning_content"),
    frames: passed.map((bytes) => new TextDecoder().decode(bytes)).join(""),
    calls: events.flatMap((event) => (event.type === "tool-call" ? event.call : [])),
    ...endOf(reader),
  };
}

/** How a reader says that its answer has ended. */
export function endOf(reader: AnswerReader): Pick<ReadAnswer, "end" | "error"> {
  try {
    return { end: reader.end(), error: undefined };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { end: thrown.code, error: thrown };
  }
}

/** Cuts bytes at the given places, whatever numbers they are. */
export function cutBytes(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  const ends = [0, ...at, bytes.length];
  return ends.slice(1).map((end, nth) => bytes.slice(ends[nth], end));
}

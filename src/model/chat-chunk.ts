import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import type { ChunkHead, EndReason, Usage } from "../turn/turn-event.ts";

/** The fields of a streamed chunk that we read. Everything else is allowed and passed on. */
export interface UpstreamChunk {
  id?: string | null;
  object?: string | null;
  created?: number | null;
  model?: string | null;
  choices?: readonly UpstreamChoice[] | null;
  usage?: Partial<Record<keyof Usage, number | null>> | null;
  error?: unknown;
}

interface UpstreamChoice {
  index?: number | null;
  delta?: UpstreamDelta | null;
  finish_reason?: string | null;
}

export interface UpstreamDelta extends Record<string, unknown> {
  content?: string | null;
  reasoning_content?: string | null;
}

/**
 * Tells whether parsed JSON is a chunk that we can read. Written by hand: it runs several times a
 * stream, and a schema took as long as all the rest of reading a short answer.
 */
export function isUpstreamChunk(json: unknown): json is UpstreamChunk {
  if (!isRecord(json)) return false;
  const { choices, usage } = json;
  return (
    isText(json["id"]) &&
    isText(json["object"]) &&
    isText(json["model"]) &&
    isNumber(json["created"]) &&
    (isAbsent(choices) || (Array.isArray(choices) && choices.every(isChoice))) &&
    (isAbsent(usage) || (isRecord(usage) && counts.every((name) => isNumber(usage[name]))))
  );
}

const counts = [
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
] as const satisfies (keyof Usage)[];

function isChoice(choice: unknown): choice is UpstreamChoice {
  return (
    isRecord(choice) &&
    isNumber(choice["index"]) &&
    isText(choice["finish_reason"]) &&
    (isAbsent(choice["delta"]) || isDelta(choice["delta"]))
  );
}

function isDelta(delta: unknown): delta is UpstreamDelta {
  return isRecord(delta) && isText(delta["content"]) && isText(delta["reasoning_content"]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isText(value: unknown): boolean {
  return typeof value === "string" || isAbsent(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || isAbsent(value);
}

/** A usage whose numbers are there, or undefined: servers send empty ones, too. */
export function toUsage(usage: UpstreamChunk["usage"]): Usage | undefined {
  if (!usage) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  if (!prompt && !completion && !total) return undefined;
  return {
    prompt_tokens: prompt ?? 0,
    completion_tokens: completion ?? 0,
    total_tokens: total ?? (prompt ?? 0) + (completion ?? 0),
  };
}

/** What our own chunks may carry as their finish reason; `error` is the known extension of many servers. */
export type FinishReason = Exclude<EndReason, "aborted"> | null;

/** Prints one chunk as the OpenAI API spells it, with one choice. */
export function printChunk(
  head: ChunkHead,
  delta: Record<string, unknown>,
  finishReason: FinishReason = null,
  more: { usage?: Usage; error?: object } = {},
): string {
  const fixed: Omit<ChatCompletionChunk, "choices" | "usage"> = {
    id: head.id,
    object: "chat.completion.chunk",
    created: head.created,
    model: head.model,
  };
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
  return JSON.stringify({ ...fixed, choices, ...more });
}

const endReasons: Record<string, EndReason> = {
  length: "length",
  content_filter: "content_filter",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  error: "error",
  abort: "error",
};

/** Servers invent finish reasons (`eos`, `end_turn`); what names no special end is a stop. */
export function toEndReason(finishReason: string): EndReason {
  return endReasons[finishReason] ?? "stop";
}

import { AppError } from "../errors/app-error.ts";
import type { ChunkHead, Usage } from "../turn/turn-event.ts";

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

/** @throws AppError `upstream_invalid` when the event is no chunk that we can read */
export function parseChunk(data: string): UpstreamChunk {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch (cause) {
    throw new AppError("upstream_invalid", "The model sent an event that is not JSON.", { cause });
  }
  if (isUpstreamChunk(json)) return json;
  throw new AppError(
    "upstream_invalid",
    "The model sent an event that is no chat completion chunk.",
  );
}

/** The four forms in which servers report an error inside a stream. */
export function isErrorEvent(event: string | undefined, chunk: UpstreamChunk): boolean {
  return (
    event === "error" ||
    (chunk.error !== undefined && chunk.error !== null) ||
    chunk.object === "error"
  );
}

/** Whether a chunk may be passed on under the head of the answer. */
export function isSameAnswer(chunk: UpstreamChunk, head: ChunkHead): boolean {
  return chunk.id === head.id && chunk.model === head.model && Number.isInteger(chunk.created);
}

/** Whether a delta says more than the role. */
export function hasText(delta: UpstreamDelta): boolean {
  return Object.entries(delta).some(
    ([name, value]) => name !== "role" && value !== null && value !== "",
  );
}

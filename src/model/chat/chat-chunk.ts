import type { ChunkHead, Counts, EndReason, Usage } from "../../turn/turn-event.ts";
import { isRecord } from "../../base/text/json.ts";
import type { CallOfMessage, ToolCall } from "../../turn/chat-message.ts";
import { AppError } from "../../base/errors/app-error.ts";
import { createFrameReader, encodeFrame } from "../../base/wire/sse-frames.ts";

/** What our own chunks may carry as their finish reason; `error` is the known extension of many servers. */
export type FinishReason = Exclude<EndReason, "aborted"> | null;

/** Prints one chunk as the OpenAI API spells it, with one choice. */
export function printChunk(
  head: ChunkHead,
  delta: Record<string, unknown>,
  finishReason: FinishReason = null,
  more: { usage?: Usage; error?: object; rightseat?: object } = {},
): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
  return print("chat.completion.chunk", head, { choices, ...more });
}

function print(object: string, { id, created, model }: ChunkHead, more: object): string {
  return JSON.stringify({ id, object, created, model, ...more });
}

const endReasons = new Map<string, EndReason>([
  ["length", "length"],
  ["content_filter", "content_filter"],
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["error", "error"],
  ["abort", "error"],
]);

/** Servers invent finish reasons (`eos`, `end_turn`); what names no special end is a stop. */
export function toEndReason(finishReason: string): EndReason {
  return endReasons.get(finishReason) ?? "stop";
}

/** How an answer that did not fail may end for clients of the OpenAI API. */
type CompletionReason = "stop" | "length" | "content_filter" | "tool_calls";

/** @param hasCalls the client has got calls of its own tools; none may be waited for else */
export function toCompletionReason(reason: EndReason, hasCalls: boolean): CompletionReason {
  if (reason === "length" || reason === "content_filter") return reason;
  return hasCalls ? "tool_calls" : "stop";
}

/** Calls as a message of an assistant has them (OpenAI API reference, "Create chat completion"). */
export function printCalls(calls: readonly ToolCall[]): CallOfMessage[] {
  return calls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: given },
  }));
}

/** Prints a whole answer as the OpenAI API spells it, with one choice. */
export function printCompletion(
  head: ChunkHead,
  { text, reasoning, calls }: { text: string; reasoning: string; calls: readonly CallOfMessage[] },
  finishReason: CompletionReason,
  usage?: Usage,
): string {
  const message = {
    role: "assistant" as const,
    content: text === "" && calls.length > 0 ? null : text,
    refusal: null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
  };
  return print("chat.completion", head, {
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    ...(usage === undefined ? {} : { usage }),
  });
}

/** Prints the chunk without choices that tells the tokens, after the last one (`stream_options.include_usage`). */
export function printUsageChunk(head: ChunkHead, usage: Usage): string {
  return print("chat.completion.chunk", head, { choices: [], usage });
}

export interface UpstreamDelta extends Record<string, unknown> {
  content?: string | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: readonly unknown[] | null;
  function_call?: object | null;
}

/** What we read of one event of a model's stream. */
export interface UpstreamChunk {
  /** As they came; the answer's head is read once. */
  id: unknown;
  model: unknown;
  created: unknown;
  usage: Usage | undefined;
  /** Of the first choice; undefined if the chunk has none. Fields that OpenAI documents have their documented types. */
  delta: UpstreamDelta | undefined;
  /** Of the first choice; empty where the server writes so that there is none yet (platform document). */
  finishReason: string | undefined;
  /** The event has a list of choices, even an empty one. */
  hasChoices: boolean;
  isError: boolean;
  /** What such an event says, as it came. */
  reported?: unknown;
  /** The event has one choice, not the last, and each documented field its type: clients can read it as it came. */
  isCanonical: boolean;
}

/** Longer names come with each chunk of ours, too, and are not taken. */
const maxName = 512;
/** Of a usage and of each group in it. */
const maxCounts = 32;

/**
 * Reads one event. A field that the answer does not need never ends it: an odd value of a field (`id: 5`,
 * `index: "0"`, `usage: "x"`, `choices: {}`) is treated as if the field was absent. What ends an answer is
 * JSON that cannot be read and a real error.
 *
 * Written by hand: it runs several times a stream, and a schema took as long as all the rest of
 * reading a short answer.
 *
 * @param event the name of the event, where the stream names it
 * @returns undefined for JSON that is no object; like a comment it says nothing
 * @throws AppError `upstream_invalid` when the data is not JSON
 */
export function parseChunk(event: string | undefined, data: string): UpstreamChunk | undefined {
  const isNamedError = event === "error";
  let read: unknown;
  try {
    read = JSON.parse(data);
  } catch (cause) {
    const message = {
      en: "The model sent an event that is not JSON.",
      zh: "模型发送的事件不是 JSON。",
    };
    if (!isNamedError) throw new AppError("upstream_invalid", message, { cause });
  }
  // An event of that name is an error, whatever its data is.
  const json = isNamedError && !isRecord(read) ? {} : read;
  if (!isRecord(json)) return undefined;
  const { choices, error, object } = json;
  const [first]: readonly unknown[] = Array.isArray(choices) ? choices : [];
  // Mostly it is the only one.
  const choice = isRecord(first) && first["index"] === 0 ? first : findChoice(choices);
  const finishReason = choice?.["finish_reason"];
  const delta = choice?.["delta"];
  const clean = cleanDelta(delta);
  const isError = isNamedError || object === "error" || (Boolean(error) && saysSomething(error));
  return {
    id: json["id"],
    model: json["model"],
    created: json["created"],
    usage: json["usage"] ? toUsage(json["usage"]) : undefined,
    delta: choice === undefined ? undefined : (clean ?? {}),
    finishReason: typeof finishReason === "string" ? finishReason : undefined,
    hasChoices: Array.isArray(choices),
    isError,
    reported: isError ? json : undefined,
    isCanonical:
      Array.isArray(choices) &&
      choices.length === 1 &&
      clean === delta &&
      (finishReason === undefined || finishReason === null) &&
      isCanonical(json, choice),
  };
}

/** Whether a chunk may be passed on under the head of the answer. */
export function isSameAnswer(chunk: UpstreamChunk, head: ChunkHead): boolean {
  const isDated = Number.isInteger(chunk.created) && Number(chunk.created) >= 0;
  return isDated && chunk.id === head.id && chunk.model === head.model;
}

export function saysMore(delta: UpstreamDelta): boolean {
  return Object.keys(delta).some(
    (name) => name !== "role" && delta[name] !== null && delta[name] !== "",
  );
}

/** The delta with its reasoning under the one name that is passed on; as it came where it has that name. */
export function nameReasoning(delta: UpstreamDelta): UpstreamDelta {
  const { reasoning, ...others } = delta;
  return reasoning
    ? { ...others, reasoning_content: others.reasoning_content || reasoning }
    : delta;
}

type Json = Record<string, unknown>;

/** The choice of index 0, else one whose index says nothing. */
function findChoice(choices: unknown): Json | undefined {
  let unnamed: Json | undefined;
  for (const choice of Array.isArray(choices) ? choices : []) {
    if (!isRecord(choice)) continue;
    const index = choice["index"];
    if (index === 0) return choice;
    if (typeof index !== "number") unnamed ??= choice;
  }
  return unnamed;
}

/** `null`, `false`, `0`, an empty text, list or object, and what holds nothing else, report no error. */
function saysSomething(error: unknown): boolean {
  const parts: unknown[] = typeof error === "object" ? Object.values(error ?? {}) : [error];
  return parts.some((part) => part && (typeof part !== "object" || Object.keys(part).length > 0));
}

/** A usage whose numbers are there, with all other numbers in it, or undefined: servers send empty ones, too. */
function toUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const counts = toCounts(usage);
  const { prompt_tokens: asked, completion_tokens: said, total_tokens: all } = counts;
  const prompt = typeof asked === "number" ? asked : 0;
  const completion = typeof said === "number" ? said : 0;
  const total = typeof all === "number" ? all : prompt + completion;
  if (!prompt && !completion && !total) return undefined;
  return { ...counts, prompt_tokens: prompt, completion_tokens: completion, total_tokens: total };
}

/** @param depth of the groups within groups that are read */
function toCounts(usage: Json, depth = 2): Counts {
  const counts: [string, number | Counts][] = [];
  for (const [name, value] of Object.entries(usage).slice(0, maxCounts)) {
    if (!/^[a-z][\w.-]{0,63}$/i.test(name)) continue;
    const count = toCount(value);
    if (count !== undefined) counts.push([name, count]);
    else if (isRecord(value) && depth > 0) counts.push([name, toCounts(value, depth - 1)]);
  }
  return Object.fromEntries(counts);
}

/** Undefined for what is no name, or too long for one. */
export function toName(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= maxName ? value : undefined;
}

/** Undefined for what counts nothing. */
export function toCount(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER
    ? value
    : undefined;
}

type Kind = (value: unknown) => boolean;

const isAbsent: Kind = (value) => value === undefined || value === null;
const isText: Kind = (value) => typeof value === "string" || value === undefined || value === null;
const isList: Kind = (value) => Array.isArray(value) || isAbsent(value);
const isObject: Kind = (value) => isAbsent(value) || isRecord(value);

/** The fields of a delta that OpenAI documents, and the two that others have added. */
const deltaKinds: ReadonlyMap<string, Kind> = new Map([
  ["role", isText],
  ["content", isText],
  ["refusal", isText],
  ["reasoning_content", isText],
  ["reasoning", isText],
  ["tool_calls", isList],
  ["function_call", isObject],
]);

/** The same delta without what is of no documented type; nothing is copied where all is well. */
function cleanDelta(given: unknown): UpstreamDelta | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  // An object of JSON.
  const delta = given as Json;
  for (const name in delta) {
    const kind = deltaKinds.get(name);
    // Mostly it is the text.
    if (kind === undefined || (kind === isText && typeof delta[name] === "string")) continue;
    if (kind(delta[name])) continue;
    const fields = Object.entries(delta);
    return Object.fromEntries(
      fields.filter(([each, value]) => deltaKinds.get(each)?.(value) ?? true),
    );
  }
  return delta;
}

function isCanonical(json: Json, choice: Json | undefined): boolean {
  const { usage, object } = json;
  return (
    choice !== undefined &&
    choice["index"] === 0 &&
    (object === undefined || typeof object === "string") &&
    (json["error"] ?? null) === null &&
    typeof (json["system_fingerprint"] ?? "") === "string" &&
    typeof (json["service_tier"] ?? "") === "string" &&
    ((usage ?? null) === null ||
      (isRecord(usage) && counts.every((name) => isCount(usage[name])))) &&
    ((choice["logprobs"] ?? null) === null || isRecord(choice["logprobs"]))
  );
}

const counts = ["prompt_tokens", "completion_tokens", "total_tokens"] as const;
const isCount: Kind = (value) => isAbsent(value) || toCount(value) !== undefined;

const decoder = new TextDecoder();

/** Reads the deltas out of whole frames that were checked when they came in. */
export function readDeltas(frames: Uint8Array): UpstreamDelta[] {
  const text = decoder.decode(frames);
  const plain = /^data: (.*)\n\n$/.exec(text)?.[1];
  // Mostly it is one frame of one line, for which a parser would cost more than all the rest.
  if (plain !== undefined) return [parseChunk(undefined, plain)?.delta ?? {}];
  return createFrameReader(text.length + 1)
    .feed(text)
    .map(({ event, data }) => parseChunk(event, data)?.delta ?? {});
}

/** Writes one answer as OpenAI chunks under one id: the model's own if its frames come first, else ours. */
export class ChunkStream {
  readonly #own: ChunkHead;
  #head: ChunkHead | undefined;

  constructor(own: ChunkHead) {
    this.#own = own;
  }

  /** What all chunks of the answer share. */
  get head(): ChunkHead {
    return this.#head ?? this.#own;
  }

  /** @param more fields of the chunk that other clients pass over */
  delta(delta: Record<string, unknown>, more?: { rightseat: object }): string {
    const role = this.#head === undefined ? { role: "assistant" } : {};
    this.#head ??= this.#own;
    return encodeFrame(printChunk(this.#head, { ...role, ...delta }, null, more));
  }

  /** Passes a model's frames on as they are, unless the answer has begun under another id. */
  frames(bytes: Uint8Array, theirs: ChunkHead): string | Uint8Array {
    const head = (this.#head ??= theirs);
    if (head.id === theirs.id) return bytes;
    const frames = readDeltas(bytes).map((delta) => encodeFrame(printChunk(head, delta)));
    return frames.join("");
  }

  end(reason: FinishReason): string {
    return encodeFrame(printChunk(this.head, {}, reason));
  }
}

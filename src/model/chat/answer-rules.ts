import { AppError } from "../../base/errors/app-error.ts";
import { quoteName } from "../../base/errors/names.ts";
import { parseJson } from "../../base/text/json.ts";
import { encodeFrame } from "../../base/wire/sse-frames.ts";
import type { ToolCall } from "../../turn/chat-message.ts";
import { ReasoningSplitter, type SplitPiece } from "../../base/text/reasoning.ts";
import { hasTextAfter, toSpoken } from "../../turn/relay.ts";
import type { ChunkHead, EndReason, ModelEvent, Usage } from "../../turn/turn-event.ts";
import {
  type UpstreamChunk,
  type UpstreamDelta,
  saysMore,
  isSameAnswer,
  nameReasoning,
  parseChunk,
  printChunk,
  toCount,
  toEndReason,
  toName,
} from "./chat-chunk.ts";
import { type CallPart, ToolCalls, isCall, readCallParts } from "./tool-calls.ts";

/** Characters that every event counts for; a token has about four. */
const minText = 4;

/** Of the answer's id, in the ids of calls that have none: OpenAI takes ids of up to 40 characters. */
const idTail = 24;
/** Names that may be passed on; the two that every stream has are not among them. */
const passedName = /^(?!(?:message|error)$)[\w.-]{1,64}$/i;

/**
 * What becomes of calls of tools. `refused`: nobody asked for them, and one ends the answer. `passed`: the
 * request brought tools of its own, and frames go as they are. `read`: they become calls, and no frame holds any.
 */
export type ToolUse = "refused" | "passed" | "read";

export type ExplainReported = (reported: unknown) => AppError;

/**
 * What the events of one streamed answer mean, whatever their framing was: what is passed on, how the
 * answer ends, and whether it is a success. Nothing after the first finish reason is passed on.
 */
export class AnswerRules {
  reason: EndReason | undefined;
  /** Calls of tools, once the reason says that they are all there; an answer that was cut has none. */
  toolCalls: readonly ToolCall[] = [];
  /** The last usage that came. */
  usage: Usage | undefined;
  /** The head of the answer, once it is settled. */
  head: ChunkHead | undefined;
  /** True after `[DONE]`, in whatever case: nothing more is to be read. */
  done = false;
  /** Text of the answer came, and not only blanks; of deltas as far as they were taken. */
  hasText = false;
  /** How many data events came; comments and JSON that is no object do not count. */
  dataEvents = 0;
  /** The events with names of their own that came, where frames are passed on; who passes them on takes them out. */
  readonly named: ModelEvent[] = [];

  readonly #as: "frames" | "deltas";
  readonly #maxAnswer: number;
  readonly #fallback: () => ChunkHead;
  readonly #explain: ExplainReported;
  readonly #toolUse: ToolUse;
  readonly #calls: ToolCalls | undefined;
  readonly #leading = new LeadingReasoning();
  /** Of an answer that is read as deltas. */
  readonly #splitter: ReasoningSplitter | undefined;
  #deltas: ModelEvent[] = [];
  #shape: FrameShape | undefined;
  #textLength = 0;
  /** The last choice had an empty finish reason: then the end marker alone says that the answer is whole. */
  #endsByMarker = false;
  #hasCalled = false;

  constructor(
    as: "frames" | "deltas",
    maxAnswer: number,
    toolUse: ToolUse,
    fallback: () => ChunkHead,
    explain: ExplainReported = reportedError,
  ) {
    this.#as = as;
    if (as === "deltas") this.#splitter = new ReasoningSplitter();
    this.#maxAnswer = maxAnswer;
    this.#fallback = fallback;
    this.#explain = explain;
    this.#toolUse = toolUse;
    this.#calls = toolUse === "read" ? new ToolCalls() : undefined;
  }

  /** Where the run of frames in the known shape that begins at `at` ends; they may go as they are. */
  skipPlain(text: string, at: number): number {
    const shape = this.#shape;
    if (shape === undefined || this.reason !== undefined || this.#as === "deltas") return at;
    let end = at;
    for (let length = matchShape(shape, text, at); length > 0;) {
      this.dataEvents++;
      this.#count(length - shape.length);
      end += length;
      length = matchShape(shape, text, end);
    }
    return end;
  }

  /**
   * Reads one event and answers what of it is passed on.
   *
   * @param canonical the frame as it came, where it may go as it is
   * @throws AppError `upstream_error`, `upstream_invalid`, `upstream_too_large`, `upstream_tool_call`
   */
  read(event: string | undefined, data: string, canonical: string | undefined): string {
    const bare = data.trim();
    if (!this.done && /^\[done\]$/i.test(bare)) {
      const last = this.#endByMarker();
      this.done = true;
      return last;
    }
    if (this.done || bare === "") return "";
    // A word or a number, as some servers put it into pings, is no broken chunk.
    const isWord = event !== undefined && !/^(?:message|error)$/.test(event) && !/^[{[]/.test(bare);
    const chunk = isWord ? undefined : parseChunk(event, data);
    if (chunk?.hasChoices !== true && event !== undefined) this.#passNamed(event, bare, chunk);
    if (chunk === undefined) return "";
    this.dataEvents++;
    this.usage = chunk.usage ?? this.usage;
    // What comes after the finish reason can neither add to the answer nor spoil it.
    if (this.reason !== undefined) return "";
    if (chunk.isError) throw this.#explain(chunk.reported);
    const { delta: came, finishReason: given } = chunk;
    const finishReason = given === "" ? undefined : given;
    const named = came?.reasoning ? nameReasoning(came) : came;
    this.#count((named?.content?.length ?? 0) + (named?.reasoning_content?.length ?? 0));
    if (came === undefined || named === undefined) return "";
    this.#endsByMarker = given === "";
    const head = this.head ?? this.#settleHead(chunk);
    const delta = named.tool_calls || named.function_call ? this.#takeCalls(named) : named;
    if (finishReason !== undefined) this.#end(finishReason, head);
    if (this.#as === "deltas") {
      this.#emitDeltas(delta);
      if (finishReason !== undefined) this.#deltas.push(...toSpoken(this.#splitter?.end() ?? []));
      return "";
    }
    const deltas = this.#leading.isOver ? [delta] : this.#splitLeading(delta, finishReason);
    for (const { content } of this.hasText ? [] : deltas) this.hasText ||= Boolean(content?.trim());
    const isWhole = chunk.isCanonical && deltas[0] === came && finishReason === undefined;
    if (canonical !== undefined && isWhole && isSameAnswer(chunk, head)) {
      // The first frame mostly holds the role alone and looks like no other.
      const isSettled = this.#leading.isOver || typeof delta.content !== "string";
      if (this.dataEvents > 1 && isSettled) this.#shape = learnShape(canonical);
      return canonical;
    }
    if (deltas.length === 0) return "";
    const isEmpty = (one: UpstreamDelta): boolean =>
      Object.keys(one).length === 0 || (finishReason !== undefined && !saysMore(one));
    return deltas.map((one) => (isEmpty(one) ? "" : encodeFrame(printChunk(head, one)))).join("");
  }

  /** Events of other names than those of chunks are not ours to understand; what is no JSON is left out. */
  #passNamed(event: string, data: string, chunk: UpstreamChunk | undefined): void {
    if (this.reason !== undefined || chunk?.isError === true || !passedName.test(event)) return;
    if (chunk === undefined && parseJson(data) === undefined) return;
    this.#count(data.length);
    // Line ends are between the parts of JSON, never in its texts.
    const events = this.#as === "deltas" ? this.#deltas : this.named;
    events.push({ type: "upstream-event", event, data: data.replaceAll(/[\r\n]+/g, " ") });
  }

  /** The marker alone may say that the answer is whole; then it is read as the chunk that is missing. */
  #endByMarker(): string {
    const { head } = this;
    if (!this.#endsByMarker || this.reason !== undefined || head === undefined) return "";
    const reason = this.#hasCalled ? "tool_calls" : "stop";
    return this.read(undefined, printChunk(head, {}, reason), undefined);
  }

  /** Until the answer itself begins: the delta as it came, or what of its text is text and what is reasoning. */
  #splitLeading(delta: UpstreamDelta, finishReason: string | undefined): UpstreamDelta[] {
    const { content, ...others } = delta;
    const pieces = content ? this.#leading.push(content) : [];
    if (finishReason !== undefined) pieces.push(...this.#leading.end());
    const [only] = pieces;
    const isPlain = pieces.length === 1 && only?.type === "text" && only.text === content;
    if (isPlain || (!content && pieces.length === 0)) return [delta];
    const split = pieces.map(deltaOf);
    return Object.keys(others).length === 0 ? split : [others, ...split];
  }

  /** What was held back of an answer that breaks off here. */
  breakOff(): string {
    const { head } = this;
    if (this.reason !== undefined || head === undefined) return "";
    if (this.#as !== "deltas")
      return this.#leading
        .end()
        .map((piece) => encodeFrame(printChunk(head, deltaOf(piece))))
        .join("");
    this.#deltas.push(...toSpoken(this.#splitter?.end() ?? []));
    return "";
  }

  /** What was read since the last time, where the answer is read as deltas. */
  takeDeltas(): ModelEvent[] {
    const deltas = this.#deltas;
    this.#deltas = [];
    this.hasText = deltas.reduce(hasTextAfter, this.hasText);
    return deltas;
  }

  /** The delta without the calls that are read here. */
  #takeCalls(delta: UpstreamDelta): UpstreamDelta {
    const parts = readCallParts(delta);
    this.#count(parts.reduce((sum, part) => sum + part.name.length + part.arguments.length, 0));
    if (this.#toolUse === "refused") refuseCalls(parts);
    this.#hasCalled ||= parts.some(isCall);
    if (this.#calls === undefined) return delta;
    for (const part of parts) this.#calls.add(part);
    const { tool_calls, function_call, ...others } = delta;
    return others;
  }

  #end(finishReason: string, head: ChunkHead): void {
    const reason = toEndReason(finishReason);
    if (reason === "error") {
      throw new AppError("upstream_error", {
        en: "The model gave up in the middle of its answer.",
        zh: "模型的回答中途终止。",
      });
    }
    const isComplete = reason === "stop" || reason === "tool_calls";
    if (this.#calls === undefined || !isComplete) {
      this.reason = reason;
      return;
    }
    this.toolCalls = this.#calls.list((nth) => `call_${nth}_${head.id.slice(-idTail)}`);
    // Servers say `stop` after calls, and `tool_calls` where none came.
    this.reason = this.toolCalls.length > 0 ? "tool_calls" : "stop";
  }

  #settleHead(chunk: UpstreamChunk): ChunkHead {
    const [id, model, created] = [toName(chunk.id), toName(chunk.model), toCount(chunk.created)];
    const isWhole = id !== undefined && model !== undefined && Boolean(created);
    const fallback = isWhole ? undefined : this.#fallback();
    this.head = {
      id: id ?? fallback?.id ?? "",
      model: model ?? fallback?.model ?? "",
      created: Math.floor(created || (fallback?.created ?? 0)),
    };
    return this.head;
  }

  #emitDeltas(delta: UpstreamDelta): void {
    const { reasoning_content: reasoning } = delta;
    if (reasoning) this.#deltas.push({ type: "reasoning-delta", text: reasoning });
    if (delta.content) this.#deltas.push(...toSpoken(this.#splitter?.push(delta.content) ?? []));
  }

  /** A frame counts for some characters even if it holds none, so that no stream is endless. */
  #count(characters: number): void {
    this.#textLength += Math.max(characters, minText);
    if (this.#textLength > this.#maxAnswer) throw answerTooLarge();
  }
}

type SpokenPiece = Extract<SplitPiece, { text: string }>;

/**
 * Takes what a model thinks aloud at the beginning of its answer out of the text of frames: once the answer itself has
 * begun, nothing is looked at any more, and they go as they are.
 */
class LeadingReasoning {
  /** The answer itself has begun. */
  isOver = false;
  #splitter: ReasoningSplitter | undefined;

  /** What of the text is known to be text or reasoning by now; what may become a tag is held back. */
  push(text: string): SpokenPiece[] {
    // Mostly the first piece is text, and holds no sign that begins a tag.
    this.isOver ||= this.#splitter === undefined && /^[^<[◁]+$/.test(text) && text.trim() !== "";
    if (this.isOver) return [{ type: "text", text }];
    this.#splitter ??= new ReasoningSplitter();
    const pieces = this.#splitter.push(text).filter(isSpoken);
    const hasBegun = pieces.some((piece) => piece.type === "text" && piece.text.trim() !== "");
    if (!hasBegun) return pieces;
    const last = pieces.at(-1);
    const [next, ...others] = this.end();
    if (last?.type !== "text" || next?.type !== "text")
      return [...pieces, ...(next ? [next, ...others] : [])];
    // What comes in one piece goes as one.
    return [...pieces.slice(0, -1), { type: "text", text: last.text + next.text }, ...others];
  }

  /** What was held back, at the end of the answer. */
  end(): SpokenPiece[] {
    if (this.isOver) return [];
    this.isOver = true;
    return this.#splitter?.end().filter(isSpoken) ?? [];
  }
}

function deltaOf({ type, text }: SpokenPiece): UpstreamDelta {
  return type === "text" ? { content: text } : { reasoning_content: text };
}

/** Text that was passed on cannot be called back: a tag that closes what was never opened says nothing. */
function isSpoken(piece: SplitPiece): piece is SpokenPiece {
  return piece.type !== "text-was-reasoning";
}

/** @throws AppError `upstream_tool_call` if a part calls something */
function refuseCalls(parts: readonly CallPart[]): void {
  const call = parts.find(isCall);
  if (call === undefined) return;
  const { name } = call;
  throw new AppError("upstream_tool_call", {
    en: `The model called ${name === "" ? "a tool" : `tool ${quoteName(name)}`}, but was offered none.`,
    zh: `模型调用了工具${name === "" ? "" : quoteName(name, "zh")}，但没有向它提供任何工具。`,
  });
}

export function reportedError(): AppError {
  const message = {
    en: "The model reported an error in the middle of its answer.",
    zh: "模型在回答中途报告了错误。",
  };
  return new AppError("upstream_error", message);
}

export function answerTooLarge(): AppError {
  return new AppError("upstream_too_large", {
    en: "The model's answer is larger than allowed.",
    zh: "模型的回答超过允许的大小。",
  });
}

const quote = 34;
const backslash = 92;

/** The fields of a chunk whose text changes from frame to frame. `reasoning` gets another name on its way. */
const varying = /"(?:content|reasoning_content|obfuscation)":"/g;

/**
 * What the plain frames of one answer look like: the same bytes again and again around one or two
 * JSON strings. `parts` are those bytes; between two of them stands the inside of a string.
 */
interface FrameShape {
  parts: readonly string[];
  /** The characters of all parts together. */
  length: number;
}

/**
 * Learns the shape of a frame that is known to be a plain delta.
 *
 * @param frame `data: {...}` and its blank line, LF only
 */
function learnShape(frame: string): FrameShape | undefined {
  const parts: string[] = [];
  let from = 0;
  // Inside a JSON string these names would carry escaped quotes, so every match is a field.
  for (const match of frame.matchAll(varying)) {
    const start = match.index + match[0].length;
    const end = endOfText(frame, start);
    if (end === -1) return undefined;
    parts.push(frame.slice(from, start));
    from = end;
  }
  if (parts.length === 0) return undefined;
  parts.push(frame.slice(from));
  return { parts, length: parts.join("").length };
}

/**
 * Tells how long a frame of this shape that begins at `at` is, or 0 if none does. What it accepts
 * is whole, valid JSON, since the fixed bytes were parsed once and the strings are checked here.
 */
function matchShape(shape: FrameShape, text: string, at: number): number {
  let position = at;
  for (let index = 0; index < shape.parts.length; index++) {
    if (index > 0) position = endOfText(text, position);
    const part = shape.parts[index];
    if (position === -1 || part === undefined) return 0;
    // Four times as fast as startsWith, which compares character by character.
    const end = position + part.length;
    if (text.slice(position, end) !== part) return 0;
    position = end;
  }
  return position - at;
}

/** The index of the quote that closes a JSON string whose inside begins at `at`; -1 if it is none. */
function endOfText(text: string, at: number): number {
  for (let position = at; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === quote) return position;
    if (code < 32) return -1;
    if (code === backslash) {
      const length = escapeLength(text, position);
      if (length === 0) return -1;
      position += length - 1;
    }
  }
  return -1;
}

/** How many characters the escape at `at` takes: 2, 6 for a code unit, 0 if it is none. */
function escapeLength(text: string, at: number): number {
  const next = text[at + 1];
  if (next === undefined) return 0;
  if (next === "u") return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
  return '"\\/bfnrt'.includes(next) ? 2 : 0;
}

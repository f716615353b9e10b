import { AppError } from "../../errors/app-error.ts";
import { encodeFrame } from "../../wire/sse-frame.ts";
import type { ChunkHead, EndReason, ModelEvent, Usage } from "../../turn/turn-event.ts";
import { printChunk, toEndReason } from "./chat-chunk.ts";
import { type FrameShape, learnShape, matchShape } from "./frame-shape.ts";
import {
  type UpstreamChunk,
  type UpstreamDelta,
  hasText,
  isSameAnswer,
  parseChunk,
} from "./upstream-chunk.ts";

/** Characters that every event counts for; a token has about four. */
const leastText = 4;

export interface AnswerRulesOptions {
  as: "frames" | "deltas";
  /** The longest answer text, in characters. */
  maxAnswer: number;
  /** Makes the head of chunks whose upstream names none. */
  fallback: () => ChunkHead;
}

/**
 * What the events of one streamed answer mean, whatever their framing was: what is passed on, how the
 * answer ends, and whether it is a success. Nothing after the first finish reason is passed on.
 */
export class AnswerRules {
  /** The finish reason, once it came. */
  reason: EndReason | undefined;
  /** The last usage that came. */
  usage: Usage | undefined;
  /** The head of the answer, once it is settled. */
  head: ChunkHead | undefined;
  /** True after `[DONE]`, in whatever case: nothing more is to be read. */
  done = false;
  /** How many data events came; comments and JSON that is no object do not count. */
  dataEvents = 0;

  readonly #as: "frames" | "deltas";
  readonly #maxAnswer: number;
  readonly #fallback: () => ChunkHead;
  #deltas: ModelEvent[] = [];
  #shape: FrameShape | undefined;
  #textLength = 0;

  constructor({ as, maxAnswer, fallback }: AnswerRulesOptions) {
    this.#as = as;
    this.#maxAnswer = maxAnswer;
    this.#fallback = fallback;
  }

  /** Where the run of frames in the known shape that begins at `at` ends; they may go as they are. */
  skipPlain(text: string, at: number): number {
    const shape = this.#shape;
    if (shape === undefined || this.reason !== undefined || this.#as === "deltas") return at;
    let end = at;
    for (;;) {
      const next = matchShape(shape, text, end);
      if (next === -1) break;
      this.dataEvents++;
      this.#count(next - end - shape.length);
      end = next;
    }
    return end;
  }

  /**
   * Reads one event and answers what of it is passed on.
   *
   * @param canonical the frame as it came, where it may go as it is
   * @throws AppError `upstream_error`, `upstream_invalid`, `upstream_too_large`
   */
  read(event: string | undefined, data: string, canonical: string | undefined): string {
    if (/^\s*\[done\]\s*$/i.test(data)) this.done = true;
    if (this.done || data.trim() === "") return "";
    const chunk = parseChunk(event, data);
    if (chunk === undefined) return "";
    this.dataEvents++;
    this.usage = chunk.usage ?? this.usage;
    // What comes after the finish reason can neither add to the answer nor spoil it.
    if (this.reason !== undefined) return "";
    if (chunk.isError) {
      throw new AppError(
        "upstream_error",
        "The model reported an error in the middle of its answer.",
      );
    }
    const { delta, finishReason } = chunk;
    this.#count((delta?.content?.length ?? 0) + (delta?.reasoning_content?.length ?? 0));
    if (delta === undefined) return "";
    const head = this.#settleHead(chunk);
    if (finishReason !== undefined) this.#end(finishReason);
    if (this.#as === "deltas") {
      this.#emitDeltas(delta);
      return "";
    }
    const isPlain = chunk.isCanonical && finishReason === undefined && isSameAnswer(chunk, head);
    if (canonical !== undefined && isPlain) {
      // The first frame mostly holds the role alone and looks like no other.
      if (this.dataEvents > 1) this.#shape = learnShape(canonical);
      return canonical;
    }
    const isEmpty =
      Object.keys(delta).length === 0 || (finishReason !== undefined && !hasText(delta));
    return isEmpty ? "" : encodeFrame(printChunk(head, delta));
  }

  /** What was read since the last time, where the answer is read as deltas. */
  takeDeltas(): ModelEvent[] {
    const deltas = this.#deltas;
    this.#deltas = [];
    return deltas;
  }

  #end(finishReason: string): void {
    const reason = toEndReason(finishReason);
    if (reason === "error") {
      throw new AppError("upstream_error", "The model gave up in the middle of its answer.");
    }
    this.reason = reason;
  }

  #settleHead(chunk: UpstreamChunk): ChunkHead {
    if (this.head !== undefined) return this.head;
    const { id, model, created } = chunk;
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
    const reasoning = delta.reasoning_content || delta["reasoning"];
    if (typeof reasoning === "string" && reasoning !== "")
      this.#deltas.push({ type: "reasoning-delta", text: reasoning });
    if (delta.content) this.#deltas.push({ type: "text-delta", text: delta.content });
  }

  /** A frame counts for some characters even if it holds none, so that no stream is endless. */
  #count(characters: number): void {
    this.#textLength += Math.max(characters, leastText);
    if (this.#textLength > this.#maxAnswer) throw answerTooLarge();
  }
}

export function answerTooLarge(): AppError {
  return new AppError("upstream_too_large", "The model's answer is larger than allowed.");
}

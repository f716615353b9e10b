import { AppError } from "../../errors/app-error.ts";
import { toAppError } from "../../errors/to-app-error.ts";
import { type Frame, createFrameReader } from "../../wire/frame-reader.ts";
import { hasByteOrderMark, lastBorder, splitFrames } from "../../wire/frame-border.ts";
import { BytePieces } from "../../wire/byte-pieces.ts";
import { encodeFrame, encodeText } from "../../wire/sse-frame.ts";
import type { ChunkHead, EndReason, ModelEvent, Usage } from "../../turn/turn-event.ts";
import { printChunk, toEndReason } from "./chat-chunk.ts";
import {
  type UpstreamChunk,
  type UpstreamDelta,
  hasText,
  isSameAnswer,
  parseChunk,
} from "./upstream-chunk.ts";
import { LenientFrames, decodeStrictly, eventTooLarge } from "./lenient-frames.ts";
import { type FrameShape, learnShape, matchShape } from "./frame-shape.ts";

export interface AnswerLimits {
  /** The largest event, in bytes. */
  maxEvent: number;
  /** The longest answer text, in characters. */
  maxAnswer: number;
}

const carriageReturn = 13;
/** Bytes of protocol that may come for each character of answer before the stream counts as a flood. */
const mostOverhead = 8;
/** Bytes of framing that an event may need besides. */
const eventOverhead = 1_024;
/** Characters that every event counts for; a token has about four. */
const leastText = 4;

/** Whole regions only, so that no state stays in it. */
const regionDecoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads one streamed answer under the rules of what counts as success. Feed it what comes, cut
 * anywhere; it answers what may be passed on.
 *
 * The common frame is never parsed: frames of one answer differ only in their text, so once one
 * has been parsed the others are compared with it byte by byte, which proves them just as valid.
 * Whatever differs (finish reason, error, usage, tool call, odd framing) is parsed, and printed
 * anew where it is not in canonical form. Nothing after the first finish reason is passed on.
 */
export class AnswerReader {
  /** The finish reason, once it came. */
  reason: EndReason | undefined;
  #usage: Usage | undefined;
  /** True after `[DONE]`, in whatever case: nothing more is to be read. */
  done = false;
  /** How many data events came; comments and JSON that is no object do not count. */
  dataEvents = 0;

  readonly #as: "frames" | "deltas";
  readonly #limits: AnswerLimits;
  readonly #fallback: () => ChunkHead;
  #head: ChunkHead | undefined;
  /** What came of a frame that is not whole yet; holds no CR. */
  readonly #carry = new BytePieces();
  #shape: FrameShape | undefined;
  #textLength = 0;
  #bytes = 0;
  /** Reads streams that end lines with CR, from the first CR on. */
  #lenient: LenientFrames | undefined;
  #events: ModelEvent[] = [];
  #fault: AppError | undefined;
  /** Frames to pass on that do not stand in one piece of what came. */
  #text = "";

  /** @param fallback makes the head of chunks whose upstream names none */
  constructor(as: "frames" | "deltas", limits: AnswerLimits, fallback: () => ChunkHead) {
    this.#as = as;
    this.#limits = limits;
    this.#fallback = fallback;
  }

  /**
   * Reads what came next. A fault is told by `end`, so that what stood before it is passed on, and
   * makes the reader done; after the finish reason no fault spoils the answer any more.
   */
  push(chunk: Uint8Array): ModelEvent[] {
    this.#bytes += chunk.byteLength;
    return this.#guard(() => {
      if (this.#lenient === undefined) this.#pushStrict(chunk);
      else this.#passFrames(this.#lenient.push(chunk));
      const most = this.#limits.maxAnswer * mostOverhead + this.dataEvents * eventOverhead;
      if (this.#bytes > most) throw tooLarge();
    });
  }

  /** Reads what an unterminated last frame holds, and tells the usage if it came. */
  finish(): ModelEvent[] {
    const events = this.#guard(() => {
      if (this.done) return;
      if (this.#carry.byteLength > 0) this.#goLenient(new Uint8Array());
      if (this.#lenient !== undefined) this.#passFrames(this.#lenient.finish());
    });
    if (this.#usage !== undefined) events.push({ type: "usage", usage: this.#usage });
    return events;
  }

  /**
   * Tells how the answer ended.
   *
   * @throws AppError `upstream_error`, `upstream_invalid`, `upstream_too_large`, or
   * `upstream_truncated` when no finish reason came
   */
  end(): EndReason {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.reason !== undefined) return this.reason;
    throw new AppError("upstream_truncated", "The model's answer ended before it was complete.");
  }

  #guard(read: () => void): ModelEvent[] {
    try {
      read();
    } catch (thrown) {
      this.done = true;
      if (this.reason === undefined) this.#fault = toAppError(thrown);
    }
    return this.#take();
  }

  /** Looks at each byte once, however small the pieces are. */
  #pushStrict(chunk: Uint8Array): void {
    const carry = this.#carry;
    const border = lastBorder(chunk, carry.last);
    if (border > 0) {
      const end = border === chunk.byteLength ? chunk : chunk.subarray(0, border);
      if (end.includes(carriageReturn)) {
        this.#goLenient(chunk);
        return;
      }
      let whole = end;
      if (carry.byteLength > 0) {
        carry.add(end);
        whole = carry.take();
      }
      this.#readWhole(whole);
      if (border === chunk.byteLength) return;
    }
    const rest = border === 0 ? chunk : chunk.subarray(border);
    if (rest.includes(carriageReturn)) {
      this.#goLenient(rest);
      return;
    }
    carry.add(rest);
    if (carry.byteLength > this.#limits.maxEvent) throw eventTooLarge();
  }

  #readWhole(whole: Uint8Array): void {
    let text: string;
    try {
      text = regionDecoder.decode(whole);
    } catch {
      // Frames before the one that is no UTF-8 are good.
      for (const frame of splitFrames(whole)) {
        this.#readRegion(
          frame,
          decodeStrictly(() => regionDecoder.decode(frame)),
        );
      }
      return;
    }
    this.#readRegion(hasByteOrderMark(whole) ? whole.subarray(3) : whole, text);
  }

  /** Reads whole frames; where all may be passed on, the bytes go as they are. */
  #readRegion(bytes: Uint8Array, text: string): void {
    let passedTo = 0;
    let at = 0;
    try {
      while (at < text.length && !this.done) {
        const end = this.#skipPlain(text, at);
        if (end > at) {
          at = end;
          continue;
        }
        const border = text.indexOf("\n\n", at);
        const next = border === -1 ? text.length : border + 2;
        const frame = text.slice(at, next);
        if (frame.length > this.#limits.maxEvent) throw eventTooLarge();
        const passed = this.#readFrame(frame);
        if (passed !== frame) {
          this.#text += text.slice(passedTo, at) + passed;
          passedTo = next;
        }
        at = next;
      }
    } finally {
      const isAll = passedTo === 0 && at === text.length && this.#text === "";
      if (isAll) this.#passBytes(bytes);
      else this.#text += text.slice(passedTo, at);
    }
  }

  /** Where the run of frames in the known shape that begins at `at` ends. */
  #skipPlain(text: string, at: number): number {
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

  /** Reads one frame of strict framing and answers what of it is passed on. */
  #readFrame(frame: string): string {
    const isCanonical = frame.startsWith("data: ") && frame.indexOf("\n") === frame.length - 2;
    if (isCanonical) return this.#readData(undefined, frame.slice(6, -2), frame);
    // An event may span several lines, and comments and stray blank lines hold none at all.
    return this.#readFrames(createFrameReader(this.#limits.maxEvent).feed(frame));
  }

  #readFrames(frames: readonly Frame[]): string {
    return frames.map(({ event, data }) => this.#readData(event, data, undefined)).join("");
  }

  /**
   * Reads one event and answers what of it is passed on.
   *
   * @param canonical the frame as it came, where it may go as it is
   */
  #readData(event: string | undefined, data: string, canonical: string | undefined): string {
    if (/^\s*\[done\]\s*$/i.test(data)) this.done = true;
    if (this.done || data.trim() === "") return "";
    const chunk = parseChunk(event, data);
    if (chunk === undefined) return "";
    this.dataEvents++;
    this.#usage = chunk.usage ?? this.#usage;
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

  #end(finishReason: string): void {
    const reason = toEndReason(finishReason);
    if (reason === "error") {
      throw new AppError("upstream_error", "The model gave up in the middle of its answer.");
    }
    this.reason = reason;
  }

  #settleHead(chunk: UpstreamChunk): ChunkHead {
    if (this.#head !== undefined) return this.#head;
    const { id, model, created } = chunk;
    const isWhole = id !== undefined && model !== undefined && Boolean(created);
    const fallback = isWhole ? undefined : this.#fallback();
    this.#head = {
      id: id ?? fallback?.id ?? "",
      model: model ?? fallback?.model ?? "",
      created: Math.floor(created || (fallback?.created ?? 0)),
    };
    return this.#head;
  }

  #emitDeltas(delta: UpstreamDelta): void {
    const reasoning = delta.reasoning_content || delta["reasoning"];
    if (typeof reasoning === "string" && reasoning !== "")
      this.#events.push({ type: "reasoning-delta", text: reasoning });
    if (delta.content) this.#events.push({ type: "text-delta", text: delta.content });
  }

  #passBytes(bytes: Uint8Array): void {
    if (this.#head !== undefined && this.#as === "frames") {
      this.#events.push({ type: "upstream-frames", bytes, head: this.#head });
    }
  }

  #take(): ModelEvent[] {
    if (this.#text !== "") this.#passBytes(encodeText(this.#text));
    this.#text = "";
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Reads what was carried, these bytes and all that follow as the standard has it. */
  #goLenient(bytes: Uint8Array): void {
    this.#lenient = new LenientFrames(this.#limits.maxEvent);
    this.#carry.add(bytes);
    this.#passFrames(this.#lenient.push(this.#carry.take()));
  }

  /** One by one, so that those in front of a fault are passed on. */
  #passFrames(frames: readonly Frame[]): void {
    for (const { event, data } of frames) this.#text += this.#readData(event, data, undefined);
  }

  /** A frame counts for some characters even if it holds none, so that no stream is endless. */
  #count(characters: number): void {
    this.#textLength += Math.max(characters, leastText);
    if (this.#textLength > this.#limits.maxAnswer) throw tooLarge();
  }
}

function tooLarge(): AppError {
  return new AppError("upstream_too_large", "The model's answer is larger than allowed.");
}

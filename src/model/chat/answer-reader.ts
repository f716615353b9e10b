import { AppError, toAppError } from "../../base/errors/app-error.ts";
import { createFrameReader } from "../../base/wire/sse-frames.ts";
import { BytePieces, encodeText } from "../../base/wire/bytes.ts";
import type { ChunkHead, EndReason, RelayedEvent } from "../../turn/turn-event.ts";
import { AnswerRules, type ExplainReported, type ToolUse, answerTooLarge } from "./answer-rules.ts";

export interface AnswerLimits {
  /** The largest event, in bytes. */
  maxEvent: number;
  /** The longest answer text, in characters; arguments of calls count, too. */
  maxAnswer: number;
}

const [lineFeed, carriageReturn] = [10, 13];
/** Bytes of protocol that may come for each character of answer before the stream counts as a flood. */
const maxOverhead = 8;
/** Bytes of framing that an event may need besides. */
const eventOverhead = 1_024;

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
  readonly #as: "frames" | "deltas";
  readonly #limits: AnswerLimits;
  /** What was read so far: how many data events, whether it is done, and the finish reason. */
  readonly rules: AnswerRules;
  /** What came of a frame that is not whole yet; holds no CR. */
  readonly #carry = new BytePieces();
  #bytes = 0;
  /** The last byte was a CR: a LF that comes next belongs to it. */
  #endsWithReturn = false;
  #frames: RelayedEvent[] = [];
  #fault: AppError | undefined;
  /** Frames to pass on that are not in one piece of what came. */
  #text = "";

  /**
   * @param fallback makes the head of chunks whose upstream names none
   * @param explain makes the error of an event that reports one
   */
  constructor(
    as: "frames" | "deltas",
    limits: AnswerLimits,
    fallback: () => ChunkHead,
    toolUse: ToolUse = "refused",
    explain?: ExplainReported,
  ) {
    this.#as = as;
    this.#limits = limits;
    this.rules = new AnswerRules(as, limits.maxAnswer, toolUse, fallback, explain);
  }

  /**
   * Reads what came next. A fault is told by `end`, so that what stood before it is passed on, and
   * makes the reader done; after the finish reason no fault spoils the answer any more.
   */
  push(chunk: Uint8Array): RelayedEvent[] {
    this.#bytes += chunk.byteLength;
    return this.#guard(() => {
      const hasReturn = this.#endsWithReturn || chunk.includes(carriageReturn);
      this.#pushLines(hasReturn ? this.#toLineFeeds(chunk) : chunk);
      const { dataEvents } = this.rules;
      const most = this.#limits.maxAnswer * maxOverhead + dataEvents * eventOverhead;
      if (this.#bytes > most) throw answerTooLarge();
    });
  }

  /** Reads what an unterminated last frame holds, and tells the calls of tools and the usage if they came. */
  finish(): RelayedEvent[] {
    const events = this.#guard(() => {
      if (this.rules.done) return;
      if (this.#carry.byteLength > 0) this.#pushLines(encodeText("\n\n"));
      this.#text += this.rules.breakOff();
    });
    const { toolCalls, usage } = this.rules;
    for (const call of toolCalls) events.push({ type: "tool-call", call });
    if (usage !== undefined) events.push({ type: "usage", usage });
    return events;
  }

  /**
   * Tells how the answer ended.
   *
   * @throws AppError `upstream_error`, `upstream_invalid`, `upstream_too_large`, `upstream_tool_call`,
   * or `upstream_truncated` when no finish reason came
   */
  end(): EndReason {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.rules.reason !== undefined) return this.rules.reason;
    throw new AppError("upstream_truncated", {
      en: "The model's answer ended before it was complete.",
      zh: "模型的回答在完成之前结束。",
    });
  }

  #guard(read: () => void): RelayedEvent[] {
    try {
      read();
    } catch (thrown) {
      this.rules.done = true;
      if (this.rules.reason === undefined) this.#fault = toAppError(thrown);
    }
    return this.#take();
  }

  /** The same bytes with each line end as LF; it may be LF, CRLF or CR (HTML standard, event streams). */
  #toLineFeeds(chunk: Uint8Array): Uint8Array {
    const bytes = this.#endsWithReturn && chunk[0] === lineFeed ? chunk.subarray(1) : chunk;
    if (chunk.byteLength > 0) this.#endsWithReturn = chunk.at(-1) === carriageReturn;
    return bytes
      .filter((byte, at) => byte !== lineFeed || bytes[at - 1] !== carriageReturn)
      .map((byte) => (byte === carriageReturn ? lineFeed : byte));
  }

  /** Looks at each byte once, however small the pieces are. */
  #pushLines(chunk: Uint8Array): void {
    const carry = this.#carry;
    const border = lastBorder(chunk, carry.last);
    if (border > 0) {
      let whole = border === chunk.byteLength ? chunk : chunk.subarray(0, border);
      if (carry.byteLength > 0) {
        carry.add(whole);
        whole = carry.take();
      }
      this.#readWhole(whole);
      if (border === chunk.byteLength) return;
    }
    carry.add(chunk.subarray(border));
    if (carry.byteLength > this.#limits.maxEvent) throw eventTooLarge();
  }

  #readWhole(whole: Uint8Array): void {
    let text: string;
    try {
      text = regionDecoder.decode(whole);
    } catch {
      // Frames before the one that is no UTF-8 are good.
      for (const frame of splitFrames(whole)) {
        this.#readRegion(frame, decodeStrictly(frame));
      }
      return;
    }
    const hasByteOrderMark = whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf;
    this.#readRegion(hasByteOrderMark ? whole.subarray(3) : whole, text);
  }

  /** Reads whole frames; where all may be passed on, the bytes go as they are. */
  #readRegion(bytes: Uint8Array, text: string): void {
    let passedTo = 0;
    let at = 0;
    try {
      while (at < text.length && !this.rules.done) {
        let length = this.rules.skipPlain(text, at) - at;
        if (length === 0) {
          const border = text.indexOf("\n\n", at);
          const frame = text.slice(at, border === -1 ? text.length : border + 2);
          if (frame.length > this.#limits.maxEvent) throw eventTooLarge();
          const passed = this.#readFrame(frame);
          ({ length } = frame);
          if (passed !== frame) {
            if (passedTo === 0 && this.#passStart(bytes, text, at)) passedTo = at;
            this.#text += text.slice(passedTo, at) + passed;
            passedTo = at + length;
            if (this.rules.named.length > 0) this.#passNamed();
          }
        }
        at += length;
      }
    } finally {
      const isAll = passedTo === 0 && at === text.length && this.#text === "";
      if (isAll) this.#passBytes(bytes);
      else this.#text += text.slice(passedTo, at);
    }
  }

  /**
   * Passes on the bytes of what is before `at`, as they came. Mostly the last frames of an answer are
   * the first that are not passed on.
   *
   * @returns false where it costs more to find those bytes than to make them again
   */
  #passStart(bytes: Uint8Array, text: string, at: number): boolean {
    if (this.#text !== "" || this.#as === "deltas" || at < text.length - at) return false;
    const rest = encodeText(text.slice(at)).byteLength;
    this.#passBytes(bytes.subarray(0, bytes.byteLength - rest));
    return true;
  }

  /** Reads one frame, whose line ends are LF, and answers what of it is passed on. */
  #readFrame(frame: string): string {
    const isCanonical = frame.startsWith("data: ") && frame.indexOf("\n") === frame.length - 2;
    if (isCanonical) return this.rules.read(undefined, frame.slice(6, -2), frame);
    // An event may span several lines, and comments and stray blank lines hold none at all.
    return createFrameReader(this.#limits.maxEvent)
      .feed(frame)
      .map(({ event, data }) => this.rules.read(event, data, undefined))
      .join("");
  }

  #passBytes(bytes: Uint8Array): void {
    const { head } = this.rules;
    if (head === undefined || this.#as === "deltas") return;
    this.#frames.push({ type: "upstream-frames", bytes, head });
  }

  /** In its place between the frames. */
  #passNamed(): void {
    this.#passText();
    this.#frames.push(...this.rules.named.splice(0));
  }

  #passText(): void {
    if (this.#text !== "") this.#passBytes(encodeText(this.#text));
    this.#text = "";
  }

  #take(): RelayedEvent[] {
    if (this.#text !== "") this.#passText();
    if (this.#as === "deltas") return this.rules.takeDeltas();
    const events = this.#frames;
    this.#frames = [];
    return events;
  }
}

/** @throws AppError `upstream_invalid` */
function decodeStrictly(bytes: Uint8Array): string {
  try {
    return regionDecoder.decode(bytes);
  } catch (cause) {
    throw new AppError(
      "upstream_invalid",
      { en: "The model's answer is not valid UTF-8.", zh: "模型的回答不是有效的 UTF-8。" },
      { cause },
    );
  }
}

function eventTooLarge(): AppError {
  return new AppError("upstream_invalid", {
    en: "The model sent an event that is larger than allowed.",
    zh: "模型发送的事件超过允许的大小。",
  });
}

/**
 * The index after the last blank line, 0 if there is none.
 *
 * @param before the byte in front of these, which may be the first half of a blank line
 */
function lastBorder(bytes: Uint8Array, before?: number): number {
  let at = bytes.lastIndexOf(lineFeed);
  while (at > 0 && bytes[at - 1] !== lineFeed) at = bytes.lastIndexOf(lineFeed, at - 1);
  if (at > 0) return at + 1;
  return at === 0 && before === lineFeed ? 1 : 0;
}

/** The frames of a piece that ends with a blank line; line ends are LF. */
function* splitFrames(whole: Uint8Array): Generator<Uint8Array> {
  let from = 0;
  for (let at = whole.indexOf(lineFeed); at !== -1; at = whole.indexOf(lineFeed, at + 1)) {
    if (whole[at + 1] !== lineFeed) continue;
    yield whole.subarray(from, at + 2);
    from = at + 2;
    at++;
  }
}

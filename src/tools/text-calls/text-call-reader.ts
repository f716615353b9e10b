// An answer of a model without tool calling in, as deltas; out come its text and the calls that it writes.
import { HeldPieces, linesWithEnds, withoutLineEnd } from "../../base/text/lines.ts";
import type { Message } from "../../base/errors/app-error.ts";
import type { ToolCall } from "../../turn/chat-message.ts";
import { PieceLoop } from "../../base/text/progress.ts";
import type { Toolbox } from "../tool.ts";
import { type Reading, isClosing, readCallText } from "./call-text.ts";
import { EditLines, EditSegment } from "./edit-segment.ts";
import type { NamedCall } from "./named-calls.ts";
import { type Quoted, findInline, isAnnounced, mayBegin, quoteOf } from "./opening.ts";

/** Faults that the model hears of. */
const maxFaults = 5;
/** Calls of one answer. */
const maxCalls = 64;
/** Characters that are held at most. */
const maxHeld = 1_048_576;
/** So often each character may be looked through for calls. */
const maxLooks = 24;

/** Lines that may be a call, and how much of them was looked through. */
interface Hold {
  raws: string[];
  length: number;
  spent: number;
}

/** What of an answer is undone when all of it turns out to be reasoning. */
class Progress {
  readonly calls: ToolCall[] = [];
  readonly partial = new HeldPieces();
  readonly lines = new EditLines();
  edits = new EditSegment();
  raw = "";
  /** The line that has begun is held to its end. */
  isHeldLine = false;
  /** What of the line that has begun went out as text. */
  midLine: string | undefined;
  hold: Hold | undefined;
  quoted: Quoted | undefined;
  /** Nothing came since the last call; what signs of its dialect begin with. */
  mark: string | undefined;
  /** The last line that has text. */
  above = "";
}

/**
 * Reads an answer piece by piece. How it is cut into pieces changes nothing but the cuts of the text. Text comes as soon
 * as it is sure to be text; calls are there after `end`, since an answer may turn out to be reasoning.
 *
 * Edits in any form that `edit/read` knows are calls of `edit_file`. What is cut off is not a call.
 */
export class TextCallReader {
  /** What looks like a call or an edit and cannot be read, in words for the model; complete after `end`. */
  readonly faults: Message[] = [];
  readonly #toolbox: Toolbox;
  readonly #lines = new PieceLoop((raw) => this.#takeOne(raw));
  #now = new Progress();
  #told = "";
  /** Characters that may yet be looked through for calls. */
  #left = 20_000;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** All of the answer, the calls included, without reasoning. */
  get raw(): string {
    return this.#now.raw;
  }

  /** In the order of the text; complete after `end`. The ids are unique in this answer. */
  get calls(): ToolCall[] {
    return this.#now.calls.slice(0, maxCalls);
  }

  /** @returns text that is part of no call, as it is known by now */
  push(delta: string): string {
    const { partial } = this.#now;
    this.#now.raw += delta;
    for (const raw of linesWithEnds(delta)) {
      partial.add(raw);
      if (raw.endsWith("\n")) this.#takeHeldLine();
      else this.#passStart();
    }
    return this.#flush();
  }

  /**
   * The answer ends here.
   *
   * @param isStopped the model ended by itself: a call that only lacks its end mark counts
   */
  end({ isStopped }: { isStopped: boolean }): string {
    if (this.#now.partial.length > 0 || this.#now.midLine !== undefined) this.#takeHeldLine();
    this.#lines.end(() => this.#now.hold && this.#attempt(this.#now.hold, true, isStopped));
    this.#endSegment(isStopped);
    if (this.#now.calls.length > maxCalls) this.#fault(tooMany);
    return this.#flush();
  }

  /** All that was read was reasoning, and nothing of it counts. */
  forget(): void {
    this.#now = new Progress();
    this.#lines.clear();
    this.faults.length = 0;
  }

  #flush(): string {
    const told = this.#told;
    this.#told = "";
    return told;
  }

  #takeHeldLine(): void {
    const { partial, midLine } = this.#now;
    const raw = partial.release();
    this.#now.isHeldLine = false;
    this.#now.midLine = undefined;
    this.#left += maxLooks * raw.length;
    const left = midLine === undefined ? [raw] : this.#passWords(midLine + raw, midLine.length);
    for (const each of left) this.#lines.read(each);
  }

  /** The beginning of a line that can be nothing but text goes out now; a sign inside of it waits. */
  #passStart(): void {
    const { partial, lines, quoted, hold } = this.#now;
    if (this.#now.isHeldLine) return;
    if (this.#now.midLine === undefined) {
      const start = partial.text;
      this.#now.isHeldLine =
        (hold ?? quoted) !== undefined || lines.isInside || (mayBegin(start) && start.length > 400);
      if (this.#now.isHeldLine || mayBegin(start)) return;
    }
    const from = this.#now.midLine?.length ?? 0;
    const line = (this.#now.midLine ?? "") + partial.release();
    const at = Math.max(findInline(line, from, true) ?? line.length, from);
    this.#now.midLine = line.slice(0, at);
    this.#feed(line.slice(from, at));
    partial.add(line.slice(at));
  }

  /** Returns what is to be read anew; undefined where more lines are needed. */
  #takeOne(raw: string): readonly string[] | undefined {
    const { hold, quoted, lines, mark, above } = this.#now;
    const line = withoutLineEnd(raw);
    if (hold !== undefined) return this.#holdLine(hold, raw);
    if (quoted?.kind === "quote") {
      this.#told += raw;
      if (quoted.until?.(line) === true) this.#now.quoted = undefined;
    } else if (quoted !== undefined || lines.isInside) this.#passLine(raw);
    else {
      if (mark !== undefined && isClosing(line, mark)) return [];
      const begun = quoteOf(line, above);
      if (begun !== undefined) return this.#settle({ end: raw.length, ...begun }, raw);
      const isCandidate = !this.#isFull && mayBegin(line);
      if (isCandidate && (!isAnnounced(above) || findInline(line, 0, false) === 0))
        return this.#holdLine({ raws: [], length: 0, spent: 0 }, raw);
      return this.#passWords(raw, 0);
    }
    return [];
  }

  /** After so many faults, or so much work, nothing is looked for. */
  get #isFull(): boolean {
    return this.faults.length >= maxFaults || this.#left <= 0;
  }

  /** Lines are looked through again when there are more by a part of them, so each only a few times. */
  #holdLine(hold: Hold, raw: string): readonly string[] | undefined {
    this.#now.hold = hold;
    hold.raws.push(raw);
    hold.length += raw.length;
    const isFull = hold.length >= maxHeld;
    const isSoon = hold.spent <= 8 * hold.length;
    return isSoon || isFull ? this.#attempt(hold, isFull, true) : undefined;
  }

  #attempt(hold: Hold, isEnd: boolean, isStopped: boolean): readonly string[] | undefined {
    const text = hold.raws.join("");
    hold.spent += text.length;
    this.#left -= text.length;
    const read = readCallText(text, { toolbox: this.#toolbox, isEnd, isStopped });
    if (this.#left > 0) return read && this.#settle(read, text);
    this.#left = -Infinity;
    this.#fault(unreadable);
    return this.#settle(read ?? { kind: "text", end: text.length }, text);
  }

  /** Returns what is to be read anew. */
  #settle(read: Reading, text: string): readonly string[] {
    this.#now.hold = undefined;
    this.#now.mark = undefined;
    const own = linesWithEnds(text.slice(0, read.end));
    const rest = linesWithEnds(text.slice(read.end));
    const until = "until" in read ? read.until : undefined;
    if (read.kind === "text" && until === undefined && own.length === 1)
      return [...this.#passWords(own.join(""), 0), ...rest];
    if (read.kind === "text") for (const raw of own) this.#passLine(raw);
    else {
      this.#endSegment(true);
      if (read.kind !== "calls") this.#told += own.join("");
      else for (const call of read.calls) this.#call(call);
      if (read.kind === "calls") this.#now.mark = read.mark;
      if (read.kind === "fault") this.#fault(unreadable);
    }
    if (until !== undefined)
      this.#now.quoted = { kind: read.kind === "text" ? "text" : "quote", until };
    return rest;
  }

  /** A line is text up to a sign of a call inside of it; what comes before `from` went out. Returns the rest. */
  #passWords(raw: string, from: number): readonly string[] {
    const isLooked = from > 0 || !this.#isFull;
    const at = isLooked ? findInline(withoutLineEnd(raw), from || 1, false) : undefined;
    this.#passLine(raw.slice(from, at), raw.slice(0, at));
    return at === undefined ? [] : [raw.slice(at)];
  }

  /** Text, or part of an edit, that ends the line `whole`. */
  #passLine(raw: string, whole = raw): void {
    const { lines, quoted } = this.#now;
    const line = withoutLineEnd(whole);
    this.#feed(raw);
    lines.take(line);
    if (line.trim() === "") return;
    this.#now.mark = undefined;
    if (lines.isInside) return;
    if (quoted?.until?.(line) === true) this.#now.quoted = undefined;
    else this.#now.above = line.slice(0, 400);
  }

  #feed(raw: string): void {
    this.#told += this.#now.edits.push(raw);
  }

  /** What comes now is read apart from the edits before. */
  #endSegment(isStopped: boolean): void {
    const { text, readings } = this.#now.edits.end(isStopped);
    this.#now.edits = new EditSegment();
    this.#told += text;
    for (const reading of readings) {
      if ("call" in reading) this.#call(reading.call);
      else this.#fault(reading.fault);
    }
  }

  #call({ name, args }: NamedCall): void {
    const id = `text_${this.#now.calls.length + 1}`;
    try {
      const json = typeof args === "string" ? args : JSON.stringify(args);
      this.#now.calls.push({ id, name, arguments: json });
    } catch {
      // They are nested too deeply to be printed.
      this.#fault(unreadable);
    }
  }

  #fault(message: Message): void {
    if (this.faults.length < maxFaults) this.faults.push(message);
  }
}

// What is told of calls in an answer that were not run.

const unreadable: Message = {
  en: "A call in your answer could not be read, so it was not run. Write it as one complete JSON object with the fields tool, reason and params.",
  zh: "回答中有一处工具调用无法读取，因此没有执行。请写成一个完整的 JSON 对象，包含 tool、reason 和 params 字段。",
};

const tooMany: Message = {
  en: `Your answer has more than ${maxCalls} calls; only the first ${maxCalls} were run.`,
  zh: `回答中的工具调用超过 ${maxCalls} 个，只执行了前 ${maxCalls} 个。`,
};

// An answer of a model without tool calling in, as deltas; out come its text and the calls that it writes.
import { HeldPieces, withoutLineEnd } from "../../base/text/lines.ts";
import type { Message } from "../../base/errors/app-error.ts";
import type { ToolCall } from "../../turn/chat-message.ts";
import { PieceLoop } from "../../base/text/progress.ts";
import type { Toolbox } from "../tool.ts";
import { AnswerStructure } from "./answer-structure.ts";
import { findInlineTag, mayBeginCall, pickHold } from "./begin-hold.ts";
import { EditSegment } from "./edit-segment.ts";
import type { Held, Hold } from "./holds/hold.ts";
import type { NamedCall } from "./named-calls.ts";

/** Faults that the model hears of. */
const maxFaults = 5;

/**
 * Reads an answer piece by piece. How it is cut into pieces changes nothing but the cuts of the text. Text comes as soon
 * as it is sure to be text; calls are there after `end`, since an answer may turn out to be reasoning.
 *
 * Edits in any form that `edit/read` knows are calls of `edit_file`. What is cut off is not a call.
 */
export class TextCallReader {
  /** What looks like a call or an edit and cannot be read, in words for the model; complete after `end`. */
  readonly faults: Message[] = [];
  /** All of the answer, the calls included, without reasoning. */
  raw = "";
  readonly #toolbox: Toolbox;
  readonly #named: NamedCall[] = [];
  readonly #partial = new HeldPieces();
  #structure = new AnswerStructure();
  #edits = new EditSegment();
  #told = "";
  /** The line that has begun is held to its end. */
  #isHeldLine = false;
  /** What of the line that has begun went out as text. */
  #midLine: string | undefined;
  #hold: { by: Hold; raws: string[] } | undefined;
  readonly #lines = new PieceLoop((raw) => this.#takeOne(raw));
  /** Lines are text until it says so. */
  #until: ((line: string) => boolean) | undefined;
  /** Lines are part of an example until it says so. */
  #quotedUntil: ((line: string) => boolean) | undefined;
  /** The last line that has text. */
  #above = "";

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** In the order of the text; complete after `end`. The ids are unique in this answer. */
  get calls(): ToolCall[] {
    return this.#named.slice(0, maxCalls).map(({ name, args }, nth) => ({
      id: `text_${nth + 1}`,
      name,
      arguments: JSON.stringify(args),
    }));
  }

  /** @returns text that is part of no call, as it is known by now */
  push(delta: string): string {
    this.#takeText(delta);
    return this.#flush();
  }

  /**
   * The answer ends here.
   *
   * @param isStopped the model ended by itself: a call that only lacks its end mark counts
   */
  end({ isStopped }: { isStopped: boolean }): string {
    if (this.#partial.length > 0 || this.#midLine !== undefined) this.#takeHeldLine();
    this.#lines.end(
      () => this.#hold && this.#settle(this.#hold.by.end(isStopped), this.#hold.raws),
    );
    this.#endSegment(isStopped);
    if (this.#named.length > maxCalls) this.#fault(tooMany);
    return this.#flush();
  }

  #flush(): string {
    const told = this.#told;
    this.#told = "";
    return told;
  }

  /** All that was read was reasoning, and nothing of it counts. */
  forget(): void {
    this.#named.length = 0;
    this.faults.length = 0;
    this.#partial.release();
    this.#lines.clear();
    this.#structure = new AnswerStructure();
    this.#edits = new EditSegment();
    [this.#isHeldLine, this.#midLine, this.#hold] = [false, undefined, undefined];
    [this.#until, this.#quotedUntil] = [undefined, undefined];
    [this.raw, this.#above] = ["", ""];
  }

  #takeText(text: string): void {
    this.raw += text;
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      this.#partial.add(text.slice(from, at + 1));
      from = at + 1;
      this.#takeHeldLine();
    }
    if (from === text.length) return;
    this.#partial.add(text.slice(from));
    this.#passStart();
  }

  #takeHeldLine(): void {
    const raw = this.#partial.release();
    this.#isHeldLine = false;
    if (this.#midLine === undefined) {
      this.#lines.read(raw);
      return;
    }
    const from = this.#midLine.length;
    const whole = this.#midLine + raw;
    const at = findInlineTag(withoutLineEnd(whole), from, false);
    this.#midLine = undefined;
    this.#passInner(raw.slice(0, at === undefined ? undefined : at - from), whole.slice(0, at));
    if (at !== undefined) this.#lines.read(whole.slice(at));
  }

  /** @param line all of the line that the text ends */
  #passInner(text: string, line: string): void {
    this.#feed(text);
    this.#structure.take(withoutLineEnd(line));
    this.#note(withoutLineEnd(line));
  }

  /** The beginning of a line that can be nothing but text goes out now. */
  #passStart(): void {
    if (this.#isHeldLine) return;
    if (this.#midLine === undefined) {
      const isText =
        this.#hold === undefined &&
        this.#until === undefined &&
        this.#quotedUntil === undefined &&
        !this.#structure.isQuoted;
      this.#isHeldLine = !isText || this.#structure.isInside;
      if (this.#isHeldLine) return;
      const start = this.#partial.text;
      if (mayBeginCall(start)) {
        this.#isHeldLine = start.length > 400;
        return;
      }
    }
    this.#passText(this.#partial.release());
  }

  /** Text of a line that has begun; a tag inside of it waits. */
  #passText(text: string): void {
    const line = (this.#midLine ?? "") + text;
    const from = line.length - text.length;
    const at = Math.max(findInlineTag(line, from, true) ?? line.length, from);
    this.#midLine = line.slice(0, at);
    this.#feed(line.slice(from, at));
    this.#partial.add(line.slice(at));
  }

  /** Returns what is to be read anew; undefined where more lines are needed. */
  #takeOne(raw: string): readonly string[] | undefined {
    const line = withoutLineEnd(raw);
    const structure = this.#structure;
    if (structure.isQuoted) {
      this.#told += raw;
      structure.takeQuoted(line);
    } else if (this.#quotedUntil !== undefined) {
      this.#told += raw;
      if (this.#quotedUntil(line)) this.#quotedUntil = undefined;
    } else if (this.#hold !== undefined) {
      const { by, raws } = this.#hold;
      raws.push(raw);
      return this.#settle(by.take(line), raws);
    } else if (this.#until !== undefined || structure.isInside) this.#passLine(raw, line);
    else if (structure.opensQuote(line)) {
      this.#endSegment(true);
      this.#told += raw;
      structure.takeQuoted(line);
    } else return this.#takeOuter(raw, line);
    return [];
  }

  /** After so many faults nothing is looked for. */
  get #isFull(): boolean {
    return this.faults.length >= maxFaults;
  }

  #takeOuter(raw: string, line: string): readonly string[] | undefined {
    const by = this.#isFull ? undefined : pickHold(line, this.#above, this.#toolbox);
    if (by === undefined) {
      const at = this.#isFull ? undefined : findInlineTag(line, 0, false);
      if (at === undefined) this.#passLine(raw, line);
      else this.#passInner(raw.slice(0, at), raw.slice(0, at));
      return at === undefined ? [] : [raw.slice(at)];
    }
    const raws = [raw];
    this.#hold = { by, raws };
    return this.#settle(by.take(line), raws);
  }

  /** The line is text, or part of an edit. */
  #passLine(raw: string, line: string): void {
    this.#feed(raw);
    this.#structure.take(line);
    if (this.#structure.isInside) return;
    if (this.#until?.(line) === true) this.#until = undefined;
    else this.#note(line);
  }

  #note(line: string): void {
    if (line.trim() !== "") this.#above = line.slice(0, 400);
  }

  /** @param held undefined where more lines are needed */
  #settle(held: Held | undefined, raws: readonly string[]): readonly string[] | undefined {
    if (held === undefined) return undefined;
    this.#hold = undefined;
    const own = raws.slice(0, held.lines);
    if (held.kind === "text") {
      this.#until = undefined;
      for (const raw of own) this.#passLine(raw, withoutLineEnd(raw));
      this.#until = held.until;
    } else {
      this.#endSegment(true);
      if (held.kind === "calls") for (const call of held.calls) this.#named.push(call);
      else this.#told += own.join("");
      if (held.kind === "quote") this.#quotedUntil = held.until;
      if (held.kind === "fault") this.#fault(unreadable);
    }
    const others = raws.slice(held.lines);
    if (held.kind !== "calls" || held.rest === undefined) return others;
    const last = own.at(-1) ?? "";
    return [held.rest + last.slice(withoutLineEnd(last).length), ...others];
  }

  #feed(raw: string): void {
    this.#told += this.#edits.push(raw);
  }

  /** What comes now is read apart from the edits before. */
  #endSegment(isStopped: boolean): void {
    const { text, readings } = this.#edits.end(isStopped);
    this.#edits = new EditSegment();
    this.#told += text;
    for (const reading of readings) {
      if ("call" in reading) this.#named.push(reading.call);
      else this.#fault(reading.fault);
    }
  }

  #fault(message: Message): void {
    if (this.faults.length < maxFaults) this.faults.push(message);
  }
}

// What is told of calls in an answer that were not run.

/** Calls of one answer. */
const maxCalls = 64;

const unreadable: Message = {
  en: "A call in your answer could not be read, so it was not run. Write it as one complete JSON object with the fields tool, reason and params.",
  zh: "回答中有一处工具调用无法读取，因此没有执行。请写成一个完整的 JSON 对象，包含 tool、reason 和 params 字段。",
};

const tooMany: Message = {
  en: `Your answer has more than ${maxCalls} calls; only the first ${maxCalls} were run.`,
  zh: `回答中的工具调用超过 ${maxCalls} 个，只执行了前 ${maxCalls} 个。`,
};

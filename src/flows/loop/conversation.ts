// What a model is told in a turn that works in steps, kept within its window.
import { isRecord, parseJson } from "../../base/text/json.ts";
import { type FinishedCall, printOutcome } from "../../tools/run-call.ts";
import type { ChatMessage, ToolCall, ToolMessage } from "../../turn/chat-message.ts";
import { estimateMessage, estimateTokens } from "../../turn/tokens.ts";

export interface CallResult extends FinishedCall {
  call: ToolCall;
  /** Equal for calls that ask for the same. */
  key: string;
  /** False where it was left out, or another call of the answer has the same result. */
  wasRun: boolean;
}

/** Texts of a result or of a call's arguments that are longer are left out when there is no room, in characters. */
const maxShort = 200;
/** In place of an answer that was empty: servers refuse messages without text. */
const silence = "(nothing)";
const leftOut = "(left out to save room)";
/** What a message costs beyond its text. */
const overhead = 4;

/** Characters that a text of a result or of a call's arguments may have: all, so many of its beginning, or none if it is long. */
type Most = number;
const all = Infinity;
/** Of what the last calls came to, where nothing else makes room. */
const cuts: readonly Most[] = [20_000, 5_000, 1_000];

class Piece {
  readonly #whole: readonly ChatMessage[];
  messages: readonly ChatMessage[];
  tokens: number;
  most = all;

  constructor(messages: readonly ChatMessage[]) {
    this.#whole = messages;
    this.messages = messages;
    this.tokens = countTokens(messages);
  }

  /** @returns the tokens that this saves */
  shorten(most: Most): number {
    const before = this.tokens;
    this.most = most;
    this.messages = this.#whole.map((message) => shortenMessage(message, most));
    this.tokens = countTokens(this.messages);
    return before - this.tokens;
  }
}

/** What the model is told before its first answer. */
export interface Opening {
  /** Always whole and in front: system messages; of a prompt of ours all of it. */
  head: readonly ChatMessage[];
  /** What was said before, oldest first. */
  past?: readonly ChatMessage[];
  /** Always whole, behind the past. */
  question?: readonly ChatMessage[];
  /** What the last calls came to is cut, too, where nothing else makes room. */
  cutsLast?: boolean;
}

/**
 * The messages of a turn that works in steps. Where they do not fit, what old calls came to is shortened, the
 * oldest first, then the past is left out, from one message of the person to the next; what was asked, the model's last
 * words and what was changed so far are always whole.
 */
export class Conversation {
  readonly #opening: Opening;
  readonly #budget: number;
  readonly #rounds: Piece[] = [];
  /** Of messages that are always whole. */
  readonly #fixed: number;
  /** Each begins with a message of the person. */
  readonly #past: readonly Piece[][];

  constructor(opening: Opening, budget: number) {
    this.#opening = opening;
    this.#budget = budget;
    this.#fixed = countTokens([...opening.head, ...(opening.question ?? [])]);
    this.#past = groupPast(opening.past ?? []);
  }

  add(said: string, results: readonly CallResult[], note = ""): void {
    this.#rounds.push(new Piece(printRound(said, results, note)));
  }

  /**
   * @param printState tells what was changed so far, where rounds had to be shortened
   * @returns undefined where even the shortest form does not fit
   */
  fit(printState = (): string => ""): ChatMessage[] | undefined {
    const rounds = this.#rounds;
    let state: ChatMessage[] | undefined;
    const tellState = (): ChatMessage[] => {
      if (rounds.every(({ most }) => most === all)) return [];
      const content = state === undefined ? printState() : "";
      return (state ??= content === "" ? [] : [{ role: "user", content }]);
    };
    const last = rounds.at(-1);
    const pieces = [...this.#past.flat(), ...rounds];
    let tokens = pieces.reduce((sum, piece) => sum + piece.tokens, this.#fixed);
    const isTooLong = (): boolean => tokens + countTokens(tellState()) > this.#budget;
    for (const piece of pieces) {
      if (!isTooLong()) break;
      // The last one is what the model goes on from.
      if (piece === last || piece.most <= maxShort) continue;
      tokens -= piece.shorten(maxShort);
    }
    const cutLast = (share: number): void => {
      if (last === undefined || this.#opening.cutsLast !== true) return;
      for (const most of cuts)
        if (isTooLong() && last.tokens > share && most < last.most) tokens -= last.shorten(most);
    };
    cutLast(this.#budget / 2);
    let gone = 0;
    for (const exchange of this.#past) {
      if (!isTooLong()) break;
      tokens -= exchange.reduce((sum, piece) => sum + piece.tokens, 0);
      gone += 1;
    }
    cutLast(0);
    if (isTooLong()) return undefined;
    const { head, question = [] } = this.#opening;
    const past = this.#past.slice(gone).flat();
    const steps = rounds.flatMap(({ messages }) => messages);
    return [
      ...head,
      ...past.flatMap(({ messages }) => messages),
      ...question,
      ...steps,
      ...tellState(),
    ];
  }
}

/**
 * The past from one message of the person to the next. Servers refuse a call without its result, and a result without
 * its call: what is missing of an answer that was stopped is said, and what belongs to none is left out.
 */
function groupPast(messages: readonly ChatMessage[]): Piece[][] {
  const exchanges: Piece[][] = [];
  for (let at = 0; at < messages.length;) {
    const message = messages[at];
    at += 1;
    if (message === undefined || message.role === "tool") continue;
    const group: ChatMessage[] = [message];
    if (message.role === "assistant" && message.tool_calls !== undefined) {
      const results = new Map<string, ToolMessage>();
      for (let next = messages[at]; next?.role === "tool"; next = messages[(at += 1)])
        results.set(next.tool_call_id, next);
      for (const { id } of message.tool_calls)
        group.push(results.get(id) ?? { role: "tool", tool_call_id: id, content: noResult });
    }
    const piece = new Piece(group);
    const last = exchanges.at(-1);
    if (message.role === "user" || last === undefined) exchanges.push([piece]);
    else last.push(piece);
  }
  return exchanges;
}

const noResult = JSON.stringify({
  success: false,
  error: "Stopped before a result came. What the call does may have happened.",
});

/** What was said stays; calls and their results are shortened. */
function shortenMessage(message: ChatMessage, most: Most): ChatMessage {
  if (message.role === "tool") return { ...message, content: shortenResult(message.content, most) };
  if (message.role !== "assistant" || message.tool_calls === undefined || most > maxShort)
    return message;
  const calls = message.tool_calls.map((call) => {
    const value = parseRecord(call.function.arguments) ?? {};
    return { ...call, function: { ...call.function, arguments: printShort(value) } };
  });
  return { ...message, tool_calls: calls };
}

function shortenResult(content: string, most: Most): string {
  if (content.length <= most) return content;
  const value = parseRecord(content);
  if (value === undefined) return leftOut;
  return most > maxShort ? printOutcome(value, most) : printShort(value);
}

function parseRecord(json: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(json);
  return isRecord(value) ? value : undefined;
}

function printRound(said: string, results: readonly CallResult[], note: string): ChatMessage[] {
  const told: ChatMessage[] = note === "" ? [] : [{ role: "user", content: note }];
  if (results.length === 0)
    return [{ role: "assistant", content: said.trim() ? said : silence }, ...told];
  const calls = results.map(({ call: { id, name, arguments: given } }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: printArguments(given) },
  }));
  return [
    { role: "assistant", content: said, tool_calls: calls },
    ...results.map(({ call, result }) => ({
      role: "tool" as const,
      tool_call_id: call.id,
      content: result.content,
    })),
    ...told,
  ];
}

/** Servers want an object, whatever the model has written. */
function printArguments(given: string): string {
  return parseRecord(given) === undefined
    ? JSON.stringify({ unreadable: given.slice(0, maxShort) })
    : given;
}

function printShort(fields: Readonly<Record<string, unknown>>): string {
  const short = Object.entries(fields).map(([name, value]) => {
    const size = typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
    return [name, size <= maxShort ? value : leftOut] as const;
  });
  return JSON.stringify(Object.fromEntries(short));
}

/** What messages cost, as we estimate it. @param written an answer to them */
export function countTokens(messages: readonly ChatMessage[], written = ""): number {
  return messages.reduce(
    (sum, message) => sum + estimateMessage(message) + overhead,
    estimateTokens(written),
  );
}

/** What the tools themselves cost in a prompt. */
export function countToolTokens(tools: readonly object[]): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
}

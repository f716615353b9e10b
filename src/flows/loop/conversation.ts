// What a model is told in a turn that works in steps, kept within its window.
import { isRecord } from "../../base/text/json.ts";
import type { FinishedCall } from "../../tools/run-call.ts";
import type { ChatMessage, ToolCall, ToolMessage } from "../../turn/chat-message.ts";
import { estimateMessage, estimateTokens } from "../../turn/tokens.ts";

/** A call of the model, and what it came to. */
export interface CallResult extends FinishedCall {
  call: ToolCall;
  /** Equal for calls that ask for the same. */
  key: string;
  /** False where it was left out, or another call of the answer has the same result. */
  wasRun: boolean;
}

/** An answer of the model, and what its calls came to. */
interface Round {
  said: string;
  results: readonly CallResult[];
  /** What we said to it besides; "" for nothing. */
  note: string;
}

/** Texts of a result or of a call's arguments that are longer are left out when there is no room, in characters. */
const maxShort = 200;
/** In place of an answer that was empty: servers refuse messages without text. */
const silence = "(nothing)";
const leftOut = "(left out to save room)";
/** What a message costs beyond its text. */
const overhead = 4;

/** How the model reads the rounds. */
type Dialect = "tools" | "text";

/** Messages that stay or go together, as they are or shortened. */
class Piece {
  readonly #print: (isShort: boolean) => readonly ChatMessage[];
  messages: readonly ChatMessage[];
  tokens: number;
  isShort = false;

  constructor(print: (isShort: boolean) => readonly ChatMessage[]) {
    this.#print = print;
    this.messages = print(false);
    this.tokens = countTokens(this.messages);
  }

  shorten(): void {
    this.isShort = true;
    this.messages = this.#print(true);
    this.tokens = countTokens(this.messages);
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
}

/**
 * The messages of a turn that works in steps. Where they do not fit, what old calls came to is shortened, the
 * oldest first, then the past is left out, from one message of the person to the next; what was asked, the last round
 * and what was changed so far are always whole.
 */
export class Conversation {
  readonly #opening: Opening;
  readonly #budget: number;
  readonly #dialect: Dialect;
  readonly #rounds: Piece[] = [];
  /** Of messages that are always whole. */
  readonly #fixed: number;
  /** Each begins with a message of the person. */
  #past: Piece[][];

  /** @param budget tokens */
  constructor(opening: Opening, budget: number, dialect: Dialect) {
    this.#opening = opening;
    this.#budget = budget;
    this.#dialect = dialect;
    this.#fixed = countTokens([...opening.head, ...(opening.question ?? [])]);
    this.#past = groupPast(opening.past ?? []);
  }

  add(said: string, results: readonly CallResult[], note = ""): void {
    const round = { said, results, note };
    this.#rounds.push(new Piece((isShort) => this.#print(round, isShort)));
  }

  /**
   * @param printState tells what was changed so far, where rounds had to be shortened
   * @returns undefined where even the shortest form does not fit
   */
  fit(printState = (): string => ""): ChatMessage[] | undefined {
    const rounds = this.#rounds;
    let state: ChatMessage[] | undefined;
    const tell = (): void => {
      const content = state === undefined && rounds.some(({ isShort }) => isShort) && printState();
      if (content) state = [{ role: "user", content }];
    };
    tell();
    const pieces = [...this.#past.flat(), ...rounds];
    let tokens = pieces.reduce((sum, piece) => sum + piece.tokens, this.#fixed);
    const isTooLong = (): boolean => tokens + countTokens(state ?? []) > this.#budget;
    // The last one is what the model goes on from.
    for (const piece of pieces.slice(0, rounds.length > 0 ? -1 : undefined)) {
      if (!isTooLong()) break;
      if (piece.isShort) continue;
      tokens -= piece.tokens;
      piece.shorten();
      tokens += piece.tokens;
      tell();
    }
    let gone = 0;
    for (const exchange of this.#past) {
      if (!isTooLong()) break;
      tokens -= exchange.reduce((sum, piece) => sum + piece.tokens, 0);
      gone += 1;
    }
    this.#past = this.#past.slice(gone);
    if (isTooLong()) return undefined;
    const { head, question = [] } = this.#opening;
    const past = this.#past.flat().flatMap(({ messages }) => messages);
    return [
      ...head,
      ...past,
      ...question,
      ...rounds.flatMap((one) => one.messages),
      ...(state ?? []),
    ];
  }

  #print(round: Round, isShort: boolean): ChatMessage[] {
    const print = this.#dialect === "tools" ? printWithCalls : printAsText;
    const messages = print(round, isShort);
    return round.note === "" ? messages : [...messages, { role: "user", content: round.note }];
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
    const piece = new Piece((isShort) => (isShort ? group.map(shortenMessage) : group));
    const last = exchanges.at(-1);
    if (message.role === "user" || last === undefined) exchanges.push([piece]);
    else last.push(piece);
  }
  return exchanges;
}

const noResult = JSON.stringify({ success: false, error: "Stopped before it came to anything." });

/** What was said stays; calls and their results are shortened. */
function shortenMessage(message: ChatMessage): ChatMessage {
  if (message.role === "tool") return { ...message, content: shortenResult(message.content) };
  if (message.role !== "assistant" || message.tool_calls === undefined) return message;
  const calls = message.tool_calls.map((call) => ({
    ...call,
    function: { ...call.function, arguments: printArguments(call.function.arguments, true) },
  }));
  return { ...message, tool_calls: calls };
}

function shortenResult(content: string): string {
  if (content.length <= maxShort) return content;
  const value = parseRecord(content);
  return value === undefined ? leftOut : JSON.stringify(shorten(value));
}

function parseRecord(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function printWithCalls({ said, results }: Round, isShort: boolean): ChatMessage[] {
  if (results.length === 0) return [{ role: "assistant", content: said.trim() ? said : silence }];
  const calls = results.map(({ call: { id, name, arguments: given } }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: printArguments(given, isShort) },
  }));
  return [
    { role: "assistant", content: said, tool_calls: calls },
    ...results.map((result) => ({
      role: "tool" as const,
      tool_call_id: result.call.id,
      content: printResult(result, isShort),
    })),
  ];
}

function printAsText({ said, results }: Round, isShort: boolean): ChatMessage[] {
  const answer = isShort && said.length > maxShort ? `${said.slice(0, maxShort)} ...` : said;
  const distinct = new Map(results.map((each) => [each.key + each.result.content, each]));
  const printed = [...distinct.values()].map(
    (result) =>
      `<tool_result name="${result.call.name}">\n${printResult(result, isShort)}\n</tool_result>`,
  );
  const messages: ChatMessage[] = [
    { role: "assistant", content: answer.trim() ? answer : silence },
  ];
  if (printed.length > 0) messages.push({ role: "user", content: printed.join("\n\n") });
  return messages;
}

/** Servers want an object, whatever the model has written. */
function printArguments(given: string, isShort: boolean): string {
  const value = parseRecord(given);
  if (value === undefined) return JSON.stringify({ unreadable: given.slice(0, maxShort) });
  return isShort ? JSON.stringify(shorten(value)) : given;
}

function printResult({ outcome, result }: CallResult, isShort: boolean): string {
  return isShort ? JSON.stringify(shorten(outcome)) : result.content;
}

function shorten(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short = Object.entries(fields).map(([name, value]) => {
    const size = typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
    return [name, size <= maxShort ? value : leftOut] as const;
  });
  return Object.fromEntries(short);
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

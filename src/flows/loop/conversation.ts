import { isRecord } from "../../base/text/json.ts";
import { estimateMessage, estimateTokens } from "../../turn/tokens.ts";
import type { ChatMessage, ToolCall } from "../../turn/chat-message.ts";
import type { FinishedCall } from "../../tools/run-call.ts";

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
  isShort: boolean;
}

/** Texts of a result or of a call's arguments that are longer are left out when there is no room, in characters. */
const maxShort = 200;
/** In place of an answer that was empty: servers refuse messages without text. */
const silence = "(nothing)";
/** What a message costs beyond its text. */
const overhead = 4;

/** How the model reads the rounds. */
export type Dialect = "tools" | "text";

/**
 * The messages of a turn that works in steps. Where they do not fit, what old rounds came to is shortened, the
 * oldest first; the request, the last round and what was changed so far are always whole.
 */
export class Conversation {
  readonly #head: readonly ChatMessage[];
  readonly #budget: number;
  readonly #dialect: Dialect;
  readonly #rounds: Round[] = [];

  /**
   * @param head system messages, examples and the request
   * @param budget tokens
   */
  constructor(head: readonly ChatMessage[], budget: number, dialect: Dialect) {
    this.#head = head;
    this.#budget = budget;
    this.#dialect = dialect;
  }

  add(said: string, results: readonly CallResult[], note = ""): void {
    this.#rounds.push({ said, results, note, isShort: false });
  }

  /**
   * @param printState tells what was changed so far, where rounds had to be shortened
   * @returns undefined where even the shortest form does not fit
   */
  fit(printState: () => string): ChatMessage[] | undefined {
    let state: string | undefined;
    for (let next = 0; ; next += 1) {
      if (this.#rounds.some(({ isShort }) => isShort)) state ??= printState();
      const messages = [...this.#head, ...this.#rounds.flatMap((round) => this.#print(round))];
      if (state) messages.push({ role: "user", content: state });
      if (countTokens(messages) <= this.#budget) return messages;
      // The last one is what the model goes on from.
      const round = this.#rounds[next];
      if (round === undefined || next === this.#rounds.length - 1) return undefined;
      round.isShort = true;
    }
  }

  #print(round: Round): ChatMessage[] {
    const { said, results, note } = round;
    const messages =
      this.#dialect === "tools" ? printWithCalls(round) : printAsText(said, results, round.isShort);
    return note === "" ? messages : [...messages, { role: "user", content: note }];
  }
}

function printWithCalls({ said, results, isShort }: Round): ChatMessage[] {
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

function printAsText(
  said: string,
  results: readonly CallResult[],
  isShort: boolean,
): ChatMessage[] {
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
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    value = undefined;
  }
  if (!isRecord(value)) return JSON.stringify({ unreadable: given.slice(0, maxShort) });
  return isShort ? JSON.stringify(shorten(value)) : given;
}

function printResult({ outcome, result }: CallResult, isShort: boolean): string {
  return isShort ? JSON.stringify(shorten(outcome)) : result.content;
}

function shorten(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short = Object.entries(fields).map(([name, value]) => {
    const size = typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
    return [name, size <= maxShort ? value : "(left out to save room)"] as const;
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

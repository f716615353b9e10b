import { AppError, type Message } from "../../base/errors/app-error.ts";
import { TextCallReader } from "../../tools/text-calls/text-call-reader.ts";
import type { Toolbox } from "../../tools/tool.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { ChatMessage, ToolCall } from "../../turn/chat-message.ts";
import type { Turn } from "../../turn/turn.ts";
import type { EndReason, TurnEvent, Usage } from "../../turn/turn-event.ts";
import { addUsage } from "../../turn/figures.ts";
import { hearModel } from "../ask/answer.ts";
import type { Page } from "../edit/page.ts";
import { loopTexts } from "./loop-texts.ts";
import { type Timers, sleep } from "../../base/wire/patient-timer.ts";
import { isRecord } from "../../base/text/json.ts";
import { estimateMessage, estimateTokens } from "../../turn/tokens.ts";
import type { FinishedCall } from "../../tools/run-call.ts";

/** An answer of the model. */
export interface CallAnswer {
  /** All of its text with the calls in it, without what it thought aloud. */
  raw: string;
  /** What of its text is for the person. */
  said: string;
  reason: EndReason;
  calls: readonly ToolCall[];
  /** The calls are part of its text. */
  areWritten: boolean;
  /** Told to the model: what in its text looks like a call, but is not one. */
  faults: readonly Message[];
  usage: Usage | undefined;
  /** Tokens of answers that broke off before, as we estimate them. */
  lost: number;
}

interface AskParts {
  turn: Turn;
  tools: Toolbox;
  page: Page;
  patience: Patience;
}

interface Asked {
  request: ChatRequest;
  /** Makes the ids of calls in the text unique in the turn. */
  round: number;
  /** The person has read it already; an answer that says just this once more is not shown. */
  known: string;
}

/**
 * Asks the model, passes its words on as they come, and keeps its calls back. Calls in its text count where it
 * has made no others: some models write them down though they were offered the tools. A model that fails in a
 * way that passes is asked again, and what it has said before counts for nothing.
 */
export async function* askForCalls(
  parts: AskParts,
  asked: Asked,
): AsyncGenerator<TurnEvent, CallAnswer, void> {
  const { turn, tools, page, patience } = parts;
  let lost = 0;
  for (;;) {
    const heard = new Heard(tools, page, asked.known);
    try {
      const answer = yield* askOnce(parts, asked, heard);
      patience.rest();
      return { ...answer, lost };
    } catch (thrown) {
      turn.signal.throwIfAborted();
      const wait = thrown instanceof AppError ? patience.next(thrown) : undefined;
      if (wait === undefined || !(thrown instanceof AppError)) throw thrown;
      const { waiting, isVoid } = loopTexts(turn.locale);
      const hasBegun = heard.raw.trim() !== "";
      if (hasBegun) lost += countTokens(asked.request.messages, heard.raw);
      const why = thrown.messageIn(turn.locale) + (hasBegun ? isVoid : "");
      yield* page.block(`${waiting(Math.ceil(wait / 1_000), why)}\n`);
      yield { type: "model-busy", isVoid: true };
      await patience.wait(wait, turn.signal);
    }
  }
}

async function* askOnce(
  { turn }: AskParts,
  { request, round }: Asked,
  heard: Heard,
): AsyncGenerator<TurnEvent, Omit<CallAnswer, "lost">, void> {
  const made: ToolCall[] = [];
  let usage: Usage | undefined;
  const reason = yield* hearModel(turn, request, (event) => {
    if (event.type === "text-delta") return heard.push(event.text);
    if (event.type === "tool-call") {
      made.push(event.call);
      return [];
    }
    if (event.type === "usage") usage = addUsage(usage, event.usage);
    // It may have been shown already; nothing of it counts.
    if (event.type === "text-was-reasoning") heard.forget();
    return [event];
  });
  const isStopped = reason === "stop" || reason === "tool_calls";
  yield* heard.end(isStopped);
  const { raw, said, faults } = heard;
  const written = heard.calls.map((call) => ({ ...call, id: `${call.id}_${round}` }));
  const areWritten = made.length === 0 && isStopped;
  const calls = areWritten ? written : made;
  return { raw, said, reason, calls, areWritten, faults: areWritten ? faults : [], usage };
}

/** The text of an answer as it comes. */
class Heard {
  said = "";
  readonly #page: Page;
  readonly #known: string;
  readonly #tools: Toolbox;
  #reader: TextCallReader;
  /** The beginning of what is for the person, as long as it may be what they have read already. */
  #echo: string | undefined;

  constructor(tools: Toolbox, page: Page, known: string) {
    this.#page = page;
    this.#known = known.trim();
    this.#tools = tools;
    this.#reader = new TextCallReader(tools);
    this.#echo = this.#known === "" ? undefined : "";
  }

  get calls(): readonly ToolCall[] {
    return this.#reader.calls;
  }

  get faults(): readonly Message[] {
    return this.#reader.faults;
  }

  /** Without what the model thought aloud. */
  get raw(): string {
    return this.#reader.raw;
  }

  *push(text: string): Generator<TurnEvent, void, void> {
    yield* this.#show(this.#reader.push(text));
  }

  *end(isStopped: boolean): Generator<TurnEvent, void, void> {
    yield* this.#show(this.#reader.end({ isStopped }));
    const echo = this.#echo ?? "";
    if (echo.trim() !== this.#known) yield* this.#page.write(echo);
  }

  forget(): void {
    this.#reader = new TextCallReader(this.#tools);
    this.said = "";
  }

  *#show(text: string): Generator<TurnEvent, void, void> {
    if (text === "") return;
    this.said += text;
    const all = (this.#echo ?? "") + text;
    const isEcho = this.#echo !== undefined && this.#known.startsWith(all.trim());
    this.#echo = isEcho ? all : undefined;
    if (!isEcho) yield* this.#page.write(all);
  }
}

/** What a turn waits, and spends on asking again, in all; in milliseconds. */
const maxInAll = 120_000;
/** The first wait where nobody says how long, and the longest; each is twice the one before. */
const [firstWait, longestWait] = [1_000, 30_000];

/** How long a turn waits for a model that fails in a way that passes: it is busy, away, or its answer broke off. */
export class Patience {
  readonly #timers: Timers;
  #left = maxInAll;
  #tries = 0;
  /** When the model was asked again. */
  #since: number | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** @returns milliseconds to wait before asking again; undefined where that makes no sense */
  next(error: AppError): number | undefined {
    if (this.#since !== undefined) this.#left -= this.#timers.now() - this.#since;
    const usual = Math.min(firstWait * 2 ** this.#tries, longestWait, this.#left);
    const wait = Math.max((error.details.retryAfter ?? 0) * 1_000, usual);
    return passes(error) && this.#left > 0 && wait <= this.#left ? wait : undefined;
  }

  /** @throws the signal's reason, as soon as it is aborted */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await sleep(milliseconds, this.#timers, signal);
    this.#left -= milliseconds;
    this.#tries += 1;
    this.#since = this.#timers.now();
  }

  /** The model has answered. */
  rest(): void {
    this.#tries = 0;
    this.#since = undefined;
  }
}

/** Whether the same question may well be answered a moment later. */
function passes({ isRetried, code }: AppError): boolean {
  return isRetried || code === "upstream_truncated" || code === "upstream_timeout";
}

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
type Dialect = "tools" | "text";

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

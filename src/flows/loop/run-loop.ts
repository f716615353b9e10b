import { estimateTokens } from "../../context/tokens.ts";
import type { ChangeMade } from "../../tools/tool.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import { estimateMessage } from "../../turn/message-tokens.ts";
import type { Slices } from "../../turn/slices.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { Page } from "../edit/page.ts";
import { askForCalls, type CallAnswer } from "./ask-for-calls.ts";
import type { CheckOutcome, LoopEnd, LoopLimits, LoopOutcome, RunCheck } from "./coding.ts";
import type { CallResult, Conversation } from "./conversation.ts";
import { RepeatGuard } from "./repeat-guard.ts";
import { type CallRunner, isWrite, runCalls } from "./run-calls.ts";

export interface LoopParts extends CallRunner {
  turn: Turn;
  /** Without messages: those come from the conversation. */
  request: Omit<ChatRequest, "messages">;
  conversation: Conversation;
  page: Page;
  slices: Slices;
  limits: LoopLimits;
  check: RunCheck | undefined;
  /** Tells the model of a check that did not pass. */
  describeCheck: (failed: CheckOutcome) => string;
  /** The changes that were made so far, in their order; the maker of `use` collects them. */
  changes: readonly ChangeMade[];
  /** Tells the model what was changed so far, where old rounds were shortened. */
  printState: () => Promise<string>;
}

/** How often a check may fail in a turn before the agent must stop. */
const maxFailedChecks = 3;

/**
 * Asks the model, runs what it calls, tells it the results, and so on until it is done or a limit is reached.
 * What a tool or a check comes to never ends the turn; only the signal and a model that fails do, by a throw.
 */
export async function* runLoop(parts: LoopParts): AsyncGenerator<TurnEvent, LoopOutcome, void> {
  return yield* new Loop(parts).run();
}

class Loop {
  readonly #parts: LoopParts;
  readonly #guard = new RepeatGuard();
  readonly #start: number;
  #tokens = 0;
  #failedChecks = 0;
  /** Changes that the last check has seen. */
  #checked = 0;
  #check: CheckOutcome | undefined;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#start = parts.now();
  }

  async *run(): AsyncGenerator<TurnEvent, LoopOutcome, void> {
    const { conversation, request, printState } = this.#parts;
    for (let round = 0; ; round += 1) {
      const limit = this.#findLimit(round);
      if (limit !== undefined) return this.#end(limit);
      const messages = await conversation.fit(printState);
      if (messages === undefined) return this.#end("window");
      const asked = { ...request, messages };
      const answer = yield* askForCalls(this.#parts, asked, round);
      this.#tokens += answer.usage?.total_tokens ?? countTokens(asked, answer);
      if (answer.reason === "length" || answer.reason === "content_filter") return this.#end("cut");
      const end = yield* this.#act(answer);
      if (end !== undefined) return end;
    }
  }

  #findLimit(round: number): LoopEnd | undefined {
    const { limits, now } = this.#parts;
    if (round >= limits.maxRounds) return "rounds";
    if (this.#tokens >= limits.maxTurnTokens) return "tokens";
    return now() - this.#start >= limits.maxTurnTime ? "time" : undefined;
  }

  /** @returns how it ended; undefined if it goes on */
  async *#act(answer: CallAnswer): AsyncGenerator<TurnEvent, LoopOutcome | undefined, void> {
    const { conversation, page, turn, changes } = this.#parts;
    const results = yield* runCalls(this.#parts, answer.calls);
    const isStuck = this.#findRepeats(results);
    const last = results.at(-1);
    const faults = answer.faults.map((fault) => fault[turn.locale]).join("\n");
    const isDone =
      last === undefined ? faults === "" : isFinish(last) || isSummary(answer, results);
    if (!isDone) {
      conversation.add(answer.raw, results, faults);
      return isStuck ? this.#end("repeats") : undefined;
    }
    const isEmpty = last === undefined && answer.raw.trim() === "" && changes.length === 0;
    if (isEmpty) return this.#end("empty");
    const response = last?.outcome["response"];
    if (typeof response === "string" && response.trim() !== "") yield* page.block(`${response}\n`);
    const failure = await this.#checkWork();
    if (failure === undefined) return this.#end("finished");
    conversation.add(answer.raw, results, failure);
    return undefined;
  }

  #findRepeats(results: readonly CallResult[]): boolean {
    let isStuck = false;
    for (const { call, result, outcome } of results) {
      if (outcome.success && isWrite(this.#parts.tools, call.name)) this.#guard.forget();
      else isStuck = this.#guard.add(call, result.content) || isStuck;
    }
    return isStuck;
  }

  /** @returns what to tell the model where its work did not pass; undefined if it may stop */
  async #checkWork(): Promise<string | undefined> {
    const { check, changes, turn, describeCheck } = this.#parts;
    if (check === undefined || changes.length === this.#checked) return undefined;
    this.#checked = changes.length;
    this.#check = await check(turn.signal);
    if (!this.#check.ran || this.#check.passed) return undefined;
    this.#failedChecks += 1;
    return this.#failedChecks < maxFailedChecks ? describeCheck(this.#check) : undefined;
  }

  #end(end: LoopEnd): LoopOutcome {
    const { changes } = this.#parts;
    // A check that has not seen the last change says nothing of it.
    const check = changes.length === this.#checked ? this.#check : undefined;
    return { end, changes, check };
  }
}

function isFinish({ tool, outcome }: CallResult): boolean {
  return tool === "finish" && outcome.success;
}

/** Last words that show once more what was done: every edit in them is made already. */
function isSummary({ areWritten }: CallAnswer, results: readonly CallResult[]): boolean {
  return areWritten && results.every(({ outcome }) => outcome["is_done"] === true);
}

/** For models that do not count. */
function countTokens({ messages }: ChatRequest, { raw, calls }: CallAnswer): number {
  const written = estimateTokens(raw + calls.map((call) => call.arguments).join(""));
  return messages.reduce((sum, message) => sum + estimateMessage(message), written);
}

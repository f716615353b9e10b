import type { ChangeMade } from "../../tools/tool.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { Page } from "../edit/page.ts";
import { type CallAnswer, type Patience, askForCalls, tokensOf } from "./ask-for-calls.ts";
import type { CallResult, Conversation } from "./conversation.ts";
import type { CheckOutcome, LoopEnd, LoopOutcome, Miss, RunCheck, Spent } from "./coding.ts";
import type { LoopTexts } from "./loop-texts.ts";
import { type CallRunner, Effort, type EffortParts, runCalls } from "./run-calls.ts";

export interface LoopParts extends CallRunner, EffortParts {
  turn: Turn;
  /** Without messages: those come from the conversation. */
  request: Omit<ChatRequest, "messages">;
  conversation: Conversation;
  page: Page;
  check: RunCheck | undefined;
  texts: Pick<LoopTexts, "checkFailed" | "reminders">;
  patience: Patience;
  /** Takes what other calls of a model in this turn have come to since it was asked last. */
  takeSpent: () => readonly Spent[];
  /** The changes that were made so far, in their order; the maker of `use` collects them. */
  changes: readonly ChangeMade[];
  /** Tells the model what was changed so far, where old rounds were shortened. */
  printState: () => string;
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
  readonly #effort: Effort;
  #failedChecks = 0;
  /** Changes that the last check has seen. */
  #checked = 0;
  #check: CheckOutcome | undefined;
  /** Changes that are not enough: none, or those with which a check failed. */
  #failedAt = 0;
  /** What the model was told of since its last call. */
  readonly #told = new Set<Miss>();
  /** The model has announced calls before it made them. */
  #announces = false;
  /** What the last answer said that called nothing; "" where calls came since. */
  #said = "";

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#effort = new Effort(parts);
  }

  async *run(): AsyncGenerator<TurnEvent, LoopOutcome, void> {
    const { conversation, request, printState, takeSpent } = this.#parts;
    for (let round = 0; ; round += 1) {
      const limit = this.#effort.findLimit(round);
      if (limit !== undefined) return this.#end(limit);
      const messages = conversation.fit(printState);
      if (messages === undefined) return this.#end("window");
      const asked = { ...request, messages };
      const answer = yield* askForCalls(this.#parts, { request: asked, round, known: this.#said });
      this.#effort.spend(tokensOf(messages, answer));
      if (answer.reason === "content_filter") return this.#end("cut");
      const isCut = answer.reason === "length";
      if (isCut && this.#told.has("cut")) return this.#end("cut");
      const end = isCut ? this.#remind("cut", answer, []) : yield* this.#act(answer);
      for (const { usage, tokens } of takeSpent()) {
        this.#effort.spend(tokens);
        if (usage !== undefined) yield { type: "usage", usage };
      }
      if (end !== undefined) return end;
    }
  }

  /** @returns how it ended; undefined if it goes on */
  async *#act(answer: CallAnswer): AsyncGenerator<TurnEvent, LoopOutcome | undefined, void> {
    const { conversation, page, turn, changes } = this.#parts;
    const faults = answer.faults.map((fault) => fault[turn.locale]).join("\n");
    const results = yield* runCalls(this.#parts, answer.calls, faults !== "");
    const isStuck = this.#effort.isInCircle(results);
    const finish = results.findLast(isFinish);
    if (results.some(({ tool }) => tool !== "finish")) this.#noteProgress();
    const isDone =
      finish !== undefined || (results.length === 0 ? faults === "" : isSummary(answer, results));
    if (!isDone) {
      conversation.add(answer.raw, results, faults);
      return isStuck ? this.#end("repeats") : undefined;
    }
    if (results.length === 0 && answer.said.trim() !== "") this.#said = answer.said;
    const said = `${this.#said}\n${answer.said}`;
    const response = finish === undefined ? "" : responseOf(finish, said.trim() === "");
    const miss = this.#findMiss(answer, response);
    if (miss !== undefined && !this.#told.has(miss) && !isStuck)
      return this.#remind(miss, answer, results);
    if (changes.length === 0 && `${said}${response}`.trim() === "") return this.#end("empty");
    if (!said.trimEnd().endsWith(response.trim())) yield* page.block(`${response}\n`);
    const failure = await this.#checkWork();
    if (failure === undefined) return this.#end("finished");
    this.#noteProgress();
    conversation.add(answer.raw, results, failure);
    return undefined;
  }

  /** What an answer that may end the work has missed. */
  #findMiss({ said, calls }: CallAnswer, response: string): Miss | undefined {
    const isSilent = said.trim() === "";
    if (calls.length === 0 && !isSilent) return this.#mayAnnounce(said) ? "announced" : undefined;
    // Nothing to add to what was said is no empty answer, nor is an end after changes.
    const isMeant =
      calls.length === 0
        ? this.#told.has("announced")
        : this.#parts.changes.length > 0 || `${this.#said}${response}`.trim() !== "";
    return isSilent && !isMeant ? "empty" : undefined;
  }

  /** The model is told once in a row. */
  #remind(miss: Miss, { raw }: CallAnswer, results: readonly CallResult[]): undefined {
    this.#told.add(miss);
    this.#parts.conversation.add(raw, results, this.#parts.texts.reminders[miss]);
  }

  #noteProgress(): void {
    this.#announces ||= this.#told.has("announced");
    this.#told.clear();
    this.#said = "";
  }

  /**
   * Whether words without a call may announce one. Whoever has changed something and then just says so is mostly
   * done; not so where the words lead up to something, or the model has announced calls before.
   */
  #mayAnnounce(said: string): boolean {
    const isUnchanged = this.#parts.changes.length === this.#failedAt;
    return isUnchanged || this.#announces || /(?:[:：…]|\.\.\.)$/u.test(said.trimEnd());
  }

  /** @returns what to tell the model where its work did not pass; undefined if it may stop */
  async #checkWork(): Promise<string | undefined> {
    const { check, changes, turn, texts } = this.#parts;
    if (check === undefined || changes.length === this.#checked) return undefined;
    this.#checked = changes.length;
    this.#check = await check(turn.signal);
    if (!this.#check.ran || this.#check.passed) return undefined;
    this.#failedChecks += 1;
    this.#failedAt = changes.length;
    return this.#failedChecks < maxFailedChecks ? texts.checkFailed(this.#check) : undefined;
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

/** What it says to the person; its reason counts where nothing else was said. */
function responseOf({ outcome, params }: CallResult, isAlone: boolean): string {
  const texts = [
    outcome["response"],
    ...(isAlone ? [params["reason"], params["explanation"]] : []),
  ];
  return texts.find((text): text is string => typeof text === "string" && text.trim() !== "") ?? "";
}

/** Last words that show once more what was done: every edit in them is made already. */
function isSummary({ areWritten }: CallAnswer, results: readonly CallResult[]): boolean {
  return areWritten && results.every(({ outcome }) => outcome["is_done"] === true);
}

import type { Message } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { breathe } from "../../base/wire/patient-timer.ts";
import { readUnanswered } from "../../tools/ask-person.ts";
import { reasons } from "../../tools/arguments/fit-input.ts";
import { type FinishedCall, keyOfCall, printOutcome, runCall } from "../../tools/run-call.ts";
import { type ChangeMade, type GivenUse, type Toolbox, fail } from "../../tools/tool.ts";
import type { ToolCall } from "../../turn/chat-message.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { HistoryEntry, TurnEvent } from "../../turn/turn-event.ts";
import { type AskParts, type CallAnswer, askForCalls, createPatience } from "./ask-for-calls.ts";
import type { CheckOutcome, Coding, LoopEnd, LoopLimits, LoopOutcome, Miss } from "./coding.ts";
import { type CallResult, Conversation, countToolTokens } from "./conversation.ts";
import { type LoopTexts, tellStep, loopTexts } from "./loop-texts.ts";
import { type Stage, netChanges, printState } from "./show-changes.ts";

export interface LoopParts extends Pick<CallRunner, "tools" | "use"> {
  stage: Stage;
  coding: Pick<Coding, "check" | "isTalk">;
  /** Its messages stay in front of all that follows. */
  request: ChatRequest;
  /** The changes that were made so far, in their order; the maker of `use` collects them. */
  changes: readonly ChangeMade[];
  /** What other calls of a model in this turn have come to since it was asked last; the loop takes it. */
  spent: Pick<CallAnswer, "usage" | "tokens">[];
}

/** In the last words of an answer: the model says what it is about to do. */
const announcement =
  /\b(?:I['’]ll|I will|let me(?! know)|let['’]s|I['’]m going to|I am going to|first,? I|next,? I|now I)\b|让我|我[将会来先再去要]|接下来|首先/iu;
/** Characters of the last words. */
const maxLast = 200;

const maxFailedChecks = 3;

/**
 * Asks the model, runs what it calls, tells it the results, and so on until it is done or a limit is reached.
 * What a tool or a check comes to never ends the turn; only the signal and a model that fails do, by a throw.
 */
export function runLoop(parts: LoopParts): AsyncGenerator<TurnEvent, LoopOutcome, void> {
  return new Loop(parts).run();
}

class Loop {
  readonly #parts: LoopParts;
  readonly #runner: AskParts & CallRunner;
  readonly #request: ChatRequest;
  readonly #conversation: Conversation;
  readonly #effort: Effort;
  readonly #texts: LoopTexts;
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
    const { stage, request, tools, use } = parts;
    const { turn, services, page } = stage;
    const { timers, now, loopLimits: limits } = services;
    const { contextWindow, answerReserve } = turn.model;
    const offered = tools.offer(turn.locale);
    const room = contextWindow - answerReserve - countToolTokens(offered);
    const patience = createPatience(timers);
    this.#parts = parts;
    this.#texts = loopTexts(turn.locale);
    this.#request = { ...request, tools: offered };
    this.#conversation = new Conversation({ head: request.messages }, room);
    this.#effort = new Effort({ tools, limits, now });
    this.#runner = {
      turn,
      tools,
      use,
      page,
      patience,
      now,
      endTool: "finish",
      *showStep(done) {
        const line = tellStep(done, turn.locale);
        if (line !== undefined) yield* page.item(line);
      },
    };
  }

  async *run(): AsyncGenerator<TurnEvent, LoopOutcome, void> {
    const { stage, changes, spent } = this.#parts;
    // Where old rounds were shortened, the model is told what was changed so far.
    const printChanges = (): string => printState(stage, netChanges(changes));
    for (let round = 0; ; round += 1) {
      const limit = this.#effort.findLimit(round);
      if (limit !== undefined) return this.#end(limit);
      const messages = this.#conversation.fit(printChanges);
      if (messages === undefined) return this.#end("window");
      const asked = { request: { ...this.#request, messages }, round, known: this.#said };
      const answer = yield* askForCalls(this.#runner, asked);
      this.#effort.spend(answer.tokens);
      if (answer.reason === "content_filter") return this.#end("cut");
      const isCut = answer.reason === "length";
      if (isCut && this.#told.has("cut")) return this.#end("cut");
      const end = isCut ? yield* this.#dropCut(answer) : yield* this.#act(answer);
      for (const { usage, tokens } of spent.splice(0)) {
        this.#effort.spend(tokens);
        if (usage !== undefined) yield { type: "usage", usage };
      }
      if (end !== undefined) return end;
    }
  }

  /** @returns how it ended; undefined if it goes on */
  async *#act(answer: CallAnswer): AsyncGenerator<TurnEvent, LoopOutcome | undefined, void> {
    const { page, turn } = this.#runner;
    const { changes } = this.#parts;
    const faults = answer.faults.map((fault) => fault[turn.locale]).join("\n");
    const results = yield* runCalls(this.#runner, answer.calls, faults !== "");
    const isStuck = this.#effort.isInCircle(results);
    const question = results.map(({ outcome }) => readUnanswered(outcome)).find((each) => each);
    if (question !== undefined) return { ...this.#end("question"), question };
    const finish = results.findLast(({ tool, outcome }) => tool === "finish" && outcome.success);
    if (results.some(({ tool }) => tool !== "finish")) this.#noteProgress();
    const isDone =
      finish !== undefined ||
      (results.length === 0 ? faults === "" : isSummary(answer, results, changes));
    if (!isDone) {
      this.#keep(answer, results, faults);
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
    this.#keep(answer, results, failure);
    return undefined;
  }

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
  #remind(miss: Miss, answer: CallAnswer, results: readonly CallResult[]): undefined {
    this.#told.add(miss);
    this.#keep(answer, results, this.#texts.reminders[miss]);
  }

  /** A shorter answer comes in place of one that was cut off: the person is told what became of the words of that. */
  async *#dropCut(answer: CallAnswer): AsyncGenerator<TurnEvent, undefined, void> {
    this.#remind("cut", answer, []);
    if (answer.said.trim() === "") return;
    yield* this.#runner.page.block(`*${this.#texts.cutShort}${this.#texts.isVoid}*\n\n`);
    yield { type: "model-busy", isVoid: true };
  }

  /** Calls that were read are told as such, and not as the text that they were. */
  #keep({ said, raw, faults }: CallAnswer, results: readonly CallResult[], note: string): void {
    const isRead = results.length > 0 && faults.length === 0;
    this.#conversation.add(isRead ? said : raw, results, note);
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
    const { changes, coding } = this.#parts;
    const text = said.trimEnd();
    const isUnchanged = changes.length === this.#failedAt;
    const isBegun = coding.isTalk === true ? announcement.test(text.slice(-maxLast)) : isUnchanged;
    return isBegun || this.#announces || /(?:[:：…]|\.\.\.)$/u.test(text);
  }

  /** @returns what to tell the model where its work did not pass; undefined if it may stop */
  async #checkWork(): Promise<string | undefined> {
    const { changes, coding } = this.#parts;
    const { check } = coding;
    if (check === undefined || changes.length === this.#checked) return undefined;
    this.#checked = changes.length;
    const outcome = await check(this.#runner.turn.signal);
    this.#check = outcome;
    if (!outcome.ran || outcome.passed) return undefined;
    this.#failedChecks += 1;
    this.#failedAt = changes.length;
    return this.#failedChecks < maxFailedChecks ? this.#texts.checkFailed(outcome) : undefined;
  }

  #end(end: LoopEnd): LoopOutcome {
    const { changes } = this.#parts;
    // A check that has not seen the last change says nothing of it.
    const check = changes.length === this.#checked ? this.#check : undefined;
    return { end, changes, check };
  }
}

/** What it says to the person; its reason counts where nothing else was said. */
function responseOf({ outcome, params }: CallResult, isAlone: boolean): string {
  const texts = [
    outcome["response"],
    ...(isAlone ? [params["reason"], params["explanation"]] : []),
  ];
  return texts.find((text): text is string => typeof text === "string" && text.trim() !== "") ?? "";
}

/**
 * Last words that show once more what was done: every edit in them is made already. Before anything was changed, one that
 * quotes what the file does not have is misquoted, whatever it has of the new text.
 */
function isSummary(
  { areWritten }: CallAnswer,
  results: readonly CallResult[],
  { length }: readonly ChangeMade[],
): boolean {
  const isMade = ({ outcome }: CallResult): boolean =>
    outcome["is_done"] === true && (length > 0 || outcome["code"] === "no-change");
  return areWritten && results.every(isMade);
}

// What every turn that works in steps does between two answers: it runs the calls, and looks whether it may go on.

/** Reads that run side by side. */
const maxAtOnce = 8;
/** Calls of one answer that are run. */
const maxCalls = 128;
/** Calls of one answer that get a result; what comes then is left out. */
export const maxAnswered = 256;
/** Groups of calls after which others have their turn: each may be quick, and there may be many. */
const groupsAtOnce = 10;

export interface CallRunner {
  tools: Toolbox;
  use: GivenUse;
  /** Equal writes of an answer are made as often as it has them; else they are one. */
  repeatsWrites?: boolean;
  /** No call is run beside another one. */
  isSerial?: boolean;
  /** The tool that ends the work: it is run last, and only where all else has succeeded. */
  endTool?: string;
  now: () => number;
  /** What a person is shown when a call is over. */
  showStep: (done: FinishedCall) => Iterable<TurnEvent>;
}

interface KeyedCall {
  call: ToolCall;
  /** See `keyOfCall`. */
  key: string;
}

/**
 * Runs the calls of an answer: neighbouring reads side by side, each write alone, so that every call sees what
 * the writes before it have done. Equal calls are one, unless something else was written in between. The
 * tool that ends the work comes last, and counts only if nothing else of the answer failed. The results come in the order of the calls.
 *
 * @param hasFaults something in the answer looks like a call and cannot be read
 */
export async function* runCalls(
  { tools, use, endTool, showStep, now, repeatsWrites = false, isSerial = false }: CallRunner,
  calls: readonly ToolCall[],
  hasFaults: boolean,
): AsyncGenerator<TurnEvent, CallResult[], void> {
  const keyed = calls.slice(0, maxAnswered).map((call) => ({ call, key: keyOfCall(call, tools) }));
  const run = keyed.slice(0, maxCalls);
  const isEnd = ({ call }: KeyedCall): boolean =>
    endTool !== undefined && tools.find(call.name)?.name === endTool;
  const work = run.filter((each) => !isEnd(each));
  const results = new Map<KeyedCall, CallResult>();
  /** @param isStep what was done once is one step */
  const tell = function* (each: KeyedCall, done: FinishedCall, wasRun: boolean, isStep = wasRun) {
    const result = { ...done.result, id: each.call.id };
    results.set(each, { ...each, ...done, result, wasRun });
    const entry = isStep ? { entry: toEntry(done, now()) } : {};
    yield { type: "tool-result" as const, result, ...entry };
    if (wasRun) yield* showStep(done);
  };
  const known = new Map<string, FinishedCall>();
  const isKnown = ({ key, call }: KeyedCall): boolean =>
    known.has(key) && !(repeatsWrites && isWrite(tools, call.name));
  for (const [nth, group] of groupCalls(tools, work, isSerial).entries()) {
    if (nth % groupsAtOnce === groupsAtOnce - 1) await breathe();
    for (const { call } of group) yield { type: "tool-call", call };
    const wanted = new Map(group.toReversed().map((each) => [each.key, each]));
    const first = group.filter((each) => !isKnown(each) && wanted.get(each.key) === each);
    const finished = await Promise.all(first.map(({ call }) => runCall(call, tools, use)));
    for (const [place, done] of finished.entries()) {
      if (done.outcome.success && isWrite(tools, done.tool)) known.clear();
      known.set(first[place]?.key ?? "", done);
    }
    for (const each of group) {
      const done = known.get(each.key);
      if (done !== undefined) yield* tell(each, done, first.includes(each));
    }
  }
  const isDone =
    !hasFaults &&
    calls.length <= maxCalls &&
    [...results.values()].every(({ outcome }) => outcome.success || outcome["is_done"] === true);
  for (const each of [...run.filter(isEnd), ...keyed.slice(maxCalls)]) {
    const { call, key } = each;
    yield { type: "tool-call", call };
    const wasRun = isDone && !known.has(key);
    const done = isDone
      ? (known.get(key) ?? (await runCall(call, tools, use)))
      : leaveOut(call, use.locale, isEnd(each) ? notDone : tooMany);
    known.set(key, done);
    yield* tell(each, done, wasRun, wasRun || !isDone);
  }
  return keyed.flatMap((each) => results.get(each) ?? []);
}

function leaveOut({ id, name }: ToolCall, locale: Locale, why: Message): FinishedCall {
  const outcome = fail(locale, why === notDone ? "not-finished" : "too-many-calls", why);
  const content = printOutcome(outcome);
  return { tool: name, params: {}, outcome, result: { id, content, isError: true } };
}

const tooMany: Message = {
  en: `Not run: only the first ${maxCalls} calls of an answer are. Call it again if it is still needed.`,
  zh: `未执行：一次回答只执行前 ${maxCalls} 个调用。如仍有需要，请重新调用。`,
};

const notDone: Message = {
  en: "The work is not finished: another call of the same message failed, or could not be read. Read why and go on. If nothing more can be done, call finish alone and say what was not done.",
  zh: "工作尚未结束：同一条消息中有其他调用失败，或无法读取。请阅读原因并继续。如果无法继续，请单独调用 finish，并说明什么没有完成。",
};

function isWrite(tools: Toolbox, name: string): boolean {
  return tools.find(name)?.effect === "write";
}

function groupCalls(tools: Toolbox, calls: readonly KeyedCall[], isSerial: boolean): KeyedCall[][] {
  const groups: KeyedCall[][] = [];
  let isOpen = false;
  for (const keyed of calls) {
    const isAlone = isSerial || isWrite(tools, keyed.call.name);
    const last = groups.at(-1);
    if (isOpen && !isAlone && last !== undefined && last.length < maxAtOnce) last.push(keyed);
    else groups.push([keyed]);
    isOpen = !isAlone;
  }
  return groups;
}

/** The first of its reasons is the step's; where a call gives several, the others stay among its parameters. */
function toEntry({ tool, params: given, outcome }: FinishedCall, now: number): HistoryEntry {
  const why = [...reasons].find((name) => typeof given[name] === "string") ?? "";
  const { [why]: reason, ...params } = given;
  return {
    tool,
    reason: typeof reason === "string" ? reason : "",
    params,
    result: outcome,
    timestamp: new Date(now).toISOString(),
  };
}

type EffortParts = Pick<CallRunner, "tools" | "now"> & { limits: LoopLimits };

/** So often a call may come to the same result before the turn is stopped. */
const maxSame = 3;

/** What a turn has come to so far, and whether that is enough. */
export class Effort {
  readonly #parts: EffortParts;
  readonly #start: number;
  /** What calls came to since something was written, and how often in a row. */
  readonly #seen = new Map<string, { content: string; count: number }>();
  #tokens = 0;

  constructor(parts: EffortParts) {
    this.#parts = parts;
    this.#start = parts.now();
  }

  spend(tokens: number): void {
    this.#tokens += tokens;
  }

  /** @param rounds answers of the model so far */
  findLimit(rounds: number): "rounds" | "tokens" | "time" | undefined {
    const { limits, now } = this.#parts;
    if (rounds >= limits.maxRounds) return "rounds";
    if (this.#tokens >= limits.maxTurnTokens) return "tokens";
    return now() - this.#start >= limits.maxTurnTime ? "time" : undefined;
  }

  /** Whether the model goes round in circles: one call, one result, and nothing was written in between. */
  isInCircle(results: readonly CallResult[]): boolean {
    const { tools } = this.#parts;
    let isStuck = false;
    for (const { key, call, result, outcome, wasRun } of results) {
      const wasCalled = outcome["code"] !== "bad-arguments";
      if (!wasRun || (wasCalled && tools.find(call.name)?.mayRepeat === true)) continue;
      // After a write the same call may well come to something else.
      if (outcome.success && isWrite(tools, call.name)) this.#seen.clear();
      else {
        const { content } = result;
        const known = this.#seen.get(key);
        const count = known?.content === content ? known.count + 1 : 1;
        this.#seen.set(key, { content, count });
        isStuck ||= count >= maxSame;
      }
    }
    return isStuck;
  }
}

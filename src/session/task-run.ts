// One task of a session while it runs: what the loop tells becomes messages of the log.
import { AppError, toAppError } from "../base/errors/app-error.ts";
import { sayError } from "../base/errors/to-public-error.ts";
import { sleep } from "../base/wire/patient-timer.ts";
import type { Talk } from "../flows/loop/talk.ts";
import type { LoopLimits } from "../flows/loop/coding.ts";
import type { Admission } from "../run/admissions.ts";
import { type Lease, changeValue } from "../store/store.ts";
import type { AskClient } from "../tools/specs/open-tool.ts";
import type { OpenTools } from "../tools/specs/read-specs.ts";
import type { CountCall } from "../tools/specs/policy.ts";
import type { AnyTool, AskCall } from "../tools/tool.ts";
import { hashText } from "../turn/state/sealed-state.ts";
import type { LlmConfig, OpenedModel } from "../model/own-model.ts";
import type { Caller, ChatModel } from "../turn/chat-model.ts";
import type { ChatMessage } from "../turn/chat-message.ts";
import { parseContext } from "../turn/context/context.ts";
import type { Turn } from "../turn/turn.ts";
import type { ModelAnswer, TurnEvent } from "../turn/turn-event.ts";
import { AskedCalls } from "./asked-calls.ts";
import {
  type ClientCall,
  type Completions,
  type Entry,
  type FunctionCall,
  type Line,
  listOpen,
  sayContents,
  sayStatus,
  toFunctionCall,
  toMessages,
  toToolReturn,
} from "./entry.ts";
import { type LogParts, type SessionLog, keepLease, leaseTime } from "./session-log.ts";
import { type AskReflector, type ReflectPrompt, reflectOn, sayReflection } from "./reflection.ts";
import type {
  AskedTask,
  OtherSessions,
  ParentTask,
  RunningTask,
  Session,
  SessionOptions,
  TaskEnd,
} from "./session.ts";
import { createSubAgent } from "./sub-agents.ts";

/** What a session asks of the house. */
interface House {
  /** @throws AppError `draining`, `overloaded`, `rate_limited` */
  admit(caller: Caller): Admission;
  /** Runs a task and ends its admission. */
  converse(admission: Admission, turn: Turn, talk: Talk): AsyncGenerator<TurnEvent, void, void>;
  /** @throws AppError `invalid_request`, `model_not_found`, `host_forbidden` */
  openModel(config: LlmConfig): OpenedModel;
  openTools: OpenTools;
  loopLimits: LoopLimits;
}

export interface HouseParts extends LogParts {
  house: House;
  createId: () => string;
}

interface RunParts extends HouseParts {
  sessions: OtherSessions;
}

/** What a task is run with. */
interface RunOptions {
  task: string;
  lease: Lease;
  admission: Admission;
  /** The task that this one works for. */
  parent?: ParentTask | undefined;
}

/** How often the text of an answer that is being written is saved at most, in milliseconds. */
const saveInterval = 250;
const retryInterval = 250;
const minute = 60_000;

export class TaskRun implements RunningTask {
  readonly session: Session;
  readonly task: string;
  readonly epoch: number;
  /** The position of its first message, as soon as it is there. */
  readonly begun: Promise<number>;
  readonly done: Promise<TaskEnd>;
  readonly chain: readonly string[];
  readonly caller: Caller;
  readonly canAllow: boolean;
  readonly #parts: RunParts;
  readonly #log: SessionLog;
  readonly #asked: AskedTask;
  readonly #options: RunOptions;
  readonly #stopped = new AbortController();
  readonly #text: AnswerText;
  readonly #asking: AskedCalls;
  #steps = 0;
  #answers = 0;
  #reflections = 0;
  /** Calls that have no result yet. */
  #open = 0;
  #said = "";
  #unsubscribe = (): void => undefined;
  #end: (end: TaskEnd) => void;

  constructor(parts: RunParts, session: Session, asked: AskedTask, options: RunOptions) {
    this.#parts = parts;
    this.session = session;
    this.#log = session.log;
    this.#asked = asked;
    this.#options = options;
    this.task = options.task;
    this.epoch = session.log.epoch;
    this.caller = asked.caller;
    this.canAllow = asked.canAllow ?? options.parent?.canAllow ?? false;
    this.chain = [...(options.parent?.chain ?? []), session.id];
    this.#text = new AnswerText(session.log, options.task, parts);
    this.#asking = new AskedCalls(session.log, parts);
    const { promise, resolve } = Promise.withResolvers<TaskEnd>();
    this.done = promise;
    this.#end = resolve;
    this.begun = this.#begin();
    this.begun.catch(() => undefined);
  }

  get isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  stop(): void {
    const message = { en: "The task was stopped.", zh: "任务已停止。" };
    this.#abort(new AppError("aborted", message));
  }

  /**
   * Runs the task to its end, and logs that.
   *
   * @param before tasks that have to be over first
   */
  async serve(before: readonly Promise<unknown>[]): Promise<void> {
    let lines: readonly Line[] = [];
    const { lease } = this.#options;
    const letGo = keepLease(lease, this.#parts.timers, () => this.#abort(leaseLost()));
    try {
      await this.begun;
      await Promise.race([Promise.all(before), aborted(this.#stopped.signal)]);
      lines = await this.#converse();
    } catch (thrown) {
      lines = [this.#tellFailure(toAppError(thrown))];
    }
    try {
      await this.#text.drop();
      await this.#append(lines, `end:${this.task}`);
      if (this.isStopped) await this.#log.forgetStop(this.task).catch(() => undefined);
    } finally {
      letGo();
      this.#unsubscribe();
      this.#options.admission.end();
      await lease.release().catch(() => undefined);
      this.#end({ line: lines.at(-1) ?? sayStatus("stop"), text: this.#said });
    }
  }

  async hear(entries: readonly Entry[]): Promise<void> {
    await this.#write(
      entries.map((entry) => ({ ...entry, parent: this.task })),
      this.#nextId(),
    );
  }

  async #begin(): Promise<number> {
    const { contents } = this.#asked;
    this.#unsubscribe = await this.#log.onStop((task) => {
      if (task === undefined || task === this.task) this.stop();
    });
    const asked: Line = { ...sayContents(contents), from: "user", to: "agent" };
    return this.#append([sayStatus("start"), asked], `start:${this.task}`);
  }

  async #converse(): Promise<Line[]> {
    const { house, sessions } = this.#parts;
    const { admission } = this.#options;
    if (this.isStopped || admission.signal.aborted) throw this.#reason();
    const options = await sessions.readOptions(this.session);
    const { model, modelId } = house.openModel(options.llmConfig);
    const talk = await this.#prepare(options);
    await this.#append([{ ...sayContents(this.#asked.contents), from: "agent", to: "llm" }]);
    let failure: AppError | undefined;
    for await (const event of house.converse(admission, this.#toTurn(model, modelId), talk)) {
      if (event.type === "turn-error") failure ??= event.error;
      else if (event.type !== "turn-end") await this.#take(event, model);
    }
    if (failure !== undefined) throw failure;
    if (this.isStopped) throw this.#reason();
    const said: Line = { type: "text", message: this.#said, from: "agent", to: "user" };
    return [said, sayStatus("done")];
  }

  async #prepare(options: SessionOptions): Promise<Talk> {
    const { house, sessions, timers } = this.#parts;
    const { llmConfig, systemPrompt, openSpecList, mcpServers, sessionList } = options;
    const { toolPolicy, toolStrategy, reflectors } = options;
    const { temperature, maxTokens, topP } = llmConfig;
    const said = toMessages(await this.#readPast(), this.session.id, this.task);
    const system: ChatMessage[] =
      systemPrompt === "" ? [] : [{ role: "system", content: systemPrompt }];
    const agents = await Promise.all(
      sessionList.map((agent) => createSubAgent(agent, { sessions, run: this, timers })),
    );
    const tools = await house.openTools(openSpecList, {
      narrowed: toolPolicy,
      mcpServers,
      askClient: this.#askClient,
      countCall: this.#countCall,
    });
    return {
      messages: [...system, ...said],
      tools: [...tools, ...agents],
      ...(this.canAllow ? { askCall: this.#askCall } : {}),
      parameters: { temperature, maxTokens, topP },
      limits: house.loopLimits,
      isSerial: toolStrategy === "serial",
      review:
        reflectors === undefined || reflectors.length === 0
          ? undefined
          : (answer) => this.#review(answer, reflectors),
    };
  }

  readonly #askClient: AskClient = async ({ arguments: parameters, ...call }, signal) => {
    const answer = await this.#ask({ ...call, parameters }, signal);
    return answer !== undefined && "result" in answer ? { result: answer.result } : undefined;
  };

  readonly #askCall: AskCall = async (asked, signal) => {
    const { id = "", tool: name, target, version = "", arguments: parameters } = asked;
    const shown = [this.session.id, this.task, id, name, target, version, parameters];
    const hash = await hashText(JSON.stringify(shown));
    const answer = await this.#ask({ id, name, parameters, target, hash }, signal);
    if (answer !== undefined && "allow" in answer && answer.allow) return { ok: true };
    const { [answer === undefined ? "late" : "refused"]: reason } = notAllowed;
    return { ok: false, reason: reason[this.#asked.locale] };
  };

  /** Counts for the session, in whichever process its tasks are. */
  readonly #countCall: CountCall = (grant, perMinute) => {
    const { store, now } = this.#parts;
    const key = `calls:{${this.session.id}}:${grant}`;
    const count = (times: number[] = []): number[] | undefined => {
      // A clock may be set back.
      const recent = times.filter((time) => Math.abs(now() - time) < minute);
      return recent.length < perMinute ? [...recent, now()] : undefined;
    };
    return changeValue(store, key, count, minute);
  };

  #ask(call: ClientCall, signal: AbortSignal): ReturnType<AskedCalls["ask"]> {
    const { id, hash } = call;
    const asked = { id, task: this.task, ...(hash === undefined ? {} : { hash }) };
    const tell = (own: string): Promise<number> => {
      const message = { ...call, id: own };
      return this.#append([{ from: "agent", to: "client", type: "functionCall", message }]);
    };
    return this.#asking.ask(asked, tell, signal);
  }

  /** @returns what the model is told where its answer is not good enough */
  async #review(answer: string, reflectors: readonly ReflectPrompt[]): Promise<string | undefined> {
    await this.#append([{ type: "text", message: answer, from: "agent", to: "reflection" }]);
    let completions: Completions | undefined;
    const ask: AskReflector = async (reflector, question, tool) => {
      const { model, modelId } = this.#parts.house.openModel(reflector.llmConfig);
      const found = await this.#askOnce(model, modelId, reflector, question, tool);
      completions = toCompletions(found, model);
      return found;
    };
    const { contents } = this.#asked;
    this.#reflections += 1;
    const message = await reflectOn(answer, this.#reflections, { contents, reflectors, ask });
    const found: Line = { type: "reflection", message, from: "reflection", to: "agent" };
    const isOver = message.isPass || message.count >= message.maxCount;
    const note = sayReflection(message);
    await this.#append([
      { ...found, ...(completions === undefined ? {} : { completions }) },
      ...(isOver ? [] : [{ type: "text", message: note, from: "agent", to: "llm" } as const]),
    ]);
    return isOver ? undefined : note;
  }

  /** The first answer of another model, in a turn of its own. @throws AppError */
  async #askOnce(
    model: ChatModel,
    modelId: string | undefined,
    { llmConfig, prompt }: ReflectPrompt,
    question: string,
    tool: AnyTool,
  ): Promise<ModelAnswer> {
    const { house } = this.#parts;
    const admission = house.admit(this.caller);
    const leave = (): void => admission.abort(this.#reason());
    this.#stopped.signal.addEventListener("abort", leave, { once: true });
    if (this.isStopped) leave();
    const { temperature, maxTokens, topP } = llmConfig;
    const turn = this.#toTurn(model, modelId, admission);
    const talk: Talk = {
      messages: [
        { role: "system", content: prompt },
        { role: "user", content: question },
      ],
      tools: [tool],
      parameters: { temperature, maxTokens, topP },
      limits: house.loopLimits,
    };
    try {
      for await (const event of house.converse(admission, turn, talk))
        if (event.type === "model-answer") return event.answer;
        else if (event.type === "turn-error") throw event.error;
      throw this.#reason();
    } finally {
      this.#stopped.signal.removeEventListener("abort", leave);
    }
  }

  /** All messages. What a task that was stopped still writes is among them, wherever it runs. */
  async #readPast(): Promise<Entry[]> {
    const entries = await this.#log.read();
    let hasWaited = false;
    for (const task of listOpen(entries, this.session.id)) {
      if (task === this.task || !(await this.#log.wasStopped(task))) continue;
      hasWaited = true;
      while (await this.#log.isHeld(task))
        await sleep(retryInterval, this.#parts.timers, this.#stopped.signal);
    }
    return hasWaited ? this.#log.read() : entries;
  }

  #toTurn(
    model: ChatModel,
    modelId: string | undefined,
    admission = this.#options.admission,
  ): Turn {
    const { caller, locale } = this.#asked;
    return {
      id: admission.id,
      agent: "session",
      command: "chat",
      definition: { name: "session" },
      messageTemplates: undefined,
      modelConfiguration: {},
      context: parseContext([]),
      history: [],
      locale,
      caller,
      model,
      modelId,
      extra: {},
      signal: admission.signal,
    };
  }

  async #take(event: TurnEvent, model: ChatModel): Promise<void> {
    if (event.type === "text-delta") this.#text.add(event.text);
    else if (event.type === "text-was-reasoning") this.#text.forget();
    else if (event.type === "model-busy" && event.isVoid === true) this.#text.forget();
    else if (event.type === "model-answer") await this.#tellAnswer(event.answer, model);
    else if (event.type === "tool-result") {
      const { id, content, isError } = event.result;
      await this.#tellReturn(toToolReturn(id, content, isError));
    }
  }

  async #tellAnswer(answer: ModelAnswer, model: ChatModel): Promise<void> {
    await this.#text.drop();
    const completions = toCompletions(answer, model);
    const ofModel = {
      from: "llm" as const,
      to: "agent" as const,
      answer: this.#answers++,
      ...(completions === undefined ? {} : { completions }),
    };
    this.#text.answer = this.#answers;
    const { text, calls } = answer;
    this.#said = text;
    if (calls.length === 0) {
      return void (await this.#append([{ ...ofModel, type: "text", message: text }]));
    }
    const message: FunctionCall[] = calls.map(toFunctionCall);
    const wanted = { type: "functionCallList", message } as const;
    const { completions: _, ...before } = ofModel;
    this.#open = calls.length;
    await this.#append([
      ...(text.trim() === "" ? [] : [{ ...before, type: "text" as const, message: text }]),
      { ...ofModel, ...wanted },
      { from: "agent", to: "tool", ...wanted },
      sayStatus("toolsStart"),
    ]);
  }

  async #tellReturn(message: ReturnType<typeof toToolReturn>): Promise<void> {
    this.#open -= 1;
    const done = sayStatus("toolsDone");
    await this.#append([
      { from: "tool", to: "agent", type: "toolReturn", message },
      { from: "agent", to: "llm", type: "toolReturn", message },
      ...(this.#open === 0 ? [{ ...done, from: "tool", to: "agent" } as Line, done] : []),
    ]);
  }

  /** @returns the position of the first */
  #append(lines: readonly Line[], id = this.#nextId()): Promise<number> {
    const parent = this.#options.parent?.task;
    return this.#write(
      lines.map((line) => this.#log.entry(this.task, line, parent)),
      id,
    );
  }

  #nextId(): string {
    return `step:${this.task}:${this.#steps++}`;
  }

  /** Tries again for a while where the store is away: an append counts once. */
  async #write(entries: readonly Entry[], id: string): Promise<number> {
    const { timers } = this.#parts;
    const { lease, parent } = this.#options;
    const giveUp = timers.now() + leaseTime;
    for (;;) {
      try {
        const at = await this.#log.append(entries, { id, lease });
        if (at === undefined) throw leaseLost();
        await parent?.hear(entries);
        return at;
      } catch (thrown) {
        const isAway = thrown instanceof AppError && thrown.code === "store_unavailable";
        if (!isAway || timers.now() > giveUp) throw thrown;
        await sleep(retryInterval, timers, new AbortController().signal);
      }
    }
  }

  #abort(reason: AppError): void {
    this.#options.admission.abort(reason);
    this.#stopped.abort(reason);
  }

  #reason(): AppError {
    const { signal } = this.#options.admission;
    return toAppError(signal.aborted ? signal.reason : this.#stopped.signal.reason);
  }

  #tellFailure(thrown: AppError): Line {
    const { admission } = this.#options;
    const error = admission.signal.aborted ? this.#reason() : thrown;
    if (error.code === "aborted") return sayStatus("stop");
    admission.end(undefined, error);
    const message = sayError(error, this.#asked.locale);
    return sayStatus("exception", { code: error.status, message });
  }
}

/** The text of an answer while it is written: told as it comes, and kept for who comes later. */
class AnswerText {
  /** Which one of its task. */
  answer = 0;
  readonly #log: SessionLog;
  readonly #task: string;
  readonly #parts: LogParts;
  #text = "";
  #told = 0;
  #isSaved = false;
  #stopSave: (() => void) | undefined;
  #telling: Promise<void> | undefined;
  #saving: Promise<void> | undefined;

  constructor(log: SessionLog, task: string, parts: LogParts) {
    this.#log = log;
    this.#task = task;
    this.#parts = parts;
  }

  add(text: string): void {
    this.#text += text;
    this.#telling ??= this.#tell();
    this.#stopSave ??= this.#parts.timers.start(() => {
      this.#stopSave = undefined;
      this.#isSaved = true;
      const { answer } = this;
      this.#saving = this.#log.saveText(this.#task, answer, this.#text).catch(() => undefined);
    }, saveInterval);
  }

  /** What was written so far does not count. */
  forget(): void {
    this.#text = "";
    this.#told = 0;
  }

  /** The answer is whole, or nothing more comes of it. */
  async drop(): Promise<void> {
    this.#stopSave?.();
    this.#stopSave = undefined;
    await this.#telling;
    await this.#saving;
    if (this.#isSaved) await this.#log.dropText(this.#task).catch(() => undefined);
    this.#isSaved = false;
    this.forget();
  }

  /** What comes while one piece is on its way is the next piece. */
  async #tell(): Promise<void> {
    try {
      while (this.#told < this.#text.length) {
        const [from, text] = [this.#told, this.#text.slice(this.#told)];
        this.#told = this.#text.length;
        const piece = { answer: this.answer, from, text };
        await this.#log.publish({ kind: "delta", task: this.#task, ...piece });
      }
    } catch {
      // Pieces are a courtesy; the whole answer is what counts.
    } finally {
      this.#telling = undefined;
    }
  }
}

function toCompletions(
  { usage, id, model }: ModelAnswer,
  asked: ChatModel,
): Completions | undefined {
  if (usage === undefined) return undefined;
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    id: id ?? "",
    model: model ?? asked.name,
  };
}

const notAllowed = {
  refused: {
    en: "the person has not allowed this call. Do not try it again; go on without it, or ask what they want.",
    zh: "用户没有批准这次调用。请勿重试，请继续其他步骤，或询问用户的意图。",
  },
  late: {
    en: "nobody has allowed this call in time. Do not try it again; tell the person.",
    zh: "没有人及时批准这次调用。请勿重试，请告知用户。",
  },
};

/** Resolves when a signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Somebody else has ended the task: this process was away for too long. */
function leaseLost(): AppError {
  return new AppError("internal", {
    en: "This task was ended by another server, since this one was away for too long.",
    zh: "此服务离线过久，任务已由另一个服务结束。",
  });
}

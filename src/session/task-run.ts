// One task of a session while it runs: what the loop tells becomes messages of the log.
import { AppError, toAppError } from "../base/errors/app-error.ts";
import { sayReason } from "../base/errors/to-public-error.ts";
import { onAbort, sleep } from "../base/wire/patient-timer.ts";
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
import { type AskedCalls, createAskedCalls } from "./asked-calls.ts";
import {
  type ClientCall,
  type Entry,
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
export interface House extends LogParts {
  /** @throws AppError `draining`, `overloaded`, `rate_limited` */
  admit(caller: Caller): Admission;
  /** Runs a task and ends its admission. */
  converse(admission: Admission, turn: Turn, talk: Talk): AsyncGenerator<TurnEvent, void, void>;
  /** @throws AppError `invalid_request`, `model_not_found`, `host_forbidden` */
  openModel(config: LlmConfig): OpenedModel;
  openTools: OpenTools;
  loopLimits: LoopLimits;
  createId: () => string;
}

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

export interface TaskRun extends RunningTask {
  readonly session: Session;
  /** The position of its first message, as soon as it is there. */
  readonly begun: Promise<number>;
  readonly isStopped: boolean;
  /**
   * Runs the task to its end, and logs that.
   *
   * @param before tasks that have to be over first
   */
  serve(before: readonly Promise<unknown>[]): Promise<void>;
}

export function beginTask(
  house: House & { sessions: OtherSessions },
  session: Session,
  asked: AskedTask,
  { task, lease, admission, parent }: RunOptions,
): TaskRun {
  const { sessions, store, timers, now } = house;
  const { log } = session;
  const { contents, caller, locale } = asked;
  const stopped = new AbortController();
  const ending = AbortSignal.any([admission.signal, stopped.signal]);
  const text = createAnswerText(log, task, house);
  const asking = createAskedCalls(log, house);
  const over = Promise.withResolvers<TaskEnd>();
  let [steps, answers, reflections] = [0, 0, 0];
  /** Calls that have no result yet. */
  let open = 0;
  let said = "";
  let unsubscribe = (): void => undefined;

  const abort = (reason: AppError): void => {
    admission.abort(reason);
    stopped.abort(reason);
  };
  const stop = (): void =>
    abort(new AppError("aborted", { en: "The task was stopped.", zh: "任务已停止。" }));
  const reasonOfEnd = (): AppError => toAppError(ending.reason);
  const nextId = (): string => `step:${task}:${steps++}`;

  /** Tries again for a while where the store is away: an append counts once. */
  async function write(entries: readonly Entry[], id: string): Promise<number> {
    const giveUp = timers.now() + leaseTime;
    for (;;) {
      try {
        const at = await log.append(entries, { id, lease });
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

  /** @returns the position of the first */
  function append(lines: readonly Line[], id = nextId()): Promise<number> {
    const entries = lines.map((line) => log.entry(task, line, parent?.task));
    return write(entries, id);
  }

  async function begin(): Promise<number> {
    unsubscribe = await log.onStop((wanted) => {
      if (wanted === undefined || wanted === task) stop();
    });
    const line: Line = { ...sayContents(contents), from: "user", to: "agent" };
    return append([sayStatus("start"), line], `start:${task}`);
  }

  async function converse(): Promise<Line[]> {
    if (ending.aborted) throw reasonOfEnd();
    const options = await sessions.readOptions(session);
    const opened = house.openModel(options.llmConfig);
    const talk = await prepare(options);
    await append([{ ...sayContents(contents), from: "agent", to: "llm" }]);
    let failure: AppError | undefined;
    for await (const event of house.converse(admission, toTurn(opened, admission), talk)) {
      if (event.type === "turn-error") failure ??= event.error;
      else await take(event, opened.model);
    }
    if (failure !== undefined) throw failure;
    if (stopped.signal.aborted) throw reasonOfEnd();
    return [{ type: "text", message: said, from: "agent", to: "user" }, sayStatus("done")];
  }

  async function prepare(options: SessionOptions): Promise<Talk> {
    const { llmConfig, systemPrompt, sessionList, mcpServers, toolPolicy } = options;
    const { toolStrategy, reflectors = [] } = options;
    const { temperature, maxTokens, topP } = llmConfig;
    const past = toMessages(await readPast(), session.id, task);
    const system: ChatMessage[] =
      systemPrompt === "" ? [] : [{ role: "system", content: systemPrompt }];
    const agents = await Promise.all(
      sessionList.map((agent) => createSubAgent(agent, { sessions, run, timers })),
    );
    const tools = await house.openTools(options.openSpecList, {
      narrowed: toolPolicy,
      mcpServers,
      askClient,
      countCall,
    });
    return {
      messages: [...system, ...past],
      tools: [...tools, ...agents],
      ...(run.canAllow ? { askCall } : {}),
      parameters: { temperature, maxTokens, topP },
      limits: house.loopLimits,
      isSerial: toolStrategy === "serial",
      review: reflectors.length === 0 ? undefined : (answer) => review(answer, reflectors),
    };
  }

  const askClient: AskClient = async ({ arguments: parameters, ...call }, signal) => {
    const answer = await ask({ ...call, parameters }, signal);
    return answer !== undefined && "result" in answer ? { result: answer.result } : undefined;
  };

  const askCall: AskCall = async (call, signal) => {
    const { id = "", tool: name, target, version = "", arguments: parameters } = call;
    const shown = [session.id, task, id, name, target, version, parameters];
    const hash = await hashText(JSON.stringify(shown));
    const answer = await ask({ id, name, parameters, target, hash }, signal);
    if (answer !== undefined && "allow" in answer && answer.allow) return { ok: true };
    const { [answer === undefined ? "late" : "refused"]: reason } = notAllowed;
    return { ok: false, reason: reason[locale] };
  };

  /** Counts for the session, in whichever process its tasks are. */
  const countCall: CountCall = (grant, perMinute) => {
    const count = (times: number[] = []): number[] | undefined => {
      // A clock may be set back.
      const recent = times.filter((time) => Math.abs(now() - time) < minute);
      return recent.length < perMinute ? [...recent, now()] : undefined;
    };
    return changeValue(store, `calls:{${session.id}}:${grant}`, count, minute);
  };

  function ask(call: ClientCall, signal: AbortSignal): ReturnType<AskedCalls["ask"]> {
    const { id, hash } = call;
    const tell = (own: string): Promise<number> => {
      const message = { ...call, id: own };
      return append([{ from: "agent", to: "client", type: "functionCall", message }]);
    };
    return asking.ask({ id, task, ...(hash === undefined ? {} : { hash }) }, tell, signal);
  }

  /** @returns what the model is told where its answer is not good enough */
  async function review(
    answer: string,
    reflectors: readonly ReflectPrompt[],
  ): Promise<string | undefined> {
    await append([{ type: "text", message: answer, from: "agent", to: "reflection" }]);
    let ofModel: Pick<Line, "completions"> = {};
    const askReflector: AskReflector = async (reflector, question, tool) => {
      const opened = house.openModel(reflector.llmConfig);
      const found = await askOnce(opened, reflector, question, tool);
      ofModel = toCompletions(found, opened.model);
      return found;
    };
    reflections += 1;
    const reflecting = { contents, reflectors, ask: askReflector };
    const message = await reflectOn(answer, reflections, reflecting);
    const isOver = message.isPass || message.count >= message.maxCount;
    const note = sayReflection(message);
    await append([
      { type: "reflection", message, from: "reflection", to: "agent", ...ofModel },
      ...(isOver ? [] : [{ type: "text", message: note, from: "agent", to: "llm" } as const]),
    ]);
    return isOver ? undefined : note;
  }

  /** The first answer of another model, in a turn of its own. @throws AppError */
  async function askOnce(
    opened: OpenedModel,
    { llmConfig: { temperature, maxTokens, topP }, prompt }: ReflectPrompt,
    question: string,
    tool: AnyTool,
  ): Promise<ModelAnswer> {
    const own = house.admit(caller);
    const forget = onAbort(stopped.signal, () => own.abort(reasonOfEnd()));
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
      for await (const event of house.converse(own, toTurn(opened, own), talk))
        if (event.type === "model-answer") return event.answer;
        else if (event.type === "turn-error") throw event.error;
      throw reasonOfEnd();
    } finally {
      forget();
    }
  }

  /** All messages. What a task that was stopped still writes is among them, wherever it runs. */
  async function readPast(): Promise<Entry[]> {
    const entries = await log.read();
    let hasWaited = false;
    for (const one of listOpen(entries, session.id)) {
      if (one === task || !(await log.wasStopped(one))) continue;
      hasWaited = true;
      while (await log.isHeld(one)) await sleep(retryInterval, timers, stopped.signal);
    }
    return hasWaited ? log.read() : entries;
  }

  function toTurn({ model, modelId }: OpenedModel, { id, signal }: Admission): Turn {
    return {
      id,
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
      signal,
    };
  }

  async function take(event: TurnEvent, model: ChatModel): Promise<void> {
    if (event.type === "text-delta") text.add(event.text);
    else if (event.type === "text-was-reasoning") text.forget();
    else if (event.type === "model-busy" && event.isVoid === true) text.forget();
    else if (event.type === "model-answer") await tellAnswer(event.answer, model);
    else if (event.type === "tool-result") {
      const { id, content, isError } = event.result;
      const message = toToolReturn(id, content, isError);
      const done = sayStatus("toolsDone");
      open -= 1;
      await append([
        { from: "tool", to: "agent", type: "toolReturn", message },
        { from: "agent", to: "llm", type: "toolReturn", message },
        ...(open === 0 ? [{ ...done, from: "tool", to: "agent" } as Line, done] : []),
      ]);
    }
  }

  async function tellAnswer(answer: ModelAnswer, model: ChatModel): Promise<void> {
    await text.drop();
    const before = { from: "llm", to: "agent", answer: answers++ } as const;
    const ofModel = { ...before, ...toCompletions(answer, model) };
    text.answer = answers;
    const { calls } = answer;
    said = answer.text;
    if (calls.length === 0) {
      await append([{ ...ofModel, type: "text", message: said }]);
      return;
    }
    const wanted = { type: "functionCallList", message: calls.map(toFunctionCall) } as const;
    open = calls.length;
    await append([
      ...(said.trim() === "" ? [] : [{ ...before, type: "text" as const, message: said }]),
      { ...ofModel, ...wanted },
      { from: "agent", to: "tool", ...wanted },
      sayStatus("toolsStart"),
    ]);
  }

  function tellFailure(thrown: AppError): Line {
    const error = admission.signal.aborted ? reasonOfEnd() : thrown;
    if (error.code === "aborted") return sayStatus("stop");
    admission.end(undefined, error);
    return sayStatus("exception", { code: error.status, message: sayReason(error, locale) });
  }

  const begun = begin();
  begun.catch(() => undefined);
  const run: TaskRun = {
    session,
    task,
    begun,
    caller,
    stop,
    done: over.promise,
    canAllow: asked.canAllow ?? parent?.canAllow ?? false,
    chain: [...(parent?.chain ?? []), session.id],
    get isStopped() {
      return stopped.signal.aborted;
    },
    async hear(entries) {
      const own = entries.map((entry) => ({ ...entry, parent: task }));
      await write(own, nextId());
    },
    async serve(before) {
      let lines: readonly Line[] = [];
      const letGo = keepLease(lease, timers, () => abort(leaseLost()));
      try {
        await begun;
        const isStopped = new Promise<void>((resolve) => onAbort(stopped.signal, resolve));
        await Promise.race([Promise.all(before), isStopped]);
        lines = await converse();
      } catch (thrown) {
        lines = [tellFailure(toAppError(thrown))];
      }
      try {
        await text.drop();
        await append(lines, `end:${task}`);
        if (stopped.signal.aborted) await log.forgetStop(task).catch(() => undefined);
      } finally {
        letGo();
        unsubscribe();
        admission.end();
        await lease.release().catch(() => undefined);
        over.resolve({ line: lines.at(-1) ?? sayStatus("stop"), text: said });
      }
    },
  };
  return run;
}

/** The text of an answer while it is written: told as it comes, and kept for who comes later. */
function createAnswerText(log: SessionLog, task: string, { timers }: LogParts) {
  let [text, told] = ["", 0];
  let isSaved = false;
  let stopSave: (() => void) | undefined;
  let telling: Promise<void> | undefined;
  let saving: Promise<unknown> | undefined;

  /** What comes while one piece is on its way is the next piece. */
  const tell = async (): Promise<void> => {
    try {
      while (told < text.length) {
        const piece = { answer: kept.answer, from: told, text: text.slice(told) };
        told = text.length;
        await log.publish({ kind: "delta", task, ...piece });
      }
    } catch {
      // Pieces are a courtesy; the whole answer is what counts.
    } finally {
      telling = undefined;
    }
  };
  const kept = {
    /** Which one of its task. */
    answer: 0,
    add(piece: string): void {
      text += piece;
      telling ??= tell();
      stopSave ??= timers.start(() => {
        stopSave = undefined;
        isSaved = true;
        saving = log.saveText(task, kept.answer, text).catch(() => undefined);
      }, saveInterval);
    },
    /** What was written so far does not count. */
    forget(): void {
      [text, told] = ["", 0];
    },
    /** The answer is whole, or nothing more comes of it. */
    async drop(): Promise<void> {
      stopSave?.();
      stopSave = undefined;
      await telling;
      await saving;
      if (isSaved) await log.dropText(task).catch(() => undefined);
      isSaved = false;
      kept.forget();
    },
  };
  return kept;
}

function toCompletions(
  { usage, id = "", model }: ModelAnswer,
  asked: ChatModel,
): Pick<Line, "completions"> {
  if (usage === undefined) return {};
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  return {
    completions: {
      promptTokens: prompt_tokens,
      completionTokens: completion_tokens,
      totalTokens: total_tokens,
      id,
      model: model ?? asked.name,
    },
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

/** Somebody else has ended the task: this process was away for too long. */
function leaseLost(): AppError {
  return new AppError("internal", {
    en: "This task was ended by another server, since this one was away for too long.",
    zh: "此服务离线过久，任务已由另一个服务结束。",
  });
}

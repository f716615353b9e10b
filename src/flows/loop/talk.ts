import * as z from "zod";
import { AppError } from "../../base/errors/app-error.ts";
import { fitCall } from "../../tools/run-call.ts";
import { type AnyTool, type AskCall, type FileUse, Toolbox } from "../../tools/tool.ts";
import {
  type ChatMessage,
  type OfferedTool,
  type ToolCall,
  textOfMessage,
} from "../../turn/chat-message.ts";
import type { ChatRequest, Subject } from "../../turn/chat-model.ts";
import { findFencedCode } from "../../turn/context/fenced-code.ts";
import { noFocus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { ModelAnswer, TurnEvent } from "../../turn/turn-event.ts";
import { prepare, tellFault } from "../ask/answer.ts";
import { showKnowledge } from "../click/seal-action.ts";
import type { Flow, Services } from "../flow.ts";
import { type AskParts, type CallAnswer, askForCalls, createPatience } from "./ask-for-calls.ts";
import type { LoopLimits } from "./coding.ts";
import { Conversation, countToolTokens } from "./conversation.ts";
import { type CallRunner, Effort, maxAnswered, runCalls } from "./run-loop.ts";

/** A conversation that goes on by one task: any tools, no workspace, no templates. */
export interface Talk {
  /**
   * System prompt, earlier messages (text, images, calls, results) and the question, oldest first. What does not fit the
   * model's window is shortened, the oldest first.
   */
  messages: readonly ChatMessage[];
  tools: readonly AnyTool[];
  /** What tools that work on files use; without it their calls are told that there are none. */
  files?: FileUse;
  /** Asks for a call that a person has to allow; without it such a call is refused. */
  askCall?: AskCall;
  parameters: Pick<ChatRequest, "temperature" | "maxTokens" | "topP" | "extra">;
  limits: LoopLimits;
  /** Calls of an answer are run one after the other, reads, too. */
  isSerial?: boolean;
  /** Looks at an answer that calls nothing. @returns what the model is told to do better; undefined where it counts */
  review?: ((answer: string) => Promise<string | undefined>) | undefined;
}

/**
 * Asks the model, runs what it calls, tells it the results, and so on until it calls nothing more. The model's words come
 * as they are, as deltas; each whole answer follows as `model-answer`, then its `tool-call`s and `tool-result`s in
 * their order. After a `model-busy` that is void (the model is asked again) and after `text-was-reasoning` the deltas
 * since the last `model-answer` do not count.
 *
 * @throws AppError `prompt_too_large` where even the shortest form of the messages does not fit, `limit_reached`, and
 * what the model fails with
 */
export async function* talk(
  turn: Turn,
  { timers, now }: Services,
  { messages, tools: wanted, files, askCall, parameters, limits, isSerial = false, review }: Talk,
): AsyncGenerator<TurnEvent, void, void> {
  const { model, modelId, locale, signal } = turn;
  const tools = new Toolbox(model.toolCalls === "none" ? [] : wanted);
  const offered = tools.offer(locale);
  const runner: AskParts & CallRunner = {
    turn,
    tools,
    use: { ...files, askCall, locale, signal },
    repeatsWrites: true,
    isSerial,
    page: plainPage,
    patience: createPatience(timers, maxPatience),
    now,
    showStep: () => [],
  };
  const effort = new Effort({ tools, now, limits });
  const { maxTokens = 0 } = parameters;
  const reserve = Math.min(Math.max(model.answerReserve, maxTokens), model.contextWindow / 2);
  const budget = model.contextWindow - reserve - countToolTokens(offered);
  const conversation = new Conversation(openTalk(messages), budget);
  let hasResults = false;
  for (let round = 0; ; round += 1) {
    // A write outlasts an abort, and the model need not be asked for what comes of it.
    signal.throwIfAborted();
    const limit = effort.findLimit(round);
    if (limit !== undefined) throw new AppError("limit_reached", limitsReached[limit]);
    const fitting = conversation.fit();
    if (fitting === undefined) throw new AppError("prompt_too_large", tooLong);
    const request: ChatRequest = {
      messages: fitting,
      tools: offered,
      // The last answer that is allowed says what was found out so far.
      toolChoice: round + 1 < limits.maxRounds ? "auto" : "none",
      locale,
      subject: () => findSubject(messages),
      ...(modelId === undefined ? {} : { model: modelId }),
      ...parameters,
    };
    const asked = { request, round: `${round}_${turn.id.slice(-12)}`, known: "" };
    const answer = yield* askForCalls(runner, asked);
    effort.spend(answer.tokens);
    if (hasResults && isEmpty(answer)) {
      hasResults = false;
      conversation.add("", [], answerEmpty[locale]);
      continue;
    }
    yield { type: "model-answer", answer: toModelAnswer(answer) };
    const faults = answer.faults.map((fault) => fault[locale]).join("\n");
    if (answer.calls.length === 0 && faults === "") {
      const note = round + 1 < limits.maxRounds ? await review?.(answer.said) : undefined;
      if (note === undefined) return yield { type: "turn-end", reason: answer.reason };
      conversation.add(answer.said, [], note);
      continue;
    }
    const results = yield* runCalls(runner, answer.calls, faults !== "");
    if (effort.isInCircle(results)) throw new AppError("limit_reached", limitsReached.repeats);
    hasResults = results.length > 0;
    conversation.add(faults === "" ? answer.said : answer.raw, results, faults);
  }
}

/** A plain question: the model calls tools that the agent's operator has listed until it knows the answer. */
export const askWithTools: Flow = async function* (turn, services, focus = noFocus) {
  const tools = (await services.toolsOf?.(turn.agent)) ?? [];
  const { receipt, request } = await prepare(turn, services, focus, undefined, {
    mayBeOutline: true,
  });
  yield receipt;
  const { messages, model: _, locale: __, subject: ___, ...parameters } = request;
  const limits = services.loopLimits;
  let said = "";
  for await (const event of talk(turn, services, { messages, tools, parameters, limits })) {
    if (event.type === "turn-end") {
      yield* tellFault(turn, services, focus, event.reason, { said });
      yield* showKnowledge(turn);
    }
    // Its calls are ours to make, and no door's to pass on.
    if (event.type === "model-answer") said = event.answer.text;
    else yield event;
  }
};

/** Somebody waits for the answer, and hears nothing meanwhile; in milliseconds. */
const maxPatience = 5_000;

/** After results some models think aloud and say nothing; they are asked once more. */
function isEmpty({ said, calls, faults, reason }: CallAnswer): boolean {
  return said.trim() === "" && calls.length === 0 && faults.length === 0 && reason === "stop";
}

const answerEmpty = {
  en: "Your answer was empty. What you think is not read. Answer the question, or call a tool.",
  zh: "你的回答是空的，思考过程不会被读取。请回答问题，或调用工具。",
};

/** Of the model's words nothing is left out, and nothing is put between them. */
const plainPage: AskParts["page"] = {
  *write(text) {
    if (text !== "") yield { type: "text-delta", text };
  },
  *block() {},
};

function isOfSystem({ role }: { role: string }): boolean {
  return role === "system" || role === "developer";
}

/** What is in front for ever, what was said before, and what is asked. */
function openTalk(messages: readonly ChatMessage[]) {
  const first = messages.findIndex((message) => !isOfSystem(message));
  const start = first === -1 ? messages.length : first;
  const asked = Math.max(
    start,
    messages.findLastIndex(({ role }) => role === "user"),
  );
  return {
    head: messages.slice(0, start),
    past: messages.slice(start, asked),
    question: messages.slice(asked),
    cutsLast: true,
  };
}

function toModelAnswer({ said, calls, usage, head }: CallAnswer): ModelAnswer {
  return {
    text: said,
    calls: calls.slice(0, maxAnswered),
    ...(usage === undefined ? {} : { usage }),
    ...(head === undefined ? {} : { id: head.id, model: head.model }),
  };
}

/** For a model that reads no prompts: the code of the question, or of what was said before. */
function findSubject(messages: readonly ChatMessage[]): Subject {
  const said = messages.filter(({ role }) => role === "user").map(textOfMessage);
  const question = said.pop() ?? "";
  const block = findFencedCode(question, said);
  const { path = "", language = "", text = "" } = block ?? {};
  const asked = block?.around() ?? question;
  return {
    path,
    language,
    text,
    startLine: 1,
    command: "talk",
    file: text,
    facts: {},
    question: asked,
  };
}

const limitsReached = {
  rounds: {
    en: "The task was stopped: it has used all its answers of the model.",
    zh: "任务已停止：可用的模型回答次数已用完。",
  },
  tokens: {
    en: "The task was stopped: it has used all its tokens.",
    zh: "任务已停止：可用的 token 已用完。",
  },
  time: {
    en: "The task was stopped: it has taken all its time.",
    zh: "任务已停止：可用的时间已用完。",
  },
  repeats: {
    en: "The task was stopped: the same call of a tool came to the same result three times.",
    zh: "任务已停止：同一个工具调用三次得到同样的结果。",
  },
};

const tooLong = {
  en: "The question is larger than this model can take, together with the system prompt and the tools.",
  zh: "问题与系统提示词、工具合在一起，超出了该模型的容量。",
};

/** A question of an agent that has tools of its own: the model answers once, and that agent runs the calls. */
export interface ClientTalk {
  /** As the client has sent them, oldest first; its own system prompt is among them. */
  messages: readonly ChatMessage[];
  offered: readonly OfferedTool[];
  /** What else the client says of calls and of the answer's form. */
  form: Pick<ChatRequest, "toolChoice" | "parallelToolCalls" | "responseFormat">;
}

/**
 * Asks the model with the client's tools and messages as they are; in front of them come the system messages that the
 * agent's own definition has. The text comes as deltas, then `model-answer` with the calls. Calls that the model
 * writes into its text count where it has made no others.
 */
export async function* answerClient(
  turn: Turn,
  services: Services,
  { messages, offered, form }: ClientTalk,
): AsyncGenerator<TurnEvent, void, void> {
  const shown = turn.model.toolCalls === "none" ? [] : offered;
  const { request, rules } = await prepareRules(turn, services);
  const tools = new Toolbox(form.toolChoice === "none" ? [] : shown.map(toTool));
  const asked: ChatRequest = {
    ...request,
    ...form,
    messages: [...rules, ...messages],
    ...(shown.length === 0 ? {} : { tools: shown }),
    subject: () => findSubject(messages),
  };
  // It is that agent who asks again where the model fails.
  const parts = { turn, tools, page: plainPage, patience: createPatience(services.timers, 0) };
  const round = turn.id.slice(-12);
  const given = yield* askForCalls(parts, { request: asked, round, known: "" });
  const { reason, areWritten, raw } = given;
  const answer = toModelAnswer(given);
  // That agent has limits of its own.
  answer.calls = areWritten ? given.calls.map((call) => withTypes(call, tools)) : given.calls;
  // What only looks like a call is the client's to read.
  if (answer.calls.length === 0 && raw.startsWith(answer.text)) {
    yield* plainPage.write(raw.slice(answer.text.length));
    answer.text = raw;
  }
  yield { type: "model-answer", answer };
  const isStopped = reason === "stop" || reason === "tool_calls";
  const end = answer.calls.length > 0 ? "tool_calls" : "stop";
  yield { type: "turn-end", reason: isStopped ? end : reason };
}

/** What the definition says of the model, and the system messages of its own templates. */
async function prepareRules(turn: Turn, services: Services) {
  const messageTemplates = [
    ...(turn.messageTemplates ?? []).filter(isOfSystem),
    // In the place of the client's own messages: a prompt without any would be refused.
    { role: "user" as const, template: "..." },
  ];
  const { request } = await prepare({ ...turn, messageTemplates, history: [] }, services);
  return { request, rules: request.messages.filter(isOfSystem) };
}

const anyFields = z.looseObject({});
const noText = { en: "", zh: "" };

/** Only read out of text: the client runs it. */
function toTool({ name, description, parameters }: OfferedTool): AnyTool {
  return {
    name,
    description: { en: description, zh: description },
    input: anyFields,
    schema: parameters,
    fields: Object.fromEntries(
      Object.keys(Object(parameters["properties"])).map((field) => [field, noText]),
    ),
    effect: "read",
    run: async () => ({ success: false }),
  };
}

/** With values of the types that the client's schema has: in text all of them are words. */
function withTypes(call: ToolCall, tools: Toolbox): ToolCall {
  const { tool, params } = fitCall(call, tools);
  return params === undefined
    ? call
    : { ...call, name: tool.name, arguments: JSON.stringify(params) };
}

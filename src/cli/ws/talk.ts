// One end of a conversation of the plugin protocol: requests go out, answers and questions of the agent come in.
import { cutText } from "../../base/text/lines.ts";
import { parseJson } from "../../base/text/json.ts";
import type { CliTexts } from "../texts.ts";
import { relative } from "node:path";
import * as z from "zod";
import { ChatMessage } from "../../turn/chat-message.ts";
import type { ChatModel, ChatRequest } from "../../turn/chat-model.ts";
import { type AnswerPart, failure } from "../call/show/print-answer.ts";
import { type Terminal, note } from "../call/terminal.ts";
import { isUnder } from "../../workspace/directory/resolve-path.node.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import type { AnswerIde, IdeAnswer } from "./ide.ts";
import type { PluginSocket } from "./socket.ts";

const Id = z.union([z.string(), z.number()]).nullish();
/** A message of the agent: a piece of an answer, a question about the project, or a prompt for a model of ours. */
const AgentFrame = z.looseObject({
  request_id: z.unknown().optional(),
  msg: z.string().nullish(),
  stream_finsh: z.boolean().nullish(),
  error: z.string().nullish(),
  models: z.array(z.string()).nullish(),
  /** Beside the last piece of an answer that a limit of its model has ended. */
  finish_reason: z.string().nullish(),
  task_id: Id,
  /** From 1. */
  queue_place: z.number().nullish(),
  queue_length: z.number().nullish(),
  ide_request_id: Id,
  path: z.string().nullish(),
  params: z.unknown().optional(),
  cmd: z.string().nullish(),
  llm_request_id: Id,
  model: z.string().nullish(),
  messages: z.unknown().optional(),
});
type AgentFrame = z.infer<typeof AgentFrame>;

export interface TalkOptions {
  socket: PluginSocket;
  answerIde: AnswerIde;
  /** Answers a prompt with a model of this side; `createModelAnswers` does. */
  answerModel: (id: string | number, frame: AgentFrame) => void;
  signal: AbortSignal;
  terminal: Terminal;
  texts: CliTexts;
  /** What is awaited while the request waits in a queue. */
  command: string;
  root: string;
  raw?: boolean | undefined;
  /** Tells what the agent wants to know about the project, and what it gets. */
  receipt?: boolean | undefined;
}

export interface Heard {
  text: string;
  taskId: string | number | undefined;
}

/** Sends a request and reads its answer to the end; an abort ends it without a word. */
export type Talk = (request: object, heard: Heard) => AsyncGenerator<AnswerPart, void, void>;

/** Of an answer, in characters. */
const maxAnswer = 16 * 1024 * 1024;
/** Questions of the agent that are answered at once. */
const maxQuestions = 64;

/** Asks one thing at a time, and answers whatever is asked back meanwhile. */
export function createTalk(options: TalkOptions): Talk {
  const { socket, signal, terminal, texts, raw, command } = options;
  let questions = 0;
  const answer = async (id: string | number, path: string, params: unknown): Promise<void> => {
    questions += 1;
    const found: IdeAnswer =
      questions > maxQuestions
        ? { error: "Too many questions at once." }
        : await options
            .answerIde(path, params)
            .catch(() => ({ error: "The question could not be answered." }));
    questions -= 1;
    if (options.receipt === true)
      note(describeQuestion(path, params, found, options.root, texts), terminal);
    socket.send({ ide_request_id: id, ...found });
  };
  /** @returns whether the frame is a question to us */
  const takeQuestion = (frame: AgentFrame): boolean => {
    const { llm_request_id: prompt, ide_request_id: question } = frame;
    if (prompt !== undefined && prompt !== null) options.answerModel(prompt, frame);
    else if (question !== undefined && question !== null)
      void answer(question, frame.path ?? "", frame.params);
    else return false;
    return true;
  };
  function* read(frame: AgentFrame, heard: Heard): Generator<AnswerPart, void, void> {
    const { error, msg, models, queue_place: place, finish_reason: reason } = frame;
    if (typeof place === "number" && raw !== true) {
      note(texts.place(place), terminal);
      terminal.wait(command);
    }
    if (error === "queue_full") return yield failure(texts.queueFull(frame.queue_length ?? 0));
    if (error) return yield failure(error === "cancelled" ? texts.cancelled : error);
    heard.taskId = frame.task_id ?? heard.taskId;
    for (const text of [msg, ...(models ?? []).map((name) => `${escapeLine(name)}\n`)])
      if (text) {
        heard.text += text;
        yield { type: "text-delta", text };
      }
    if (reason) yield { type: "cut", reason };
    if (heard.text.length > maxAnswer) yield failure(texts.tooLong);
  }
  return async function* ask(request, heard) {
    socket.send(request);
    const asked: unknown = Reflect.get(request, "request_id");
    for (;;) {
      const { done, value: text } = await socket.receive.next();
      if (signal.aborted) return;
      if (done === true) {
        const { code = 1006, reason = "" } = socket.closed ?? {};
        return yield failure(texts.closed(code, reason));
      }
      // A message is JSON, in which a line break can only be between two values.
      if (raw === true) terminal.out(`${text.replaceAll(/[\r\n]+/g, " ")}\n`);
      const frame = AgentFrame.safeParse(parseJson(text)).data;
      if (frame === undefined) return yield failure(texts.noFrame);
      // A message that cannot be read is refused without an id.
      if (takeQuestion(frame) || (frame.request_id ?? asked) !== asked) continue;
      yield* read(frame, heard);
      if (isLast(frame) || heard.text.length > maxAnswer) return;
    }
  };
}

const maxPath = 200;

/** What the agent wanted to know of the project, and what it got: `/read_file src/item.py (88 characters sent)`. */
function describeQuestion(
  path: string,
  params: unknown,
  answer: IdeAnswer,
  root: string,
  texts: CliTexts,
): string {
  const { abspath, line, character }: Record<string, unknown> = Object(params);
  const named = typeof abspath === "string" ? abspath : "";
  const file = named !== "" && isUnder(root, named) ? relative(root, named) : named;
  const hasPlace = typeof line === "number" && typeof character === "number";
  const place = hasPlace ? `:${line + 1}:${character + 1}` : "";
  return texts.asked(
    `${path} ${cutText(file, maxPath)}${place} (${describeAnswer(answer, texts)})`,
  );
}

function describeAnswer(answer: IdeAnswer, texts: CliTexts): string {
  if ("error" in answer) return texts.refusedAnswer(answer.error);
  const { result } = answer;
  if (result === true) return texts.writtenAnswer;
  if (typeof result === "string") return texts.sent(result.length);
  return texts.given(Array.isArray(result) ? result.length : 0);
}

/** Whether nothing of the same answer follows. A server may write that there was no error. */
function isLast({ error, models, msg, stream_finsh: isEnd }: AgentFrame): boolean {
  if (error || Array.isArray(models) || isEnd === true) return true;
  return typeof msg === "string" && typeof isEnd !== "boolean";
}

export interface ModelAnswersOptions extends Pick<TalkOptions, "signal" | "texts"> {
  /** The model as the person asked for it; only this one answers. */
  asked: string | undefined;
  /** Of the settings here; undefined where they have none of this name. */
  model: ChatModel | undefined;
  socket: Pick<PluginSocket, "send">;
  /** Is told which model was asked for and is not here, and why one failed. */
  tell: (text: string) => void;
}

/** Answers at once, and for one command: the person pays for them. */
const [maxCalls, maxPrompts] = [4, 20];

const Prompt = z.looseObject({
  messages: z.array(ChatMessage).min(1).max(1_000),
  temperature: z.number().nullish(),
  max_tokens: z.int().min(1).nullish(),
  top_p: z.number().nullish(),
});

export function createModelAnswers(options: ModelAnswersOptions): TalkOptions["answerModel"] {
  const { asked, model, signal, tell, texts } = options;
  const running = new Map<string | number, AbortController>();
  let prompts = 0;
  const answer = async (id: string | number, frame: AgentFrame): Promise<void> => {
    const send = (fields: object): void => options.socket.send({ llm_request_id: id, ...fields });
    const { data } = Prompt.safeParse(frame);
    const lent = frame.model === asked ? model : undefined;
    if (lent === undefined) tell(texts.noModel(frame.model ?? ""));
    const isTooMuch = running.size >= maxCalls || prompts >= maxPrompts;
    if (lent === undefined || data === undefined || isTooMuch)
      return send({ error: "This model is not available here." });
    prompts += 1;
    const stop = new AbortController();
    running.set(id, stop);
    const either = AbortSignal.any([signal, stop.signal]);
    try {
      let next = 0;
      const caller = { forward: () => ({}) };
      for await (const event of lent.stream(toChatRequest(data), { signal: either, caller }))
        if (event.type === "text-delta")
          send({ msg: event.text, stream_seq_id: next++, stream_finsh: false });
      send({ msg: "", stream_seq_id: next, stream_finsh: true });
    } catch (thrown) {
      if (either.aborted) return;
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      tell(message);
      send({ error: message });
    } finally {
      running.delete(id);
    }
  };
  return (id, frame) => {
    if (frame.cmd === "llm_cancel") running.get(id)?.abort();
    else if (frame.cmd === "llm_chat") void answer(id, frame);
  };
}

function toChatRequest({
  messages,
  temperature,
  max_tokens: maxTokens,
  top_p: topP,
}: z.infer<typeof Prompt>): ChatRequest {
  return {
    messages,
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof maxTokens === "number" ? { maxTokens } : {}),
    ...(typeof topP === "number" ? { topP } : {}),
  };
}

// One end of a conversation of the plugin protocol: requests go out, answers and questions of the agent come in.
import { relative, sep } from "node:path";
import * as z from "zod";
import { isPluginModel } from "../../doors/plugin/plugin-models.ts";
import { ChatMessage } from "../../turn/chat-message.ts";
import type { ChatModel, ChatRequest } from "../../turn/chat-model.ts";
import type { AnswerPart } from "../call/show/print-answer.ts";
import { type Terminal, note } from "../call/terminal.ts";
import { parseJson } from "../read/read-text-file.ts";
import type { AnswerIde, IdeAnswer } from "./ide.ts";
import type { PluginSocket } from "./socket.ts";
import type { CallTexts } from "../call/texts.ts";

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

export interface AskOptions {
  socket: PluginSocket;
  answerIde: AnswerIde;
  /** Answers a prompt with a model of this side; `createModelAnswers` does. */
  answerModel: (id: string | number, frame: AgentFrame) => void;
  signal: AbortSignal;
  terminal: Terminal;
  texts: CallTexts;
  /** What is awaited while the request waits in a queue. */
  command: string;
  /** The folder of the project. */
  root: string;
  /** Prints every message as it came, and no place in a queue. */
  raw?: boolean | undefined;
  /** Tells what the agent wants to know about the project, and what it gets. */
  receipt?: boolean | undefined;
}

/** What an answer came to; complete when all its parts were read. */
export interface Heard {
  text: string;
  models: readonly string[];
  taskId: string | number | undefined;
}

/** Of an answer, in characters. */
const maxAnswer = 16 * 1024 * 1024;
/** Questions of the agent that are answered at once. */
const maxQuestions = 64;

/** It asks one thing at a time, and answers whatever is asked back meanwhile. */
export class AgentTalk {
  readonly #options: AskOptions;
  #questions = 0;

  constructor(options: AskOptions) {
    this.#options = options;
  }

  /** Sends a request and reads its answer to the end; an abort ends it without a word. */
  async *ask(
    request: Record<string, unknown>,
    heard: Heard,
  ): AsyncGenerator<AnswerPart, void, void> {
    const { socket, signal, terminal, texts, raw } = this.#options;
    socket.send(JSON.stringify(request));
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
      const id = frame.request_id ?? request["request_id"];
      if (this.#takeQuestion(frame) || id !== request["request_id"]) continue;
      yield* this.#read(frame, heard);
      if (isLast(frame) || heard.text.length > maxAnswer) return;
    }
  }

  *#read(frame: AgentFrame, heard: Heard): Generator<AnswerPart, void, void> {
    const { terminal, texts, raw, command } = this.#options;
    const { error, msg, queue_place: place, queue_length: length, finish_reason: reason } = frame;
    if (typeof place === "number" && raw !== true) {
      note(texts.place(place), terminal);
      terminal.wait(command);
    }
    if (error === "queue_full") return yield failure(texts.queueFull(length ?? 0));
    if (error) return yield failure(error === "cancelled" ? texts.cancelled : error);
    heard.models = frame.models ?? heard.models;
    heard.taskId = frame.task_id ?? heard.taskId;
    heard.text += msg ?? "";
    if (msg) yield { type: "text-delta", text: msg };
    if (reason) yield { type: "cut", reason };
    if (heard.text.length > maxAnswer) yield failure(texts.tooLong);
  }

  /** @returns whether the frame is a question to us */
  #takeQuestion(frame: AgentFrame): boolean {
    const { llm_request_id: prompt, ide_request_id: question } = frame;
    if (prompt !== undefined && prompt !== null) this.#options.answerModel(prompt, frame);
    else if (question !== undefined && question !== null)
      void this.#answer(question, frame.path ?? "", frame.params);
    else return false;
    return true;
  }

  async #answer(id: string | number, path: string, params: unknown): Promise<void> {
    const { socket, answerIde, terminal, receipt, root, texts } = this.#options;
    this.#questions += 1;
    const answer: IdeAnswer =
      this.#questions > maxQuestions
        ? { error: "Too many questions at once." }
        : await answerIde(path, params).catch(() => ({
            error: "The question could not be answered.",
          }));
    this.#questions -= 1;
    if (receipt === true) note(describeQuestion(path, params, answer, root, texts), terminal);
    socket.send(JSON.stringify({ ide_request_id: id, ...answer }));
  }
}

/** Characters of a path that are shown. */
const maxPath = 200;

/** What the agent wanted to know of the project, and what it got: `/read_file src/item.py (88 characters sent)`. */
function describeQuestion(
  path: string,
  params: unknown,
  answer: IdeAnswer,
  root: string,
  texts: CallTexts,
): string {
  const { abspath = "", line, character }: Record<string, unknown> = Object(params);
  const inside = typeof abspath === "string" && abspath !== "" ? relative(root, abspath) : "";
  const file = inside === ".." || inside.startsWith(`..${sep}`) ? String(abspath) : inside;
  const shown = file.length > maxPath ? `${file.slice(0, maxPath)}…` : file;
  const hasPlace = typeof line === "number" && typeof character === "number";
  const place = hasPlace ? `:${line + 1}:${character + 1}` : "";
  return texts.asked(`${path} ${shown}${place} (${describeAnswer(answer, texts)})`);
}

function describeAnswer(answer: IdeAnswer, texts: CallTexts): string {
  if ("error" in answer) return texts.refusedAnswer(answer.error);
  const { result } = answer;
  if (result === true) return texts.written;
  if (typeof result === "string") return texts.sent(result.length);
  return texts.given(Array.isArray(result) ? result.length : 0);
}

/** Whether nothing of the same answer follows. A server may write that there was no error. */
function isLast({ error, models, msg, stream_finsh: isEnd }: AgentFrame): boolean {
  if (error || Array.isArray(models) || isEnd === true) return true;
  return typeof msg === "string" && typeof isEnd !== "boolean";
}

function failure(message: string): AnswerPart {
  return { type: "failure", sentence: "", message };
}

export interface ModelAnswersOptions {
  /** As the person asked for it; only this one answers. */
  asked: string | undefined;
  /** Finds a model of the settings by its name. */
  find: (name: string) => ChatModel | undefined;
  send: (frame: object) => void;
  signal: AbortSignal;
  /** Is told which model was asked for and is not here, and why one failed. */
  tell: (text: string) => void;
  texts: CallTexts;
}

/** Answers at once, and for one command: the person pays for them. */
const [maxCalls, maxPrompts] = [4, 20];

const Prompt = z.looseObject({
  messages: z.array(ChatMessage).min(1).max(1_000),
  temperature: z.number().nullish(),
  max_tokens: z.int().min(1).nullish(),
  top_p: z.number().nullish(),
});

/** The name of a model on the plugin's side: `deepseek-r1` of `plugin deepseek-r1`; undefined for others. */
export function pluginModelName(asked: string | undefined): string | undefined {
  return isPluginModel(asked) ? asked.replace(/^plugin\s+/i, "") : undefined;
}

/** Answers prompts with a model of this side. */
export function createModelAnswers({
  asked,
  find,
  signal,
  tell,
  texts,
  ...options
}: ModelAnswersOptions): AskOptions["answerModel"] {
  const running = new Map<string | number, AbortController>();
  const name = pluginModelName(asked);
  let prompts = 0;
  const answer = async (id: string | number, frame: AgentFrame): Promise<void> => {
    const send = (fields: object): void => options.send({ llm_request_id: id, ...fields });
    const { data } = Prompt.safeParse(frame);
    const model = name === undefined || frame.model !== asked ? undefined : find(name);
    if (model === undefined) tell(texts.noModel(frame.model ?? ""));
    const isTooMuch = running.size >= maxCalls || prompts >= maxPrompts;
    if (model === undefined || data === undefined || isTooMuch)
      return send({ error: "This model is not available here." });
    prompts += 1;
    const stop = new AbortController();
    running.set(id, stop);
    const either = AbortSignal.any([signal, stop.signal]);
    try {
      let next = 0;
      const caller = { forward: () => ({}) };
      for await (const event of model.stream(toChatRequest(data), { signal: either, caller }))
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

import type { AnswerPart } from "../call/read-answer.ts";
import type { ModelAnswers } from "./answer-model.ts";
import { type AgentFrame, isLastFrame, parseFrame } from "./frame.ts";
import type { AnswerIde, IdeAnswer } from "./ide/answer-ide.ts";
import type { PluginSocket } from "./socket/plugin-socket.ts";
import type { WsTexts } from "./texts.ts";

export interface AskOptions {
  socket: PluginSocket;
  answerIde: AnswerIde;
  answerModel: ModelAnswers;
  signal: AbortSignal;
  texts: WsTexts;
  /** Hears every message as it came. */
  onFrame: (text: string) => void;
  onPlace: (place: number) => void;
  /** Hears what the agent wanted to know about the project, and what it got. */
  onIde: (path: string, params: unknown, answer: IdeAnswer) => void;
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

/** One end of a conversation: it asks one thing at a time, and answers whatever is asked back meanwhile. */
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
    const { socket, signal, texts, onFrame } = this.#options;
    socket.send(JSON.stringify(request));
    for (;;) {
      const { done, value: text } = await socket.receive.next();
      if (signal.aborted) return;
      if (done === true) {
        const { code = 1006, reason = "" } = socket.closed ?? {};
        yield failure(texts.closed(code, reason));
        return;
      }
      onFrame(text);
      const frame = parseFrame(text);
      if (frame === undefined) {
        yield failure(texts.noFrame);
        return;
      }
      if (this.#takeQuestion(frame) || !belongsTo(frame, request)) continue;
      yield* this.#read(frame, heard);
      if (isLastFrame(frame) || heard.text.length > maxAnswer) return;
    }
  }

  *#read(frame: AgentFrame, heard: Heard): Generator<AnswerPart, void, void> {
    const { texts, onPlace } = this.#options;
    if (typeof frame.queue_place === "number") onPlace(frame.queue_place);
    if (frame.error) {
      yield failure(describeError(frame.error, frame, texts));
      return;
    }
    heard.models = frame.models ?? heard.models;
    heard.taskId = frame.task_id ?? heard.taskId;
    if (frame.msg) {
      heard.text += frame.msg;
      yield { type: "text-delta", text: frame.msg };
    }
    if (frame.finish_reason) yield { type: "cut", reason: frame.finish_reason };
    if (heard.text.length > maxAnswer) yield failure(texts.tooLong);
  }

  /** @returns whether the frame is a question to us */
  #takeQuestion(frame: AgentFrame): boolean {
    if (isId(frame.llm_request_id)) {
      this.#options.answerModel.take(frame.llm_request_id, frame);
      return true;
    }
    if (!isId(frame.ide_request_id)) return false;
    void this.#answer(frame.ide_request_id, frame.path ?? "", frame.params);
    return true;
  }

  async #answer(id: string | number, path: string, params: unknown): Promise<void> {
    const { socket, answerIde, onIde } = this.#options;
    this.#questions += 1;
    let answer: IdeAnswer;
    try {
      answer =
        this.#questions > maxQuestions
          ? { error: "Too many questions at once." }
          : await answerIde(path, params);
    } catch {
      answer = { error: "The question could not be answered." };
    } finally {
      this.#questions -= 1;
    }
    onIde(path, params, answer);
    socket.send(JSON.stringify({ ide_request_id: id, ...answer }));
  }
}

function isId(id: string | number | null | undefined): id is string | number {
  return id !== undefined && id !== null;
}

/** A message that cannot be read is refused without an id. */
function belongsTo({ request_id: id }: AgentFrame, request: Record<string, unknown>): boolean {
  return id === undefined || id === null || id === request["request_id"];
}

function describeError(error: string, frame: AgentFrame, texts: WsTexts): string {
  if (error === "queue_full") return texts.queueFull(frame.queue_length ?? 0);
  return error === "cancelled" ? texts.cancelled : error;
}

function failure(message: string): AnswerPart {
  return { type: "failure", sentence: "", message };
}

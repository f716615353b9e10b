// Models that run on the plugin's side: the agent sends the finished prompt, the plugin streams the answer back.
import { AppError } from "../../base/errors/app-error.ts";
import type { ChatMessage } from "../../turn/chat-message.ts";
import type { ChatModel, ChatRequest, StreamOptions } from "../../turn/chat-model.ts";
import { EventQueue } from "../../turn/relay.ts";
import type { EndReason, ModelEvent } from "../../turn/turn-event.ts";
import type { Channel } from "../../base/wire/channel.ts";
import { PatientTimer, type Timers } from "../../base/wire/patient-timer.ts";

/** Milliseconds, as for every other model: a plugin must not keep its place for ever. */
export interface ModelTimes {
  /** Until the first frame. */
  firstTokenTimeout: number;
  /** Between two frames with text. */
  idleTimeout: number;
  answerTimeout: number;
}

/** Of an answer, in characters. */
const maxAnswer = 8 * 1_024 * 1_024;
/** Tokens, since a plugin does not tell those of its models. */
const contextWindow = 32_000;
const answerReserve = 4_096;

/** Whether a name means a model of the plugin: `plugin deepseek-r1`. */
export function isPluginModel(name: string | null | undefined): name is string {
  return /^plugin\s+\S/i.test(name ?? "");
}

/** The models at the other end of a connection: `{cmd: "llm_chat", llm_request_id, model, messages}`. */
export class PluginModels {
  readonly #channel: Channel;
  readonly #timers: Timers;
  readonly #times: ModelTimes;
  readonly #calls = new Map<string, LlmCall>();
  #count = 0;

  constructor(channel: Channel, timers: Timers, times: ModelTimes) {
    this.#channel = channel;
    this.#timers = timers;
    this.#times = times;
  }

  /** @param name as the request names it */
  model(name: string): ChatModel {
    return {
      name,
      contextWindow,
      answerReserve,
      toolCalls: "text",
      stream: (request, options) => this.#stream(name, request, options),
    };
  }

  /**
   * Takes `{llm_request_id, msg, stream_seq_id, stream_finsh}`, the whole answer as `{llm_request_id, msg}`, or
   * `{llm_request_id, error}`; what nobody waits for any more is passed over.
   */
  take(frame: Record<string, unknown>): void {
    const id = frame["llm_request_id"];
    if (typeof id === "string") this.#calls.get(id)?.take(frame);
  }

  async *#stream(
    name: string,
    request: ChatRequest,
    { signal }: StreamOptions,
  ): AsyncGenerator<ModelEvent, EndReason, void> {
    signal.throwIfAborted();
    const id = `llm-${++this.#count}`;
    const call = new LlmCall(this.#timers, this.#times);
    const abort = (): void => call.fail(signal.reason);
    this.#calls.set(id, call);
    signal.addEventListener("abort", abort, { once: true });
    try {
      this.#channel.send(
        JSON.stringify({ cmd: "llm_chat", llm_request_id: id, ...toWire(name, request) }),
      );
      for (;;) {
        const events = await call.next();
        if (events.length === 0) return "stop";
        yield* events;
      }
    } finally {
      signal.removeEventListener("abort", abort);
      this.#calls.delete(id);
      // A plugin that goes on would pay for what nobody reads.
      if (!call.hasEnded)
        this.#channel.send(JSON.stringify({ cmd: "llm_cancel", llm_request_id: id }));
      call.close();
    }
  }
}

function toWire(model: string, { messages, temperature, maxTokens, topP }: ChatRequest): object {
  const plain = messages.map(({ role, content }: ChatMessage) => ({ role, content }));
  return { model, messages: plain, stream: true, temperature, max_tokens: maxTokens, top_p: topP };
}

/** One answer as it comes. */
class LlmCall {
  readonly #timer: PatientTimer;
  readonly #total: PatientTimer;
  readonly #idleTimeout: number;
  readonly #queue = new EventQueue();
  #length = 0;
  #failure: { reason: unknown } | undefined;
  #isEnd = false;

  constructor(timers: Timers, { firstTokenTimeout, idleTimeout, answerTimeout }: ModelTimes) {
    this.#idleTimeout = idleTimeout;
    this.#timer = new PatientTimer(timers, () => this.fail(stayedSilent()));
    this.#total = new PatientTimer(timers, () => this.fail(tookTooLong()));
    this.#timer.set(firstTokenTimeout);
    this.#total.set(answerTimeout);
  }

  /** The plugin has said its last. */
  get hasEnded(): boolean {
    return this.#isEnd;
  }

  take({ msg, error, stream_finsh: isLast, stream_seq_id: seq }: Record<string, unknown>): void {
    if (this.#isEnd || this.#failure !== undefined) return;
    if (error !== undefined && error !== null) {
      this.#isEnd = true;
      this.fail(
        new AppError("upstream_error", {
          en: "The plugin's model ended with an error.",
          zh: "插件的模型因错误而中止。",
        }),
      );
      return;
    }
    const text = typeof msg === "string" ? msg : "";
    this.#length += text.length;
    if (this.#length > maxAnswer) {
      this.fail(
        new AppError("upstream_too_large", {
          en: "The plugin's model wrote more than is allowed.",
          zh: "插件的模型写得太长，超过了上限。",
        }),
      );
      return;
    }
    if (text !== "") {
      this.#timer.set(this.#idleTimeout);
      this.#queue.take({ type: "text-delta", text });
    }
    this.#isEnd = isLast === true || (seq === undefined && isLast === undefined);
    if (this.#isEnd) this.#queue.close();
  }

  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#queue.close();
  }

  /** @returns none at the end; throws what it failed with */
  async next(): Promise<readonly ModelEvent[]> {
    const events = await this.#queue.next();
    if (this.#failure !== undefined) throw this.#failure.reason;
    return events;
  }

  close(): void {
    this.#timer.stop();
    this.#total.stop();
  }
}

function stayedSilent(): AppError {
  return new AppError("upstream_timeout", {
    en: "The plugin's model stayed silent for too long.",
    zh: "插件的模型长时间没有响应。",
  });
}

function tookTooLong(): AppError {
  return new AppError("upstream_timeout", {
    en: "The plugin's model took too long for its answer.",
    zh: "插件的模型回答用时过长。",
  });
}

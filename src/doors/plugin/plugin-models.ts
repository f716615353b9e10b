// Models that run on the plugin's side: the agent sends the finished prompt, the plugin streams the answer back.
import { AppError } from "../../base/errors/app-error.ts";
import type { ChatMessage } from "../../turn/chat-message.ts";
import type { ChatModel, ChatRequest, StreamOptions } from "../../turn/chat-model.ts";
import { EventQueue } from "../../turn/relay.ts";
import type { EndReason, ModelEvent } from "../../turn/turn-event.ts";
import type { Channel } from "../../base/wire/channel.ts";
import type { Timers } from "../../base/wire/patient-timer.ts";
import { Watch } from "../../model/chat/answer-pipe.ts";
import { answerTooLarge } from "../../model/chat/answer-rules.ts";

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

export interface PluginModels {
  model(name: string): ChatModel;
  /**
   * Takes `{llm_request_id, msg, stream_seq_id, stream_finsh}`, the whole answer as `{llm_request_id, msg}`, or
   * `{llm_request_id, error}`; what nobody waits for any more is passed over.
   */
  take(frame: Record<string, unknown>): void;
}

/** The models at the other end of a connection: `{cmd: "llm_chat", llm_request_id, model, messages}`. */
export function createPluginModels(
  channel: Channel,
  timers: Timers,
  times: ModelTimes,
): PluginModels {
  const calls = new Map<unknown, LlmCall>();
  let count = 0;
  async function* stream(
    name: string,
    request: ChatRequest,
    { signal }: StreamOptions,
  ): AsyncGenerator<ModelEvent, EndReason, void> {
    signal.throwIfAborted();
    const id = `llm-${++count}`;
    const send = (cmd: string, fields?: object): boolean =>
      channel.send(JSON.stringify({ cmd, llm_request_id: id, ...fields }));
    const { firstTokenTimeout: firstToken, idleTimeout: idle, answerTimeout: total } = times;
    const where = { host: "plugin", model: name };
    const call = new LlmCall(new Watch(signal, { firstToken, idle, total }, timers, () => where));
    calls.set(id, call);
    try {
      send("llm_chat", toWire(name, request));
      for (;;) {
        const events = await call.queue.next();
        call.watch.signal.throwIfAborted();
        if (events.length === 0) return "stop";
        yield* events;
      }
    } finally {
      calls.delete(id);
      // A plugin that goes on would pay for what nobody reads.
      if (!call.hasEnded) send("llm_cancel");
      call.watch.close();
    }
  }
  return {
    /** @param name as the request names it */
    model: (name) => ({
      name,
      contextWindow,
      answerReserve,
      toolCalls: "text",
      stream: (request, options) => stream(name, request, options),
    }),
    take: (frame) => calls.get(frame["llm_request_id"])?.take(frame),
  };
}

function toWire(model: string, { messages, temperature, maxTokens, topP }: ChatRequest): object {
  const plain = messages.map(({ role, content }: ChatMessage) => ({ role, content }));
  return { model, messages: plain, stream: true, temperature, max_tokens: maxTokens, top_p: topP };
}

/** One answer as it comes; what it fails with is the reason of its watch. */
class LlmCall {
  readonly watch: Watch;
  readonly queue = new EventQueue();
  /** The plugin has said its last. */
  hasEnded = false;
  #length = 0;

  constructor(watch: Watch) {
    this.watch = watch;
    watch.signal.addEventListener("abort", this.queue.close, { once: true });
    watch.beginWait();
  }

  take({ msg, error, stream_finsh: isLast, stream_seq_id: seq }: Record<string, unknown>): void {
    if (this.hasEnded || this.watch.signal.aborted) return;
    if (error !== undefined && error !== null) {
      this.hasEnded = true;
      const message = {
        en: "The plugin's model ended with an error.",
        zh: "插件的模型因错误而中止。",
      };
      return this.watch.abort(new AppError("upstream_error", message));
    }
    const text = typeof msg === "string" ? msg : "";
    this.#length += text.length;
    if (this.#length > maxAnswer) return this.watch.abort(answerTooLarge());
    if (text !== "") {
      this.watch.sawData();
      this.watch.beginWait();
      this.queue.take({ type: "text-delta", text });
    }
    this.hasEnded = isLast === true || (seq === undefined && isLast === undefined);
    if (this.hasEnded) this.queue.close();
  }
}

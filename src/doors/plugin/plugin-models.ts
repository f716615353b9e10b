// Models that run on the plugin's side: the agent sends the finished prompt, the plugin streams the answer back.
import { AppError } from "../../base/errors/app-error.ts";
import type { ChatMessage } from "../../turn/chat-message.ts";
import type { ChatModel, ChatRequest, StreamOptions } from "../../turn/chat-model.ts";
import { EventQueue } from "../../turn/relay.ts";
import type { EndReason, ModelEvent } from "../../turn/turn-event.ts";
import type { Channel } from "../../base/wire/channel.ts";
import type { Timers } from "../../base/wire/patient-timer.ts";
import { watchAnswer } from "../../model/chat/answer-pipe.ts";
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

type Frame = Record<string, unknown>;

export type PluginModels = ReturnType<typeof createPluginModels>;

/** The models at the other end of a connection: `{cmd: "llm_chat", llm_request_id, model, messages}`. */
export function createPluginModels(channel: Channel, timers: Timers, times: ModelTimes) {
  /** What takes the frames of each answer. */
  const calls = new Map<unknown, (frame: Frame) => void>();
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
    // What the answer fails with is the reason of its watch.
    const watch = watchAnswer(signal, { firstToken, idle, total }, timers, () => where);
    const queue = new EventQueue();
    /** The plugin has said its last. */
    let hasEnded = false;
    let length = 0;
    watch.signal.addEventListener("abort", queue.close, { once: true });
    watch.beginWait();
    calls.set(id, ({ msg, error, stream_finsh: isLast, stream_seq_id: seq }) => {
      if (hasEnded || watch.signal.aborted) return;
      if (error !== undefined && error !== null) {
        hasEnded = true;
        return watch.abort(modelFailed());
      }
      const text = typeof msg === "string" ? msg : "";
      length += text.length;
      if (length > maxAnswer) return watch.abort(answerTooLarge());
      if (text !== "") {
        watch.sawData();
        watch.beginWait();
        queue.take({ type: "text-delta", text });
      }
      hasEnded = isLast === true || (seq === undefined && isLast === undefined);
      if (hasEnded) queue.close();
    });
    try {
      send("llm_chat", toWire(name, request));
      for (;;) {
        const events = await queue.next();
        watch.signal.throwIfAborted();
        if (events.length === 0) return "stop";
        yield* events;
      }
    } finally {
      calls.delete(id);
      // A plugin that goes on would pay for what nobody reads.
      if (!hasEnded) send("llm_cancel");
      watch.close();
    }
  }
  return {
    /** @param name as the request names it */
    model: (name: string): ChatModel => ({
      name,
      contextWindow,
      answerReserve,
      toolCalls: "text",
      stream: (request, options) => stream(name, request, options),
    }),
    /**
     * Takes `{llm_request_id, msg, stream_seq_id, stream_finsh}`, the whole answer as `{llm_request_id, msg}`, or
     * `{llm_request_id, error}`; what nobody waits for any more is passed over.
     */
    take: (frame: Frame): void => calls.get(frame["llm_request_id"])?.(frame),
  };
}

function toWire(model: string, { messages, temperature, maxTokens, topP }: ChatRequest): object {
  const plain = messages.map(({ role, content }: ChatMessage) => ({ role, content }));
  return { model, messages: plain, stream: true, temperature, max_tokens: maxTokens, top_p: topP };
}

function modelFailed(): AppError {
  return new AppError("upstream_error", {
    en: "The plugin's model ended with an error.",
    zh: "插件的模型因错误而中止。",
  });
}

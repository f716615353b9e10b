import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { AppError } from "../../errors/app-error.ts";
import { toAppError } from "../../errors/to-app-error.ts";
import type { ChatRequest, StreamOptions } from "../../turn/chat-model.ts";
import type { ChunkHead, EndReason, ModelEvent } from "../../turn/turn-event.ts";
import { type AnswerLimits, AnswerReader } from "./answer-reader.ts";
import { type RetryRules, sendWithRetry } from "./send-with-retry.ts";
import type { Timers } from "../../wire/patient-timer.ts";
import type { UpstreamRequest, UpstreamTransport } from "./upstream.ts";
import { type AnswerTimes, Watch } from "./watch.ts";

/** How long a stream may stay open after its finish reason, in milliseconds, for usage and end marker. */
const graceAfterFinish = 1_000;

/** What every model behind a chat completions API shares. */
export interface ChatApi {
  transport: UpstreamTransport;
  limits: AnswerLimits;
  times: AnswerTimes;
  retry: RetryRules;
  random: () => number;
  timers: Timers;
}

export interface ChatCall {
  /** The model's name, for messages. */
  name: string;
  /** The base of the API: `https://api.openai.com/v1`. */
  baseUrl: string;
  headers: Record<string, string>;
  body: object;
}

/** The parameters that our side sets, under the names of the OpenAI API. */
export function toParameters(request: ChatRequest): Pick<
  ChatCompletionCreateParamsStreaming,
  "stream" | "temperature" | "top_p"
> & {
  messages: object[];
} {
  return {
    messages: request.messages,
    stream: true,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
  };
}

/** Posts to `/chat/completions` and reads the answer; the contract of ChatModel.stream. */
export async function* streamChat(
  api: ChatApi,
  call: ChatCall,
  options: StreamOptions,
): AsyncGenerator<ModelEvent, EndReason, void> {
  const watch = new Watch(options.signal, api.times, api.timers);
  let answer: AsyncIterator<Uint8Array> | undefined;
  try {
    watch.beginWait();
    const response = await sendWithRetry(
      api.transport,
      toUpstream(call, watch.signal),
      call.name,
      api.retry,
      api.random,
    );
    answer = response.body[Symbol.asyncIterator]();
    const reader = new AnswerReader(options.as, api.limits, () => fallbackHead(call));
    while (!reader.done) {
      watch.beginWait();
      const chunk = await readNext(answer, reader);
      watch.endWait();
      if (chunk === undefined) break;
      const seen = reader.dataEvents;
      const events = reader.push(chunk);
      if (reader.dataEvents > seen) watch.sawData();
      if (reader.reason !== undefined) watch.endWithin(graceAfterFinish);
      for (const event of events) yield event;
    }
    for (const event of reader.finish()) yield event;
    return reader.end();
  } catch (thrown) {
    throw toAppError(watch.signal.aborted ? watch.signal.reason : thrown);
  } finally {
    watch.close();
    answer?.return?.().catch(() => undefined);
  }
}

function toUpstream(call: ChatCall, signal: AbortSignal): UpstreamRequest {
  const headers = {
    ...call.headers,
    "content-type": "application/json",
    accept: "text/event-stream",
    "accept-encoding": "identity",
  };
  return {
    url: `${call.baseUrl}/chat/completions`,
    headers,
    body: JSON.stringify(call.body),
    signal,
  };
}

function fallbackHead({ name }: ChatCall): ChunkHead {
  return {
    id: `chatcmpl-${crypto.randomUUID()}`,
    model: name,
    created: Math.floor(Date.now() / 1_000),
  };
}

/** After the finish reason a broken or silent stream is a whole answer all the same. */
async function readNext(
  chunks: AsyncIterator<Uint8Array>,
  reader: AnswerReader,
): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await chunks.next();
    return done === true ? undefined : value;
  } catch (cause) {
    if (reader.reason !== undefined) return undefined;
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      "upstream_truncated",
      "The connection to the model broke in the middle of its answer.",
      { cause },
    );
  }
}

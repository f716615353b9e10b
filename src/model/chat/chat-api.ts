import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { AnswerLimits } from "./answer/answer-reader.ts";
import type { RetryRules } from "./send-with-retry.ts";
import type { ToolUse } from "./answer/answer-rules.ts";
import { toToolParameters } from "./tool-parameters.ts";
import type { Timers } from "../../wire/patient-timer.ts";
import type { UpstreamTransport } from "./upstream.ts";
import type { AnswerTimes } from "./watch.ts";

/** What every model behind a chat completions API shares. */
export interface ChatApi {
  transport: UpstreamTransport;
  limits: AnswerLimits;
  times: AnswerTimes;
  retry: RetryRules;
  random: () => number;
  createId: () => string;
  /** Milliseconds since 1970. */
  now: () => number;
  timers: Timers;
}

export interface ChatCall {
  /** The model's name, for messages. */
  name: string;
  /** The base of the API: `https://api.openai.com/v1`. */
  baseUrl: string;
  headers: Record<string, string>;
  body: object;
  /** What becomes of calls of tools. */
  toolUse: ToolUse;
}

/** The parameters that our side sets, under the names of the OpenAI API. */
export function toParameters(request: ChatRequest): Pick<
  ChatCompletionCreateParamsStreaming,
  "stream" | "temperature" | "top_p" | "tools" | "tool_choice"
> & {
  messages: object[];
} {
  return {
    messages: request.messages,
    stream: true,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...toToolParameters(request),
  };
}

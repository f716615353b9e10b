import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { AnswerLimits } from "./answer/answer-reader.ts";
import type { RetryPorts } from "./send-with-retry.ts";
import type { ToolUse } from "./answer/answer-rules.ts";
import { toToolParameters } from "./tool-parameters.ts";
import type { AnswerTimes } from "./watch.ts";

/** What every model behind a chat completions API shares. */
export interface ChatApi extends RetryPorts {
  limits: AnswerLimits;
  times: AnswerTimes;
  createId: () => string;
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

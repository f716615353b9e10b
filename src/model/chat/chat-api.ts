import type { ChatRequest } from "../../turn/chat-model.ts";
import type { AnswerLimits } from "./answer/answer-reader.ts";
import type { UpstreamTransport } from "./upstream.ts";
import type { Timers } from "../../base/wire/patient-timer.ts";
import type { ToolUse } from "./answer/answer-rules.ts";
import { toToolParameters, type ToolParameters } from "./tool-parameters.ts";
import type { ParameterChange, RefusedParameters } from "./refusal/refused-parameters.ts";
import type { AnswerTimes } from "./watch.ts";

interface RetryRules {
  /** Tries after the first; 1 by default. */
  retries: number;
  /** Milliseconds before the first retry; doubled for each further one, with jitter. */
  backoff: number;
  /** The longest Retry-After that is waited out instead of being told to the client, in milliseconds. */
  maxWait: number;
}

/** What every model behind a chat completions API shares. */
export interface ChatApi {
  transport: UpstreamTransport;
  retry: RetryRules;
  random: () => number;
  /** Milliseconds since 1970. */
  now: () => number;
  timers: Timers;
  limits: AnswerLimits;
  times: AnswerTimes;
  createId: () => string;
  /** What the settings keep secret: nothing of it is told of a refusal. */
  secrets?: readonly string[];
  /** Is told when a parameter is left out, or sent under another name, because a model refused it. */
  onParameterChange?: (change: ParameterChange, where: { host: string; model: string }) => void;
}

export interface ChatCall {
  /** The model's name, for messages. */
  name: string;
  /** The base of the API: `https://api.openai.com/v1`. */
  baseUrl: string;
  headers: Record<string, string>;
  /** The id of the model that is asked for. */
  model: string;
  body: object;
  /** Parameters of the body that we have added and that an answer is possible without. */
  added: readonly string[];
  /** Those that the models behind this address have refused. */
  refused: RefusedParameters;
  /** What becomes of calls of tools. */
  toolUse: ToolUse;
  /** The same question with its calls in text, for a server that refuses `tools`; absent where it offers none. */
  inText?: () => ChatCall;
}

/** Of a body's parameters those that a model can do without; what somebody asks for goes with every request. */
export function listOptional(request: ChatRequest, maxTokensField: string): string[] {
  const names = request.maxTokens === undefined ? [] : [maxTokensField];
  if (request.temperature !== undefined) names.push("temperature");
  if (request.topP !== undefined) names.push("top_p");
  return names;
}

/** The parameters that our side sets, under the names of the OpenAI API. */
export function toParameters(request: ChatRequest): ToolParameters & {
  messages: object[];
  stream: true;
  temperature?: number;
  top_p?: number;
} {
  return {
    messages: request.messages,
    stream: true,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...toToolParameters(request),
  };
}

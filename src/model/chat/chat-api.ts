import type { ChatRequest } from "../../turn/chat-model.ts";
import type { AnswerLimits } from "./answer/answer-reader.ts";
import type { UpstreamTransport } from "./upstream.ts";
import type { Timers } from "../../base/wire/patient-timer.ts";
import type { ToolUse } from "./answer/answer-rules.ts";
import type { ToolChoice } from "../../turn/tool-call.ts";
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

/** What a call carries beside what is asked for. */
interface CallTarget extends Pick<ChatCall, "name" | "baseUrl" | "headers" | "refused"> {
  /** Undefined: the server chooses. */
  model: string | undefined;
  maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Asks for a usage event at the end. */
  streamUsage?: boolean;
  /** The parameters of the inbound request that go with ours. */
  extra?: Readonly<Record<string, unknown>> | undefined;
}

/** The question as the OpenAI API spells it (API reference, "Create chat completion"). */
export function toCall(request: ChatRequest, target: CallTarget) {
  const { name, baseUrl, headers, refused, model, maxTokensField, extra = {} } = target;
  const { messages, temperature, topP, maxTokens } = request;
  const sampling = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
  };
  const ends = {
    ...(maxTokens === undefined ? {} : { [maxTokensField]: maxTokens }),
    ...(target.streamUsage === true ? { stream_options: { include_usage: true } } : {}),
  };
  return {
    name,
    baseUrl,
    headers,
    refused,
    model: model ?? name,
    body: {
      ...extra,
      messages,
      stream: true as const,
      ...sampling,
      ...toToolParameters(request),
      ...(model === undefined ? {} : { model }),
      ...ends,
    },
    // What somebody asks for goes with every request; a model can do without these.
    added: Object.keys({ ...sampling, ...ends }),
    toolUse: toToolUse(request, extra),
  } satisfies ChatCall;
}

interface ToolParameters {
  tools?: {
    type: "function";
    function: { name: string; description: string; parameters: Record<string, unknown> };
  }[];
  tool_choice?: Exclude<ToolChoice, object> | { type: "function"; function: { name: string } };
}

/** The tools of a request as the OpenAI API spells them; nothing if it offers none. */
function toToolParameters({
  tools = [],
  toolChoice = "auto",
}: Pick<ChatRequest, "tools" | "toolChoice">): ToolParameters {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters: { ...parameters } },
    })),
    // Always said: the choice that came with the inbound request was meant for its own tools.
    tool_choice: toChoiceParameter(toolChoice),
  };
}

function toChoiceParameter(choice: ToolChoice): NonNullable<ToolParameters["tool_choice"]> {
  return typeof choice === "string"
    ? choice
    : { type: "function", function: { name: choice.name } };
}

/**
 * What becomes of calls of tools in an answer whose frames are passed on.
 *
 * @param sent the parameters of the inbound request that go with ours, if any do
 */
function toToolUse(
  { tools = [] }: Pick<ChatRequest, "tools">,
  sent: Readonly<Record<string, unknown>>,
): ToolUse {
  if (tools.length > 0) return "read";
  const isAsked = [sent["tools"], sent["functions"]].some(isFilled);
  return isAsked ? "passed" : "refused";
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

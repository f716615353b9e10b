import type { ChatRequest } from "../../turn/chat-model.ts";
import type { AnswerLimits } from "./answer-reader.ts";
import type { Timers } from "../../base/wire/patient-timer.ts";
import type { ToolUse } from "./answer-rules.ts";
import { BoundedMap } from "../../base/wire/known-member.ts";
import { AppError } from "../../base/errors/app-error.ts";

/** All in milliseconds. */
export interface AnswerTimes {
  /** From the request to the first data event. */
  firstToken: number;
  /** Between two data events; comments do not count. */
  idle: number;
  /** The whole answer. */
  total: number;
}

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
  maxTokensField?: "max_tokens" | "max_completion_tokens" | undefined;
  /** Asks for a usage event at the end. */
  streamUsage?: boolean | undefined;
  /** The parameters of the inbound request that go with ours. */
  extra?: Readonly<Record<string, unknown>> | undefined;
}

/** The question as the OpenAI API spells it (API reference, "Create chat completion"). */
export function toCall(request: ChatRequest, target: CallTarget) {
  const { name, baseUrl, headers, refused, model, extra = {} } = target;
  const { maxTokensField = "max_tokens" } = target;
  const { messages, temperature, topP, maxTokens, responseFormat } = request;
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
      ...(responseFormat === undefined ? {} : { response_format: responseFormat }),
      ...(model === undefined ? {} : { model }),
      ...ends,
    },
    // What somebody asks for goes with every request; a model can do without these.
    added: Object.keys({ ...sampling, ...ends }),
    toolUse: toToolUse(request, extra),
  } satisfies ChatCall;
}

/** The tools of a request as the OpenAI API spells them; nothing if it offers none. */
function toToolParameters({ tools = [], toolChoice = "auto", parallelToolCalls }: ChatRequest) {
  if (tools.length === 0) return {};
  const type = "function" as const;
  return {
    tools: tools.map(({ parameters, ...tool }) => ({
      type,
      function: { ...tool, parameters: { ...parameters } },
    })),
    // Always said: the choice that came with the inbound request was meant for its own tools.
    tool_choice:
      typeof toolChoice === "string" ? toolChoice : { type, function: { name: toolChoice.name } },
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

/**
 * What becomes of calls of tools in an answer whose frames are passed on.
 *
 * @param sent the parameters of the inbound request that go with ours, if any do
 */
function toToolUse({ tools = [] }: ChatRequest, sent: Readonly<Record<string, unknown>>): ToolUse {
  if (tools.length > 0) return "read";
  const asked = [sent["tools"], sent["functions"]];
  return asked.some((list) => Array.isArray(list) && list.length > 0) ? "passed" : "refused";
}

/** How long a parameter stays left out, in milliseconds. */
const lifetime = 3_600_000;
/** Parameters of the models of one row that are remembered: the names of models may come from requests. */
const maxRules = 2_000;

/** Two names of one limit: the server that refuses one may know the other. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["max_tokens", "max_completion_tokens"],
  ["max_completion_tokens", "max_tokens"],
]);

interface Rule {
  /** Undefined: the parameter is left out. */
  replacement: string | undefined;
  until: number;
}

/** What has become of a parameter that a server refused. */
interface ParameterChange {
  param: string;
  /** The name that its value goes under from now on; absent: it is left out. */
  replacement?: string;
}

/** Which of the parameters that we add the models of one row have refused within the last hour. */
export class RefusedParameters {
  readonly #now: () => number;
  readonly #rules = new BoundedMap<string, Rule>(maxRules, () => 1);

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  #find(model: string, param: string): Rule | undefined {
    const rule = this.#rules.get(`${param} ${model}`);
    return rule !== undefined && rule.until > this.#now() ? rule : undefined;
  }

  /** Whether a model has refused a parameter, by {@link add} or {@link learn}. */
  has(model: string, param: string): boolean {
    return this.#find(model, param) !== undefined;
  }

  /** Remembers that a model refused a parameter. @param replacement what its value goes under; undefined: nothing */
  add(model: string, param: string, replacement?: string): void {
    this.#rules.set(`${param} ${model}`, { replacement, until: this.#now() + lifetime });
  }

  apply(model: string, body: object, added: readonly string[]): object {
    const changed: Record<string, unknown> = { ...body };
    for (const name of added) {
      const rule = this.#find(model, name);
      if (rule === undefined) continue;
      const { replacement } = rule;
      if (replacement !== undefined && !this.has(model, replacement))
        changed[replacement] = changed[name];
      delete changed[name];
    }
    return changed;
  }

  /**
   * Remembers that a model refused a parameter of `sent`.
   *
   * @param added the names of those that we added
   * @returns what becomes of it; undefined if it is not ours to leave out, or was not sent
   */
  learn(
    model: string,
    sent: object,
    added: readonly string[],
    param: string,
  ): ParameterChange | undefined {
    const other = otherNames.get(param);
    const isOurs = added.includes(param) || (other !== undefined && added.includes(other));
    if (!isOurs || !Object.hasOwn(sent, param)) return undefined;
    const replacement = other === undefined || this.has(model, other) ? undefined : other;
    this.add(model, param, replacement);
    return { param, ...(replacement === undefined ? {} : { replacement }) };
  }
}

/** One POST to a model's API. `url` comes from the settings, never from a request. */
export interface UpstreamRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

export interface UpstreamResponse {
  status: number;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** The body as it comes, at the speed of its reader; to be taken once. */
  body: UpstreamBody;
  /** Ends the request without reading the body. */
  discard(): void;
}

/**
 * A body is pulled, or pushed where the runtime can do that at less cost. Leaving the loop over a pulled
 * one early ends the request; it throws when the connection breaks.
 */
type UpstreamBody = AsyncIterable<Uint8Array> | PushedBody;

export interface PushedBody {
  /** Begins to push. What came at once is pushed at once. */
  pipe(reader: BodyReader): void;
  /** Nothing more is pushed. A short rest may still be read, so that the connection can be used again. */
  leave(): void;
}

/** Takes a body that is pushed; it never throws. */
export interface BodyReader {
  /** @returns what to wait for before more is pushed; undefined if nothing */
  push(bytes: Uint8Array): Promise<void> | undefined;
  /**
   * The body is over. Nothing follows.
   *
   * @param broken what the connection broke with; undefined where it did not
   */
  end(broken?: unknown): void;
}

/** A port: how requests reach a model. Redirects are not followed, bodies are not decoded. */
export interface UpstreamTransport {
  /** @throws AppError `upstream_unreachable`, or the signal's reason */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
}

/** The body as one that pushes: what is pulled is read in a loop, at the speed of the reader. */
export function toPushed(body: UpstreamBody): PushedBody {
  if ("pipe" in body) return body;
  const pieces = body[Symbol.asyncIterator]();
  let hasLeft = false;
  const read = async (reader: BodyReader): Promise<void> => {
    try {
      for (;;) {
        const { done, value } = await pieces.next();
        if (hasLeft) return;
        if (done === true) return reader.end();
        await reader.push(value);
        if (hasLeft) return;
      }
    } catch (broken) {
      if (!hasLeft) reader.end(broken);
    }
  };
  return {
    pipe: (reader) => void read(reader),
    leave() {
      hasLeft = true;
      pieces.return?.().catch(() => undefined);
    },
  };
}

export function createFetchTransport(fetcher: typeof fetch): UpstreamTransport {
  return {
    async send({ url, headers, body, signal }) {
      try {
        const response = await fetcher(url, {
          method: "POST",
          headers,
          body,
          signal,
          redirect: "manual",
        });
        return {
          status: response.status,
          header: (name) => response.headers.get(name) ?? undefined,
          body: response.body ?? noBody(),
          discard: () => void response.body?.cancel().catch(() => undefined),
        };
      } catch (cause) {
        if (signal.aborted) throw signal.reason;
        throw cause instanceof AppError ? cause : unreachable(cause);
      }
    },
  };
}

async function* noBody(): AsyncGenerator<Uint8Array> {}

export function unreachable(cause: unknown): AppError {
  const message = { en: "The model's address could not be reached.", zh: "无法连接模型的地址。" };
  return new AppError("upstream_unreachable", message, { cause });
}

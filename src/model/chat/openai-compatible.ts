import type { ChatModel, ChatRequest, StreamOptions } from "../../turn/chat-model.ts";
import { type ChatApi, type ChatCall, RefusedParameters, toCall } from "./chat-api.ts";
import type { Relay } from "../../turn/turn-event.ts";
import { AnswerPipe } from "./answer-pipe.ts";
import { putCallsInText } from "./calls-in-text.ts";
import { createRelay } from "../../turn/relay.ts";

/** One row of the models table, with its key looked up. */
export interface ModelRow {
  /** What settings and definitions call it; `*` passes any model name through. */
  name: string;
  baseUrl: string;
  /** The model id that the server knows. */
  model: string;
  apiKey?: string;
  contextWindow: number;
  answerReserve: number;
  /** The parameter that bounds the answer; reasoning models of OpenAI want the longer name. */
  maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Asks for a usage event at the end; off for servers that refuse `stream_options`. */
  streamUsage: boolean;
  toolCalls?: "tools" | "text";
  /** Of every request, by names in lower case. */
  headers?: Readonly<Record<string, string>>;
}

/** A model behind any OpenAI-compatible API: OpenAI, DeepSeek, Ollama, vLLM are rows, not code. */
export function openAiCompatibleModel(row: ModelRow, api: ChatApi): ChatModel {
  const { name, contextWindow, answerReserve } = row;
  const isText = row.toolCalls === "text";
  const refused = new RefusedParameters(api.now);
  return {
    name: name === "*" ? row.model : name,
    contextWindow,
    answerReserve,
    get toolCalls() {
      return isText || refused.has(row.model, "tools") ? "text" : "tools";
    },
    ...askChat(
      api,
      (request) => {
        const model = name === "*" ? (request.model ?? row.model) : row.model;
        const headers = {
          ...row.headers,
          ...(row.apiKey === undefined ? {} : { authorization: `Bearer ${row.apiKey}` }),
        };
        const called = name === "*" ? model : name;
        return toCall(request, { ...row, name: called, model, headers, refused });
      },
      isText,
    ),
  };
}

interface PlatformSettings {
  /** The configured base URL; requests never choose it. */
  endpoint: string;
  contextWindow: number;
  answerReserve: number;
}

/**
 * The platform's own model: the person's credentials and the other parameters of their request go
 * with it (platform document, sample service). The time limit of the whole answer is the platform's, 180 s.
 */
export function platformModel(settings: PlatformSettings, api: ChatApi): ChatModel {
  const { endpoint, contextWindow, answerReserve } = settings;
  const refused = new RefusedParameters(api.now);
  return {
    name: "platform",
    contextWindow,
    answerReserve,
    ...askChat(api, (request, { caller }) =>
      toCall(request, {
        name: "platform",
        baseUrl: endpoint,
        headers: caller.forward(),
        model: request.model,
        maxTokensField: "max_tokens",
        extra: request.extra,
        refused,
      }),
    ),
  };
}

/**
 * The two ways to ask a model behind such an API.
 *
 * @param write what is posted for a request
 * @param isText whether the server is known to take no `tools`
 */
function askChat(
  api: ChatApi,
  write: (request: ChatRequest, options: StreamOptions) => ChatCall,
  isText = false,
): Required<Pick<ChatModel, "stream" | "relay">> {
  const prepare = (request: ChatRequest, options: StreamOptions): ChatCall => {
    const call = write(request, options);
    if (!request.tools?.length) return call;
    // Some of these servers read calls out of the text by themselves.
    const inText = (): ChatCall => ({
      ...write(putCallsInText(request), options),
      toolUse: call.toolUse,
    });
    return isText || call.refused.has(call.model, "tools") ? inText() : { ...call, inText };
  };
  const relay = (request: ChatRequest, options: StreamOptions): Relay => {
    const { signal, figures, isOnce = false } = options;
    const call = prepare(request, options);
    let pipe: AnswerPipe | undefined;
    return createRelay({
      start(as, sink, end) {
        pipe = new AnswerPipe(api, call, { signal, figures, isOnce, as, sink, end });
        void pipe.ask();
      },
      abort: (reason) => pipe?.abort(reason),
    });
  };
  return { relay, stream: (request, options) => relay(request, options).deltas() };
}

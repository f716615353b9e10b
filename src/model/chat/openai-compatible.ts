import type { ChatModel, ChatRequest } from "../../turn/chat-model.ts";
import { type ChatApi, type ChatCall, listOptional, toParameters } from "./chat-api.ts";
import { askChat } from "./ask-chat.ts";
import { RefusedParameters } from "./refusal/refused-parameters.ts";
import { toToolUse } from "./tool-parameters.ts";

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
  const { name, baseUrl, contextWindow, answerReserve } = row;
  const isText = row.toolCalls === "text";
  const refused = new RefusedParameters(api.now);
  return {
    name: name === "*" ? row.model : name,
    contextWindow,
    answerReserve,
    get toolCalls() {
      return isText || refused.has(row.model, "tools") ? "text" : "tools";
    },
    ...askChat(api, toCall, isText),
  };
  function toCall(request: ChatRequest): ChatCall {
    const model = name === "*" ? (request.model ?? row.model) : row.model;
    const body = {
      ...toParameters(request),
      model,
      ...(request.maxTokens === undefined ? {} : { [row.maxTokensField]: request.maxTokens }),
      ...(row.streamUsage ? { stream_options: { include_usage: true } } : {}),
    };
    const headers = {
      ...row.headers,
      ...(row.apiKey === undefined ? {} : { authorization: `Bearer ${row.apiKey}` }),
    };
    const added = listOptional(request, row.maxTokensField);
    if (row.streamUsage) added.push("stream_options");
    const called = name === "*" ? model : name;
    const toolUse = toToolUse(request);
    return { name: called, baseUrl, headers, model, body, added, refused, toolUse };
  }
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
    ...askChat(api, (request, { caller }) => {
      const body = {
        ...request.extra,
        ...toParameters(request),
        ...(request.model === undefined ? {} : { model: request.model }),
        ...(request.maxTokens === undefined ? {} : { max_tokens: request.maxTokens }),
      };
      const toolUse = toToolUse(request, request.extra);
      return {
        name: "platform",
        baseUrl: endpoint,
        headers: caller.forward(),
        model: request.model ?? "platform",
        body,
        added: listOptional(request, "max_tokens"),
        refused,
        toolUse,
      };
    }),
  };
}

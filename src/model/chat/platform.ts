import type { ChatModel } from "../../turn/chat-model.ts";
import { type ChatApi, listOptional, toParameters } from "./chat-api.ts";
import { askChat } from "./ask-chat.ts";
import { RefusedParameters } from "./refusal/refused-parameters.ts";
import { toToolUse } from "./tool-parameters.ts";

export interface PlatformSettings {
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

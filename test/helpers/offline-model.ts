import type { CodeParser } from "../../src/code/code-analysis.ts";
import { parseConfig } from "../../src/setup/config.ts";
import { createModels } from "../../src/setup/create-models.ts";
import { createFetchTransport } from "../../src/model/chat/chat-api.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";

/** The built-in model, as settings without any other have it. @param code lines and indentation where absent */
export function offlineModel(code?: CodeParser): ChatModel {
  return createModels(parseConfig({}), {}, createFetchTransport(fetch), code).resolve([]).model;
}

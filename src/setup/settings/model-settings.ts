import * as z from "zod";
import { count, define, listFromText, oneText, url } from "./kinds.ts";

/** One row of the models table, as the settings give it. */
export const ModelSetting = z.strictObject({
  /** What definitions and requests call it; `*` passes any model name through. */
  name: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** The name of the environment variable that holds the key; absent for servers without keys. */
  keyVariable: z.string().min(1).optional(),
  /** The model id that the server knows; the row's name where absent. */
  model: z.string().min(1).optional(),
  contextWindow: z.int().min(256).optional(),
  answerReserve: z.int().min(1).optional(),
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  streamUsage: z.boolean().optional(),
  /** `text` for servers and models without tool calling: calls are then read out of the answer's text. */
  toolCalls: z.enum(["tools", "text"]).optional(),
});
export type ModelSetting = z.infer<typeof ModelSetting>;

/** Where answers come from. */
export const modelSettings = {
  platformEndpoint: define(
    ["RIGHTSEAT_PLATFORM_ENDPOINT", "COPILOT_SERVER_ENDPOINT"],
    url(),
    "Base URL of the platform's model API; `/chat/completions` is appended",
  ),
  openaiBaseUrl: define(
    ["RIGHTSEAT_OPENAI_BASE_URL", "OPENAI_BASE_URL"],
    url(),
    "Base URL of an OpenAI-compatible API; `https://api.openai.com/v1` where only a key is given",
  ),
  openaiApiKey: define(
    ["RIGHTSEAT_OPENAI_API_KEY", "OPENAI_API_KEY"],
    oneText(),
    "Key for that API",
    true,
  ),
  openaiModel: define(
    ["RIGHTSEAT_OPENAI_MODEL", "OPENAI_MODEL"],
    z.string().min(1).default("gpt-4.1-mini"),
    "Model id to ask that API for",
  ),
  models: {
    ...define(
      "RIGHTSEAT_MODELS",
      z.preprocess(parseJsonText, z.array(ModelSetting)).default([]),
      "Models table (JSON): see [Models](#models)",
    ),
    fields: Object.keys(ModelSetting.shape),
  },
  modelOrder: define(
    "RIGHTSEAT_MODEL_ORDER",
    z
      .preprocess(listFromText, z.array(z.enum(["platform", "table", "offline"])).min(1))
      .default(["platform", "table", "offline"]),
    "Where the default model is looked for, in this order",
  ),
  contextWindow: define(
    "RIGHTSEAT_CONTEXT_WINDOW",
    count(128_000, 256),
    "Tokens of a model's window where its row does not say",
  ),
  answerReserve: define(
    "RIGHTSEAT_ANSWER_RESERVE",
    count(4_096),
    "Tokens of the window that are kept for the answer",
  ),
};

function parseJsonText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

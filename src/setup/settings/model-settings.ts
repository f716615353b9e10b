import * as z from "zod";
import { isForwardable } from "../../run/auth/forward-headers.ts";
import { count, define, listFromText, oneText, url } from "./kinds.ts";

/** `${NAME}` in the value of a header. */
const reference = /\$\{(\w+)\}/g;

/** What a value of a header may hold (RFC 9110, 5.5). */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]+$/.test(value);
}

const RowHeaders = z
  .record(
    z.string(),
    z.string().refine(isHeaderValue, "holds signs that no header may have, or nothing."),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const odd = names.find((name) => name.endsWith("*") || !isForwardable(name));
    if (odd !== undefined)
      context.addIssue(`${JSON.stringify(odd)} is not a header that a row may set.`);
    if (new Set(names).size < names.length) context.addIssue("has one header twice.");
  });

/** One row of the models table, as the settings give it. */
export const ModelSetting = z.strictObject({
  /** What definitions and requests call it; `*` passes any model name through. */
  name: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** The name of the environment variable that holds the key; absent for servers without keys. */
  keyVariable: z.string().min(1).optional(),
  /** The model id that the server knows; the row's name where absent. */
  model: z.string().min(1).optional(),
  /** Headers of every request to the row; `${NAME}` in a value is that environment variable. */
  headers: RowHeaders.optional(),
  /** Models that are asked in its place where it fails before its first word, in this order. */
  fallback: z.array(z.string().min(1)).optional(),
  contextWindow: z.int().min(256).optional(),
  answerReserve: z.int().min(1).optional(),
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  streamUsage: z.boolean().optional(),
  /** `text` for servers and models without tool calling: calls are then read out of the answer's text. */
  toolCalls: z.enum(["tools", "text"]).optional(),
});
export type ModelSetting = z.infer<typeof ModelSetting>;

/** A header's value with the variables that it names. @param find answers a variable's value */
export function fillReferences(value: string, find: (variable: string) => string): string {
  return value.replaceAll(reference, (_, variable: string) => find(variable)).trim();
}

/** The values of all variables that the rows name: keys, and what their headers refer to. */
export function listRowSecrets(
  models: readonly ModelSetting[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const variables = models.flatMap(({ keyVariable = "", headers = {} }) => [
    keyVariable,
    ...Object.values(headers).flatMap((value) =>
      [...value.matchAll(reference)].map(([, variable = ""]) => variable),
    ),
  ]);
  return variables.flatMap((variable) => environment[variable] || []);
}

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
      "Models table (JSON): see [Models](models.md)",
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

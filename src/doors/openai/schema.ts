import * as z from "zod";
import { TokenLimit } from "../../turn/agent-definition.ts";

/**
 * What we read of a request for a chat completion (OpenAI API reference, "Create chat completion"). All
 * other fields are ignored; `content` is read part by part.
 */
export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z
    .array(z.looseObject({ role: z.string(), content: z.unknown().optional() }))
    .min(1)
    .max(10_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  max_tokens: TokenLimit.nullish(),
  max_completion_tokens: TokenLimit.nullish(),
  n: z.int().nullish(),
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

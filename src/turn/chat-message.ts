import * as z from "zod";

export const ChatRole = z.enum(["system", "developer", "user", "assistant", "tool"]);
export type ChatRole = z.infer<typeof ChatRole>;

/** One message of a chat, as OpenAI-compatible models take it. */
export const ChatMessage = z.looseObject({
  role: ChatRole,
  content: z.string(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

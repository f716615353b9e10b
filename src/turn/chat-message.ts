import * as z from "zod";

export const ChatRole = z.enum(["system", "developer", "user", "assistant", "tool"]);
export type ChatRole = z.infer<typeof ChatRole>;

/** One message of a chat, as OpenAI-compatible models take it. */
export const ChatMessage = z.looseObject({
  role: ChatRole,
  content: z.string(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A message of a conversation as clients send it: text, or parts of which we read the text. */
export const HistoryMessage = z
  .looseObject({
    role: z.enum(["system", "developer", "user", "assistant"]),
    content: z.union([
      z.string(),
      z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })),
    ]),
  })
  .transform(({ role, content }): ChatMessage => ({
    role,
    content:
      typeof content === "string" ? content : content.map((part) => part.text ?? "").join(""),
  }));

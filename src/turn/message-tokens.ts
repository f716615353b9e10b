import { estimateTokens } from "./context/tokens.ts";
import { type ChatMessage, type ImagePart, textOf } from "./chat-message.ts";

/**
 * Tokens of an image, whatever its size is, which nobody looks at here: of the models that cost by tiles
 * (OpenAI, vision guide) one of 768 x 1,536 pixels costs 1,105, and any in low detail 85.
 */
const imageTokens = 1_105;
const lowDetailTokens = 85;

/** Estimates what a message costs: its texts, images and calls, without role and separators. */
export function estimateMessage(message: ChatMessage): number {
  const { content } = message;
  const text = estimateTokens(typeof content === "string" ? content : textOf(message));
  if (Array.isArray(content))
    return content.reduce((sum, part) => sum + (part.type === "text" ? 0 : costOf(part)), text);
  if (message.role !== "assistant") return text;
  const calls = message.tool_calls ?? [];
  return calls.reduce(
    (sum, { function: { name, arguments: given } }) => sum + estimateTokens(name + given),
    text,
  );
}

function costOf({ image_url: { detail } }: ImagePart): number {
  return detail === "low" ? lowDetailTokens : imageTokens;
}

import { estimateMessage, estimateTokens } from "../../turn/tokens.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { Focus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { prepare } from "../ask/answer.ts";
import type { Services } from "../flow.ts";
import type { Answer } from "../ask/stream-answer.ts";

/**
 * The same conversation, with the answer and what is wrong with it. Undefined if asking again is of no
 * use: the model always answers alike, the answer was cut off, or a second one like it would not fit into the model's window.
 *
 * @param focus with what is wrong with it
 * @param prompt the built-in prompt that tells what is wrong
 */
export async function askAgain(
  turn: Turn,
  focus: Focus,
  services: Services,
  request: ChatRequest,
  { raw, reason }: Answer,
  prompt: string,
): Promise<ChatRequest | undefined> {
  if (reason !== "stop" || turn.model.isDeterministic === true) return undefined;
  const { request: again } = await prepare({ ...turn, history: [] }, services, focus, prompt);
  const question = again.messages.filter(({ role }) => role === "user").slice(-1);
  const messages: ChatRequest["messages"] = [
    ...request.messages,
    { role: "assistant", content: raw },
    ...question,
  ];
  const tokens = messages.reduce((sum, message) => sum + estimateMessage(message), 0);
  const fits = tokens + estimateTokens(raw) <= turn.model.contextWindow;
  return fits ? { ...request, messages } : undefined;
}

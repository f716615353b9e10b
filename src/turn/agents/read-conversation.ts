import type { Context } from "../context/context.ts";
import type { MessageTemplate } from "../agent-definition.ts";
import {
  type ChatMessage,
  HistoryMessage,
  isTextMessage,
  type TextMessage,
} from "../chat-message.ts";

/**
 * The conversation so far, as text: calls of tools and their results have no place in a prompt of ours.
 * Clients that keep a history end it with the question itself, which has a variable of its own. Where
 * that one did not come, the last message is the question.
 */
export function readConversation(
  messages: readonly unknown[],
  context: Context,
  templates: readonly MessageTemplate[] | undefined,
): { context: Context; history: readonly ChatMessage[] } {
  const history: TextMessage[] = [];
  for (const message of messages) {
    const read = readMessage(message);
    if (read !== undefined && read.content.trim() !== "") history.push(read);
  }
  const last = history.at(-1);
  if (last?.role !== "user") return { context, history };
  const { userInputPrompt: question = "" } = context;
  if (last.content === question) return { context, history: history.slice(0, -1) };
  if (question.trim() !== "") return { context, history };
  return {
    context: { ...context, userInputPrompt: last.content },
    // Templates that do not print the question would ask a model without it.
    history: asksQuestion(templates) ? history.slice(0, -1) : history,
  };
}

/** @returns undefined for what is no message with a text, such as the result of a tool */
function readMessage(message: unknown): TextMessage | undefined {
  return isTextMessage(message)
    ? { role: message.role, content: message.content }
    : HistoryMessage.safeParse(message).data;
}

/** The built-in prompts do. */
function asksQuestion(templates: readonly MessageTemplate[] | undefined): boolean {
  if (templates === undefined) return true;
  return templates.some((item) => (item.template ?? item.content)?.includes("userInputPrompt"));
}

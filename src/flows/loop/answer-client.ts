import * as z from "zod";
import { fitCall } from "../../tools/run-call.ts";
import { type AnyTool, Toolbox } from "../../tools/tool.ts";
import type { ChatMessage, OfferedTool, ToolCall } from "../../turn/chat-message.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { prepare } from "../ask/answer.ts";
import type { Services } from "../flow.ts";
import { createHearing } from "./ask-for-calls.ts";
import { findSubject, plainPage, toModelAnswer } from "./talk.ts";

/** A question of an agent that has tools of its own: the model answers once, and that agent runs the calls. */
export interface ClientTalk {
  /** As the client has sent them, oldest first; its own system prompt is among them. */
  messages: readonly ChatMessage[];
  offered: readonly OfferedTool[];
  /** What else the client says of calls and of the answer's form. */
  form: Pick<ChatRequest, "toolChoice" | "parallelToolCalls" | "responseFormat">;
}

/**
 * Asks the model with the client's tools and messages as they are; in front of them come the system messages that the
 * agent's own definition has. The text comes as deltas, then `model-answer` with the calls. Calls that the model
 * writes into its text count where it has made no others.
 */
export async function* answerClient(
  turn: Turn,
  services: Services,
  { messages, offered, form }: ClientTalk,
): AsyncGenerator<TurnEvent, void, void> {
  const shown = turn.model.toolCalls === "none" ? [] : offered;
  const { request, rules } = await prepareRules(turn, services);
  const tools = new Toolbox(form.toolChoice === "none" ? [] : shown.map(toTool));
  const asked: ChatRequest = {
    ...request,
    ...form,
    messages: [...rules, ...messages],
    ...(shown.length === 0 ? {} : { tools: shown }),
    subject: () => findSubject(messages),
  };
  const heard = createHearing({ tools, page: plainPage }, { round: turn.id.slice(-12), known: "" });
  const given = yield* heard.ask(turn, asked);
  const { reason, areWritten, raw } = given;
  const answer = toModelAnswer(given);
  // That agent has limits of its own.
  answer.calls = areWritten ? given.calls.map((call) => withTypes(call, tools)) : given.calls;
  // What only looks like a call is the client's to read.
  if (answer.calls.length === 0 && raw.startsWith(answer.text)) {
    yield* plainPage.write(raw.slice(answer.text.length));
    answer.text = raw;
  }
  yield { type: "model-answer", answer };
  const isStopped = reason === "stop" || reason === "tool_calls";
  const end = answer.calls.length > 0 ? "tool_calls" : "stop";
  yield { type: "turn-end", reason: isStopped ? end : reason };
}

/** What the definition says of the model, and the system messages of its own templates. */
async function prepareRules(
  turn: Turn,
  services: Services,
): Promise<{ request: ChatRequest; rules: ChatMessage[] }> {
  const isRule = ({ role }: { role: string }): boolean => role === "system" || role === "developer";
  const messageTemplates = [
    ...(turn.messageTemplates ?? []).filter(isRule),
    // In the place of the client's own messages: a prompt without any would be refused.
    { role: "user" as const, template: "..." },
  ];
  const { request } = await prepare({ ...turn, messageTemplates, history: [] }, services);
  return { request, rules: request.messages.filter(isRule) };
}

const anyFields = z.looseObject({});
const noText = { en: "", zh: "" };

/** Only read out of text: the client runs it. */
function toTool({ name, description, parameters }: OfferedTool): AnyTool {
  return {
    name,
    description: { en: description, zh: description },
    input: anyFields,
    schema: parameters,
    fields: Object.fromEntries(
      Object.keys(Object(parameters["properties"])).map((field) => [field, noText]),
    ),
    effect: "read",
    run: async () => ({ success: false }),
  };
}

/** With values of the types that the client's schema has: in text all of them are words. */
function withTypes(call: ToolCall, tools: Toolbox): ToolCall {
  const { tool, params } = fitCall(call, tools);
  return params === undefined
    ? call
    : { ...call, name: tool.name, arguments: JSON.stringify(params) };
}

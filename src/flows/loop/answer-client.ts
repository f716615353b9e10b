import * as z from "zod";
import { fitInput } from "../../tools/arguments/fit-input.ts";
import { parseArguments } from "../../tools/run-call.ts";
import { TextCallReader } from "../../tools/text-calls/text-call-reader.ts";
import { type AnyTool, Toolbox } from "../../tools/tool.ts";
import type { ChatMessage, OfferedTool, ToolCall } from "../../turn/chat-message.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { Turn } from "../../turn/turn.ts";
import type { ModelAnswer, ModelEvent, TurnEvent } from "../../turn/turn-event.ts";
import { addUsage } from "../../turn/figures.ts";
import { hearModel, prepare } from "../ask/answer.ts";
import type { Services } from "../flow.ts";
import { findSubject } from "./talk.ts";

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
  let reader = new TextCallReader(tools);
  const answer: ModelAnswer = { text: "", calls: [] };
  const made: ToolCall[] = [];
  const tell = (text: string): TurnEvent[] => {
    answer.text += text;
    return text === "" ? [] : [{ type: "text-delta", text }];
  };
  const hear = (event: ModelEvent): TurnEvent[] => {
    if (event.type === "text-delta") return tell(reader.push(event.text));
    if (event.type === "text-was-reasoning") reader = new TextCallReader(tools);
    else if (event.type === "usage") answer.usage = addUsage(answer.usage, event.usage);
    else if (event.type === "tool-call") made.push(event.call);
    return event.type === "tool-call" ? [] : [event];
  };
  const reason = yield* hearModel(turn, asked, hear, (head) => Object.assign(answer, head));
  const isStopped = reason === "stop" || reason === "tool_calls";
  yield* tell(reader.end({ isStopped }));
  const written = isStopped ? reader.calls.map((call) => fitCall(call, tools)) : [];
  answer.calls = made.length > 0 ? made : written;
  const hasCalls = answer.calls.length > 0;
  // What only looks like a call is the client's to read.
  if (!hasCalls && reader.raw.startsWith(answer.text))
    yield* tell(reader.raw.slice(answer.text.length));
  yield { type: "model-answer", answer };
  yield { type: "turn-end", reason: isStopped ? (hasCalls ? "tool_calls" : "stop") : reason };
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
function fitCall(call: ToolCall, tools: Toolbox): ToolCall {
  const tool = tools.find(call.name);
  const given = parseArguments(call.arguments);
  if (tool === undefined || !given.ok) return call;
  return { ...call, name: tool.name, arguments: JSON.stringify(fitInput(tool, given.value)) };
}

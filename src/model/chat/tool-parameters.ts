import type { ChatRequest } from "../../turn/chat-model.ts";
import type { ToolChoice } from "../../turn/tool-call.ts";
import type { ToolUse } from "./answer/answer-rules.ts";

/** As the OpenAI API has them (API reference, "Create chat completion"). */
export interface ToolParameters {
  tools?: {
    type: "function";
    function: { name: string; description: string; parameters: Record<string, unknown> };
  }[];
  tool_choice?: Exclude<ToolChoice, object> | { type: "function"; function: { name: string } };
}

/** The tools of a request as the OpenAI API spells them; nothing if it offers none. */
export function toToolParameters({
  tools = [],
  toolChoice = "auto",
}: Pick<ChatRequest, "tools" | "toolChoice">): ToolParameters {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters: { ...parameters } },
    })),
    // Always said: the choice that came with the inbound request was meant for its own tools.
    tool_choice: toChoiceParameter(toolChoice),
  };
}

function toChoiceParameter(choice: ToolChoice): NonNullable<ToolParameters["tool_choice"]> {
  return typeof choice === "string"
    ? choice
    : { type: "function", function: { name: choice.name } };
}

/**
 * What becomes of calls of tools in an answer whose frames are passed on.
 *
 * @param sent the parameters of the inbound request that go with ours, if any do
 */
export function toToolUse(
  { tools = [] }: Pick<ChatRequest, "tools">,
  sent: Readonly<Record<string, unknown>> = {},
): ToolUse {
  if (tools.length > 0) return "read";
  const isAsked = [sent["tools"], sent["functions"]].some(isFilled);
  return isAsked ? "passed" : "refused";
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

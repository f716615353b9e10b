import * as z from "zod";
import { ContextVariable } from "../../turn/context/context.ts";
import {
  AgentDefinition,
  MessageTemplate,
  ModelConfiguration,
} from "../../turn/agent-definition.ts";

/**
 * What the platform's client posts (platform document, sample service). The document nulls the
 * fields below `contextVariables` before it calls the model, so they may be at the top as well;
 * `language`, `model` and `messages` are ours. Every other field is kept.
 */
export const CopilotRequest = z.looseObject({
  /** The agent's name; the path or the definition may name it instead. */
  agent: z.string().nullish(),
  /** Absent or empty: `default`. */
  command: z.string().nullish(),
  agentDefinition: AgentDefinition.nullish(),
  contextVariables: z.array(ContextVariable).nullish(),
  messageTemplates: z.array(MessageTemplate).nullish(),
  modelConfiguration: ModelConfiguration.nullish(),
  /** A language tag; stronger than Accept-Language. */
  language: z.string().nullish(),
  model: z.string().nullish(),
  /** Earlier messages of the conversation, the oldest first. */
  messages: z.array(z.unknown()).nullish(),
});
export type CopilotRequest = z.infer<typeof CopilotRequest>;

const NodeId = z.union([z.string(), z.number()]);

/**
 * The fields of a request that answers an action (the platform documents no such format). They are read
 * leniently, and only where no command is named: what is not there is looked for elsewhere.
 */
export const ActionFeedback = z.looseObject({
  action: z.enum(["confirm", "tree"]),
  /** As the action brought it. */
  state: z.unknown().optional(),
  data: z
    .looseObject({
      command: z.string().nullish(),
      prompt: z.string().nullish(),
      nodeId: NodeId.nullish(),
      nodeAction: z.enum(["expand", "click"]).nullish(),
    })
    .nullish(),
  nodeId: NodeId.nullish(),
  nodeAction: z.enum(["expand", "click"]).nullish(),
});
export type ActionFeedback = z.infer<typeof ActionFeedback>;

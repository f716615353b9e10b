import type { Context } from "../context/context.ts";
import type { Locale } from "../errors/locale.ts";
import type { AgentDefinition, MessageTemplate, ModelConfiguration } from "./agent-definition.ts";
import type { Caller } from "./caller.ts";
import type { ChatMessage } from "./chat-message.ts";
import type { ChatModel } from "./chat-model.ts";

/** One request to run one command once. */
export interface Turn {
  /** Unique; the id of our SSE chunks and of the log lines. */
  id: string;
  agent: string;
  command: string;
  /** The published definition if the request carries it, else ours. */
  definition: AgentDefinition;
  /** The command's templates: the definition's, else the request's own, else undefined. */
  messageTemplates: readonly MessageTemplate[] | undefined;
  modelConfiguration: ModelConfiguration;
  context: Context;
  /** Empty at stateless doors unless the request carries it. */
  history: readonly ChatMessage[];
  locale: Locale;
  caller: Caller;
  model: ChatModel;
  /** The model id to ask that model for, where it serves several. */
  modelId: string | undefined;
  /** Unknown top-level fields of the request, kept for the platform. */
  extra: Record<string, unknown>;
  /** Names the lines that a click has chosen, for the prompts of the next steps. */
  mark?: string;
  /** The lines of the editor's text that a flow has found to be meant, 1-based and inclusive. */
  place?: { startLine: number; endLine: number };
  /** The turn goes on from an action, and the editor's file is not what it was then. */
  isFileChanged?: boolean;
  signal: AbortSignal;
}

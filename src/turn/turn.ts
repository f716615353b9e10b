import type { Context } from "./context/context.ts";
import type { Locale } from "../base/errors/locale.ts";
import type { TreeAction } from "./action.ts";
import type { AgentDefinition, MessageTemplate, ModelConfiguration } from "./agent-definition.ts";
import type { Caller } from "./caller.ts";
import type { ChatMessage } from "./chat-message.ts";
import type { ChatModel } from "./chat-model.ts";
import type { PromptFacts } from "./focus.ts";

/** One request to run one command once. Nothing is written on it: what a flow finds out is a `Focus` beside it. */
export interface Turn {
  /** Unique; the id of our SSE chunks and of the log lines. */
  readonly id: string;
  readonly agent: string;
  readonly command: string;
  /** The published definition if the request carries it, else ours. */
  readonly definition: AgentDefinition;
  /** The command's templates: the definition's, else the request's own, else undefined. */
  readonly messageTemplates: readonly MessageTemplate[] | undefined;
  readonly modelConfiguration: Readonly<ModelConfiguration>;
  readonly context: Context;
  /** Empty at stateless doors unless the request carries it. */
  readonly history: readonly ChatMessage[];
  readonly locale: Locale;
  readonly caller: Caller;
  readonly model: ChatModel;
  /** The model id to ask that model for, where it serves several. */
  readonly modelId: string | undefined;
  /** Unknown top-level fields of the request, kept for the platform. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** What the request itself says for the prompt. */
  readonly given?: PromptFacts;
  /** The request goes on from an action, and the editor's file is not what it was then. */
  readonly isFileChanged?: boolean;
  /** The children of a node that a person has opened: the whole answer. */
  readonly opened?: TreeAction;
  /** The place that a click or the question names, as the receipt tells it: `total(), lines 3-9, from the question`. */
  readonly namedPlace?: string;
  readonly signal: AbortSignal;
}

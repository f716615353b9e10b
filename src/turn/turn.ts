import type { Context, ContextVariable, Problem } from "./context/context.ts";
import type { Locale } from "../base/errors/locale.ts";
import type { TreeAction } from "./action.ts";
import type { AgentDefinition, MessageTemplate, ModelConfiguration } from "./agent-definition.ts";
import type { Caller, ChatModel } from "./chat-model.ts";
import type { ChatMessage } from "./chat-message.ts";
import type { PromptFacts } from "./focus.ts";

/** One request to run one command once. Nothing is written on it: what a flow finds out is a `Focus` beside it. */
export interface Turn extends Pick<
  TurnRequest,
  "id" | "caller" | "given" | "isFileChanged" | "opened" | "signal"
> {
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
  readonly model: ChatModel;
  /** Further fields of the request, as they came, for the platform's model. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** The model id to ask that model for, where it serves several. */
  readonly modelId: string | undefined;
  /** The place that a click or the question names, as the receipt tells it: `total(), lines 3-9, from the question`. */
  readonly namedPlace?: string;
}

/** What a door understood of a request; it knows no protocol, and nothing of it was looked up. */
export interface TurnRequest {
  /** Unique; the id of our SSE chunks and of the log lines. */
  readonly id: string;
  /** The name of an agent that is published here; not asked where the request brings a definition. */
  readonly agent: string | undefined;
  readonly definition?: AgentDefinition | undefined;
  /** Absent or empty: `default`. */
  readonly command: string | undefined;
  readonly variables: readonly ContextVariable[];
  /** Weaker than those of the command, stronger than those of the whole definition. */
  readonly messageTemplates?: readonly MessageTemplate[] | undefined;
  /** Weaker than what the definition and its command say. */
  readonly modelConfiguration?: ModelConfiguration | undefined;
  /** Earlier messages, the oldest first, as they came; what is no message with text is left out. */
  readonly history?: readonly unknown[];
  /** What of the request the door could not read and has left out, for the receipt. */
  readonly leftOut?: readonly Problem[];
  /** Names of models, the strongest first; those of the definition are stronger. */
  readonly models?: readonly (string | null | undefined)[];
  /** Language tags, the strongest first; the first that names a language of ours counts. */
  readonly languages: readonly (string | null | undefined)[];
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Further fields of the request, as they came, for the platform's model. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** What the request itself says for the prompt: a reference test, definitions. */
  readonly given?: PromptFacts | undefined;
  /** It goes on from an action, and the editor's file is not what it was then. */
  readonly isFileChanged?: boolean;
  /** A person has opened a node of a tree: its children are the whole answer, and no command runs. */
  readonly opened?: TreeAction;
}

import * as z from "zod";
import { Locale } from "../base/errors/locale.ts";
import { ChatRole } from "./chat-message.ts";

/** A text for people: in one language, as the platform has it, or one for each language of ours. */
export const localized = (text: z.ZodString) =>
  z.union([text, z.looseObject({ en: text.nullish(), zh: text.nullish() })]);
export const LocalizedText = localized(z.string());
export type LocalizedText = z.infer<typeof LocalizedText>;

/** The text in a language, else in whichever it has; "" where it has none. */
export function textIn(text: LocalizedText | null | undefined, locale: Locale): string {
  if (text === undefined || text === null || typeof text === "string") return text ?? "";
  return text[locale] || Locale.options.map((other) => text[other]).find(Boolean) || "";
}

/** A message of the prompt. The platform writes its text as `template`, others as `content`. */
export const MessageTemplate = z.looseObject({
  role: ChatRole,
  template: z.string().nullish(),
  content: z.string().nullish(),
});
export type MessageTemplate = z.infer<typeof MessageTemplate>;

/** The most tokens of an answer; -1, as many clients write it, is no limit. */
export const TokenLimit = z
  .int()
  .min(-1)
  .refine((most) => most !== 0, { message: "must be 1 or more, or -1 for no limit" });

export const ModelConfiguration = z.looseObject({
  modelName: z.string().nullish(),
  temperature: z.number().nullish(),
  maxTokens: TokenLimit.nullish(),
  topP: z.number().nullish(),
});
export type ModelConfiguration = z.infer<typeof ModelConfiguration>;

/** A variable that the client is to collect. Both spellings of the options are documented. */
export const CollectedVariable = z.looseObject({
  name: z.string(),
  resolveOptions: z.unknown().optional(),
  resolverOptions: z.unknown().optional(),
});
export type CollectedVariable = z.infer<typeof CollectedVariable>;

export const CollectionStrategy = z.looseObject({
  type: z.string().nullish(),
  contextVariables: z.array(CollectedVariable).nullish(),
});

export const CommandDefinition = z.looseObject({
  name: z.string().min(1),
  description: LocalizedText.nullish(),
  modelConfiguration: ModelConfiguration.nullish(),
  messageTemplates: z.array(MessageTemplate).nullish(),
  /** Clients of the OpenAI API may bring tools of their own, as for `chat`. Ours; the platform has no such field. */
  clientTools: z.boolean().nullish(),
  contextVariableCollectionStrategy: CollectionStrategy.nullish(),
});
export type CommandDefinition = z.infer<typeof CommandDefinition>;

/**
 * An agent as the platform publishes it (platform document, agent definition). Only `name` is
 * needed to answer; what an unknown platform adds is kept.
 */
export const AgentDefinition = z.looseObject({
  name: z.string().min(1),
  version: z.string().nullish(),
  type: z.string().nullish(),
  description: LocalizedText.nullish(),
  publisherType: z.string().nullish(),
  publisher: z.string().nullish(),
  service: z.looseObject({ endpoint: z.string().nullish() }).nullish(),
  modelConfiguration: ModelConfiguration.nullish(),
  messageTemplates: z.array(MessageTemplate).nullish(),
  commands: z.array(CommandDefinition).nullish(),
  /**
   * Descriptions of services that the model may call. They count in the definitions of the operator, never in one that a
   * request brings. Ours; the platform has no such field.
   */
  openSpecList: z.array(z.looseObject({})).max(100).nullish(),
  /** Names of the operator's servers of MCP, whose tools the model may call as well; under the same rule. */
  mcpServers: z.array(z.string().max(200)).max(50).nullish(),
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;

export function findCommand(
  definition: AgentDefinition,
  name: string,
): CommandDefinition | undefined {
  for (const command of definition.commands ?? []) if (command.name === name) return command;
  return undefined;
}

/** The names of the variables that a command has the client collect, with their options. */
export function collectedBy(command: CommandDefinition | undefined): Map<string, unknown> {
  const list = command?.contextVariableCollectionStrategy?.contextVariables ?? [];
  return new Map(list.map((item) => [item.name, item.resolverOptions ?? item.resolveOptions]));
}

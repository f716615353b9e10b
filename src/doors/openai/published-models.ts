import { unknownModel } from "../../turn/agents/resolve-turn.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";
import type { DoorHost } from "../http/door.ts";

/** An agent, or a command of it, as clients of the OpenAI API see it: `rightseat`, `rightseat/explain`. */
export interface PublishedModel {
  definition: AgentDefinition;
  command: string;
  /** Named by the definition; others are answered, but not listed. */
  isListed: boolean;
}

export type PublishedModels = ReadonlyMap<string, PublishedModel>;

/** An agent alone chats if it lists that; else `default` chats with whoever asks something, and says what it can do. */
export function publishModels({ agents, commands }: DoorHost["sources"]): PublishedModels {
  const models = new Map<string, PublishedModel>();
  for (const definition of agents.values()) {
    const listed = new Set((definition.commands ?? []).map(({ name }) => name));
    const command = listed.has("chat") ? "chat" : "default";
    models.set(definition.name, { definition, command, isListed: true });
    for (const name of new Set([...listed, ...commands])) {
      const isListed = listed.has(name);
      models.set(`${definition.name}/${name}`, { definition, command: name, isListed });
    }
  }
  return models;
}

/** @throws AppError `model_not_found` */
export function requireModel(models: PublishedModels, name: string): PublishedModel {
  const model = models.get(name);
  if (model !== undefined) return model;
  const listed = [...models].flatMap(([id, { isListed }]) => (isListed ? [id] : []));
  throw unknownModel(name, listed, [...models.keys()]);
}

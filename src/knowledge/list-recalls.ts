import { KnowledgeBaseOptions } from "../turn/context/knowledge-base.ts";
import { type AgentDefinition, collectedBy } from "../turn/agent-definition.ts";

/** A command whose definition leaves the search for knowledge to the agent. */
export interface RecallingCommand {
  command: string;
  /** The knowledge bases that are searched; empty for all. */
  knowledgeBaseIds: readonly string[];
}

/** Lists the commands of a definition that set `recallByAgent`. */
export function listRecalls({ commands }: AgentDefinition): RecallingCommand[] {
  return (commands ?? []).flatMap((command) => {
    const options = KnowledgeBaseOptions.safeParse(collectedBy(command).get("knowledgeBase")).data;
    if (options?.recallByAgent !== true) return [];
    return [{ command: command.name, knowledgeBaseIds: options.knowledgeBaseIds ?? [] }];
  });
}

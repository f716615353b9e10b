import { suggestName } from "../../errors/suggest-name.ts";
import { listRecalls } from "../../knowledge/list-recalls.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";

/**
 * Looks for definitions that search knowledge which is not there, and for knowledge that none of them
 * searches; a sentence for each.
 *
 * @param knowledgeBaseIds the knowledge bases that there are; undefined without a knowledge folder
 */
export function findKnowledgeProblems(
  agents: readonly AgentDefinition[],
  knowledgeBaseIds: readonly string[] | undefined,
): string[] {
  if (knowledgeBaseIds !== undefined && agents.every((agent) => listRecalls(agent).length === 0))
    return [
      "RIGHTSEAT_KNOWLEDGE is set, but no agent here sets recallByAgent: only definitions that requests bring can search it.",
    ];
  return agents.flatMap((agent) => {
    const recalls = listRecalls(agent);
    if (recalls.length === 0) return [];
    if (knowledgeBaseIds === undefined) {
      const commands = recalls.map(({ command }) => command).join(", ");
      return [
        `Agent "${agent.name}" sets recallByAgent (${commands}), but nothing can be searched. Set RIGHTSEAT_KNOWLEDGE to a folder.`,
      ];
    }
    const wanted = new Set(recalls.flatMap((recall) => recall.knowledgeBaseIds));
    return [...wanted]
      .filter((id) => !knowledgeBaseIds.includes(id.normalize("NFC")))
      .map((id) => describeUnknown(agent.name, id, knowledgeBaseIds));
  });
}

function describeUnknown(agent: string, id: string, known: readonly string[]): string {
  const near = suggestName(id, known);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `Agent "${agent}" searches the knowledge base ${JSON.stringify(id)}, which RIGHTSEAT_KNOWLEDGE does not have.${hint} It has: ${known.join(", ") || "none"}.`;
}

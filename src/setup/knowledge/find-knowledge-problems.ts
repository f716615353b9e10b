import { suggestName } from "../../base/errors/suggest-name.ts";
import { listRecalls } from "../../knowledge/retriever.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";

/**
 * Looks for definitions that search knowledge which is not there, and for those that never search what is
 * there; a sentence for each.
 *
 * @param knowledgeBaseIds the knowledge bases that there are; undefined without a knowledge folder
 */
export function findKnowledgeProblems(
  agents: readonly AgentDefinition[],
  knowledgeBaseIds: readonly string[] | undefined,
): string[] {
  if (knowledgeBaseIds !== undefined && agents.length === 0)
    return [
      "RIGHTSEAT_KNOWLEDGE is set, but there is no agent here: only definitions that requests bring can search it.",
    ];
  return agents.flatMap((agent) => {
    const recalls = listRecalls(agent);
    if (recalls.length === 0)
      return knowledgeBaseIds === undefined
        ? []
        : [
            `RIGHTSEAT_KNOWLEDGE is set, but agent "${agent.name}" never searches it. Give one of its commands the context variable ${JSON.stringify(recalling)}.`,
          ];
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

/** What a command collects, so that the agent searches. */
const recalling = { name: "knowledgeBase", resolverOptions: { recallByAgent: true } };

function describeUnknown(agent: string, id: string, known: readonly string[]): string {
  const near = suggestName(id, known);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `Agent "${agent}" searches the knowledge base ${JSON.stringify(id)}, which RIGHTSEAT_KNOWLEDGE does not have.${hint} It has: ${known.join(", ") || "none"}.`;
}

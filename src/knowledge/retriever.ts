import * as z from "zod";
import { KnowledgeBaseOptions } from "../turn/context/variables.ts";
import { type AgentDefinition, collectedBy } from "../turn/agent-definition.ts";

/** Some lines of a file, as they are there, with `\n` as line ends. Lines are 1-based and inclusive. */
export const KnowledgePassage = z.object({
  text: z.string(),
  /** The path below the folder, with `/`. Its first folder is the id of its knowledge base. */
  fileName: z.string(),
  sourceType: z.enum(["doc", "code"]),
  startLine: z.int(),
  endLine: z.int(),
  /** One line: the headings above, as `Guide > Setup`, or what the code declares, as `Cart > add, remove`. */
  heading: z.string().exactOptional(),
});
export type KnowledgePassage = z.infer<typeof KnowledgePassage>;

export interface FoundPassage extends KnowledgePassage {
  /** Higher fits better. Scores of different queries, or of different retrievers, do not compare. */
  score: number;
}

/** A port: others may put their own search engine here. */
export interface Retriever {
  /**
   * Finds what fits a question in plain language, the best first; nothing for a question without words.
   *
   * @param options.knowledgeBaseIds only these are searched, all where undefined; unknown ids, and
   *   an empty list, find nothing
   * @throws the signal's reason, once it is aborted
   */
  retrieve(
    query: string,
    options: {
      knowledgeBaseIds?: readonly string[] | undefined;
      limit: number;
      signal: AbortSignal;
    },
  ): Promise<FoundPassage[]>;
}

const defaultKnowledgeBase = "default";

/** The id of the knowledge base that a file belongs to: the first folder of its name. */
export function knowledgeBaseOf(fileName: string): string {
  const end = fileName.indexOf("/");
  // macOS spells names another way (NFD) than requests do.
  return end === -1 ? defaultKnowledgeBase : fileName.slice(0, end).normalize("NFC");
}

/**
 * Lists the commands of a definition that leave the search for knowledge to the agent (`recallByAgent`), each with the
 * knowledge bases that are searched; none means all.
 */
export function listRecalls({ commands }: AgentDefinition) {
  return (commands ?? []).flatMap((command) => {
    const options = KnowledgeBaseOptions.safeParse(collectedBy(command).get("knowledgeBase")).data;
    if (options?.recallByAgent !== true) return [];
    return [{ command: command.name, knowledgeBaseIds: options.knowledgeBaseIds ?? [] }];
  });
}

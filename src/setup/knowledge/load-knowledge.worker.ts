// Knowledge on Workers: the prebuilt index, as a binding of static assets serves it.
import { getLogger } from "@logtape/logtape";
import { type KnowledgeIndex, parseKnowledgeIndex } from "../../knowledge/knowledge-index.ts";
import type { Retriever } from "../../knowledge/retriever.ts";

/** What a binding of static assets, or of another worker, offers. */
interface Fetcher {
  fetch(url: string): Promise<Response>;
}

const indexUrl = "https://assets.local/knowledge.json";

/**
 * A retriever over the `knowledge.json` of a binding, which is read at the first question. While it cannot
 * be read nothing is found; the log says why.
 *
 * @returns undefined if there is no such binding
 */
export function bindKnowledge(binding: unknown): Retriever | undefined {
  if (!isFetcher(binding)) return undefined;
  let reading: Promise<KnowledgeIndex> | undefined;
  return {
    async retrieve(query, options) {
      reading ??= readIndex(binding);
      try {
        const index = await reading;
        return await index.retrieve(query, options);
      } catch (cause) {
        options.signal.throwIfAborted();
        reading = undefined;
        const log = getLogger(["rightseat", "knowledge"]);
        log.error("knowledge: the index cannot be read: {cause}", { cause });
        return [];
      }
    },
  };
}

function isFetcher(binding: unknown): binding is Fetcher {
  return typeof binding === "object" && binding !== null && "fetch" in binding;
}

async function readIndex(binding: Fetcher): Promise<KnowledgeIndex> {
  const response = await binding.fetch(indexUrl);
  if (!response.ok) throw new Error(`The binding answers ${response.status} to ${indexUrl}.`);
  return parseKnowledgeIndex(await response.json());
}

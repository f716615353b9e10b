// Knowledge that the agent itself retrieves: for definitions whose knowledgeBase says `recallByAgent`.
import { sourceOf } from "../../turn/context/variables.ts";
import { getLogger } from "@logtape/logtape";
import { focusOf } from "../../turn/context/active-editor.ts";
import {
  KnowledgeBaseOptions,
  type KnowledgeReference,
  referencesOf,
} from "../../turn/context/variables.ts";
import type { FoundPassage } from "../../knowledge/retriever.ts";
import { collectedBy, findCommand } from "../../turn/agent-definition.ts";
import type { Focus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Flow, Services } from "../flow.ts";
import { textsFor } from "../texts.ts";

const maxPassages = 8;
/** The search takes the question and the beginning of the code in focus. */
const maxQuery = 2_000;

/** The knowledgeBase options of the request, else of the command, if they want the agent to retrieve; else undefined. */
export function recallOptions(turn: Turn): KnowledgeBaseOptions | undefined {
  const options =
    turn.context.options?.get("knowledgeBase") ??
    collectedBy(findCommand(turn.definition, turn.command)).get("knowledgeBase");
  // Asked for every request, and hardly ever true: then nothing is checked.
  if (typeof options !== "object" || options === null) return undefined;
  if (Reflect.get(options, "recallByAgent") !== true) return undefined;
  return KnowledgeBaseOptions.safeParse(options).data;
}

/**
 * The flow with what was found for the question as its knowledge, numbered as it is cited. At the end of
 * the text stand the sources that the prompt held; none if no model was asked. Without a retriever, and if
 * it fails, the flow runs as it is.
 */
export function withRecall(flow: Flow, options: KnowledgeBaseOptions): Flow {
  return (turn, services, focus) => informed(flow, options, turn, services, focus);
}

async function* informed(
  flow: Flow,
  options: KnowledgeBaseOptions,
  turn: Turn,
  services: Services,
  focus: Focus | undefined,
): ReturnType<Flow> {
  const found = await recall(turn, services, options);
  if (found.length === 0) return yield* flow(turn, services, focus);
  const knowledgeBase = [{ knowledgeBaseId: "recalled", references: found.map(toReference) }];
  const asked = { ...turn, context: { ...turn.context, knowledgeBase } };
  let sources: readonly KnowledgeReference[] = [];
  for await (const event of flow(asked, services, focus)) {
    if (event.type === "context-receipt") {
      sources = referencesOf(knowledgeBase).slice(0, event.receipt.passages ?? 0);
    }
    if (sources.length > 0 && (event.type === "action" || event.type === "turn-end")) {
      yield { type: "text-delta", text: listSources(sources, turn) };
      sources = [];
    }
    yield event;
  }
}

async function recall(
  { context, signal }: Turn,
  { retriever }: Services,
  { knowledgeBaseIds }: KnowledgeBaseOptions,
): Promise<FoundPassage[]> {
  const code = context.activeEditor === undefined ? "" : focusOf(context.activeEditor).text;
  const query = `${context.userInputPrompt ?? ""}\n${code}`.trim().slice(0, maxQuery);
  if (retriever === undefined || query === "") return [];
  try {
    return await retriever.retrieve(query, {
      ...(knowledgeBaseIds && knowledgeBaseIds.length > 0 ? { knowledgeBaseIds } : {}),
      limit: maxPassages,
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    const log = getLogger(["rightseat", "knowledge"]);
    log.error("knowledge: it could not be searched: {cause}", { cause });
    return [];
  }
}

function toReference(passage: FoundPassage): KnowledgeReference {
  const { text, score, fileName, sourceType, startLine, endLine } = passage;
  return {
    score,
    chunk: text,
    metadata: { fileName, source: fileName, sourceType, startPos: startLine, endPos: endLine },
  };
}

function listSources(references: readonly KnowledgeReference[], turn: Turn): string {
  const lines = references.map(
    (reference, nth) => `[${nth + 1}] \`${sourceOf(reference).replaceAll("`", "'")}\``,
  );
  return `\n\n${textsFor(turn.locale).sources}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;
}

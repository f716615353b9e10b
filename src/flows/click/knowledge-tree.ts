import { oneLine } from "../../base/errors/names.ts";
import { type KnowledgeReference, referencesOf, sourceOf } from "../../turn/context/variables.ts";
import { clickTree, type TreeAction, type TreeNode, treeRoot } from "../../turn/action.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { Turn } from "../../turn/turn.ts";
import { printBlockSentence, printPrompt } from "./sentences.ts";

/** More passages than a person will click through help nobody. */
const maxPassages = 50;
const maxPassage = 2_000;

/**
 * Shows the knowledge that came with the request: sources, below them their passages to click on.
 *
 * @returns undefined where no knowledge came
 */
export function knowledgeTree(turn: Turn): TreeAction | undefined {
  const references = referencesOf(turn.context.knowledgeBase ?? []).slice(0, maxPassages);
  if (references.length === 0) return undefined;
  const click = { nodeType: "passage", command: "explain" };
  return clickTree(`knowledge-${turn.id}`, toNodes(references, turn.locale), click);
}

function toNodes(references: readonly KnowledgeReference[], locale: Locale): TreeNode[] {
  const sources = new Map<string, TreeNode[]>();
  for (const [index, reference] of references.entries()) {
    const file = fileOf(reference);
    let nodes = sources.get(file);
    if (nodes === undefined)
      sources.set(file, (nodes = [toSource(reference, file, sources.size + 1)]));
    nodes.push(toPassage(reference, nodes[0]?.id ?? treeRoot, index + 1, locale));
  }
  return [...sources.values()].flat();
}

/** @param reference the first passage of the source */
function toSource({ metadata }: KnowledgeReference, file: string, nth: number): TreeNode {
  const kind = metadata?.sourceType;
  return {
    id: `source-${nth}`,
    pId: treeRoot,
    type: "source",
    name: file,
    description: metadata?.source ?? file,
    labels: kind ? [kind] : [],
  };
}

function toPassage(
  reference: KnowledgeReference,
  pId: string,
  rank: number,
  locale: Locale,
): TreeNode {
  const { chunk } = reference;
  const text = chunk.length > maxPassage ? `${chunk.slice(0, maxPassage)}…` : chunk;
  const sentence = printBlockSentence("explain-passage", locale, sourceOf(reference));
  return {
    id: `passage-${rank}`,
    pId,
    type: "passage",
    name: `[${rank}] ${sourceOf(reference)}`,
    description: firstLine(chunk),
    labels: typeof reference.score === "number" ? [String(reference.score)] : [],
    prompt: printPrompt(sentence, text),
  };
}

/** Of a passage a person sees how it begins. */
function firstLine(chunk: string): string {
  const [line = ""] = chunk.trim().split("\n", 1);
  return oneLine(line.trim());
}

function fileOf(reference: KnowledgeReference): string {
  return reference.metadata?.fileName || reference.metadata?.source || "(unnamed source)";
}
